package sparkgen

import (
	"container/heap"
	"math/rand/v2"
	"strconv"
)

// Generate draws an application from the seed, runs it, and returns its event
// log and the truth about it. The same seed and options give the same bytes.
func Generate(seed int64, opt Options) ([]byte, Truth) {
	rnd := rand.New(rand.NewPCG(uint64(seed), 2024))
	v := spark35()
	if opt.Version == "2.4" || opt.Version == "" && rnd.IntN(5) == 0 {
		v = spark24()
	}
	s := &sim{
		rnd: rnd, opt: opt, now: bigStart, ev: &events{v: v},
		app: "app-20231114221320-" + strconv.FormatInt(10000+seed%10000, 10)[1:],
	}
	s.plan = drawPlan(rnd, opt)
	s.drawConditions()
	s.truth = &Truth{App: s.app, Version: v.name, SQL: s.plan.sql, ESS: s.ess, BlockUpdates: s.blockUpdates}
	s.driver = newDriver(s)
	s.head()
	s.nextJob(0)
	for !s.over && s.queue.Len() > 0 {
		e := heap.Pop(&s.queue).(event)
		s.now = e.at
		e.do()
	}
	s.finish()
	return s.ev.b, *s.truth
}

// sim is a run under way.
type sim struct {
	rnd   *rand.Rand
	opt   Options
	plan  *plan
	ev    *events
	truth *Truth
	app   string

	now   int64
	queue eventHeap
	order int64
	over  bool

	driver  *driver
	cluster cluster

	// Conditions, drawn once.
	yarn         bool
	ess          bool
	blockUpdates bool
	speculation  bool
	taskFailures bool
	poison       *rdd // the tasks of its stage's partition 0 always fail
	losses       []plannedLoss
	cutAfter     int // task ends after which the log stops; 0: never

	ended    int // task ends so far, by themselves or not
	jobsDone int // of the plan
}

// plannedLoss strikes some time after a number of tasks has ended.
type plannedLoss struct {
	after   int
	delayMs int64
	kind    string
}

func (s *sim) drawConditions() {
	r := s.rnd
	s.yarn = r.IntN(3) == 0
	s.ess = s.opt.ESS.on(r.Float64(), 0.2)
	s.blockUpdates = s.opt.BlockUpdates.on(r.Float64(), 0.5)
	s.speculation = s.opt.Speculation.on(r.Float64(), 0.25)
	s.taskFailures = s.opt.TaskFailures.on(r.Float64(), 0.25)
	if s.taskFailures && r.IntN(4) == 0 {
		s.poison = s.plan.jobs[r.IntN(len(s.plan.jobs))].rdd
	}
	tasks := 0
	for _, x := range s.plan.shuffles {
		tasks += x.mapRDD.parts
	}
	for _, j := range s.plan.jobs {
		tasks += len(j.parts)
	}
	if s.opt.Cut.on(r.Float64(), 0.1) {
		s.cutAfter = 1 + r.IntN(tasks)
	}
	if s.opt.Losses.on(r.Float64(), 0.8) {
		for range 1 + r.IntN(3) {
			s.losses = append(s.losses, plannedLoss{
				after:   1 + r.IntN(tasks),
				delayMs: int64(r.IntN(300)),
				kind:    []string{"exit", "exit", "exit", "withdrawal", "withdrawal", "withdrawal", "release", "fetch"}[r.IntN(8)],
			})
		}
	}
	s.cluster.draw(s)
}

func (s *sim) head() {
	e := s.ev
	e.logStart()
	e.profile(s.cluster.slots)
	e.blockManagerAdded("driver", "m0", driverPort, s.now)
	master := "spark://m0:7077"
	if s.yarn {
		master = "yarn"
	}
	e.environment([][2]string{
		{"spark.app.id", s.app},
		{"spark.eventLog.logBlockUpdates.enabled", strconv.FormatBool(s.blockUpdates)},
		{"spark.executor.cores", strconv.Itoa(s.cluster.slots)},
		{"spark.master", master},
		{"spark.shuffle.service.enabled", strconv.FormatBool(s.ess)},
		{"spark.speculation", strconv.FormatBool(s.speculation)},
	})
	e.appStart("generated", s.app, s.now)
	for _, x := range s.cluster.first {
		s.now += int64(1 + s.rnd.IntN(50))
		s.cluster.add(s, x)
	}
	s.now += 100
}

// nextJob schedules job i of the plan.
func (s *sim) nextJob(i int) {
	if i >= len(s.plan.jobs) {
		return
	}
	j := s.plan.jobs[i]
	s.after(j.gapMs, func() {
		if !j.beside {
			for _, r := range j.unpersist {
				s.unpersist(r)
			}
		}
		if i+1 < len(s.plan.jobs) && s.plan.jobs[i+1].beside {
			s.nextJob(i + 1)
		}
		s.driver.submitJob(i, j)
	})
}

// jobDone is told that job i of the plan is over, one way or the other.
func (s *sim) jobDone(i int) {
	s.jobsDone++
	if i+1 < len(s.plan.jobs) && !s.plan.jobs[i+1].beside {
		s.nextJob(i + 1)
	}
	if s.jobsDone == len(s.plan.jobs) {
		s.after(int64(20+s.rnd.IntN(200)), func() { s.over = true })
	}
}

// taskEnded counts ends: losses and the log's cut hang on the count.
func (s *sim) taskEnded() {
	s.ended++
	for _, l := range s.losses {
		if l.after == s.ended {
			s.after(l.delayMs, func() { s.cluster.strike(s, l.kind) })
		}
	}
	if s.ended == s.cutAfter {
		s.over, s.truth.Cut = true, true
	}
}

func (s *sim) finish() {
	if !s.truth.Cut {
		s.ev.appEnd(s.now)
	}
	s.truth.End = s.ev.last
	s.driver.finishTruth()
}

// after runs do in ms milliseconds.
func (s *sim) after(ms int64, do func()) {
	s.order++
	heap.Push(&s.queue, event{s.now + ms, s.order, do})
}

type event struct {
	at, order int64
	do        func()
}

type eventHeap []event

func (h eventHeap) Len() int { return len(h) }

func (h eventHeap) Less(i, j int) bool {
	if h[i].at != h[j].at {
		return h[i].at < h[j].at
	}
	return h[i].order < h[j].order
}
func (h eventHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *eventHeap) Push(x any)   { *h = append(*h, x.(event)) }

func (h *eventHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}
