package sparkgen

import (
	"container/heap"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
)

// BigOptions says how large a run Big makes. Zero values mean the defaults.
type BigOptions struct {
	Seed     int64
	Tasks    int // task attempts, about; 100,000
	Machines int // 100
	Workers  int // a machine; 2
	Slots    int // a worker; 4
	Rounds   int // stages a job; 8
	TaskMs   int // typical time of a task; 20,000
	Removals int // workers that leave between jobs, their needed outputs made again by the next job
	ESS      bool
	NoCache  bool // no cached RDDs
}

func (o BigOptions) withDefaults() BigOptions {
	def := func(v *int, d int) {
		if *v == 0 {
			*v = d
		}
	}
	def(&o.Tasks, 100_000)
	def(&o.Machines, 100)
	def(&o.Workers, 2)
	def(&o.Slots, 4)
	def(&o.Rounds, 8)
	def(&o.TaskMs, 20_000)
	return o
}

// BigRun is a large run, laid out on its slots.
type BigRun struct {
	opt      BigOptions
	app      string
	start    int64
	end      int64
	workers  []bigWorker
	datasets []bigDataset
	stages   []bigStage // in order of submission
	jobs     []bigJob
	tasks    []bigTask // by task id
}

type bigWorker struct {
	id, host string
	added    int64
	removed  int64 // 0: never
}

// bigDataset is a shuffle, or a cached RDD that the same tasks make.
type bigDataset struct {
	isCache bool
	rdd     int // map RDD or cached RDD
	reader  int // shuffles: the RDD that reads it
	parts   int
	inputs  []int
	dense   bool
	maker   int     // first stage
	current []int32 // task that made the live copy, -1 if none
}

type bigStage struct {
	job, id, attempt int
	ds, cache        int // datasets that it writes, -1: none
	reads            []int
	own, base, join  int // RDDs: the stage's own, what it is made from, and what zips several readers
	whole            int
	parts            []int32 // of a partial attempt; nil: all
	rerun            bool
	submit, complete int64
	first, end       int // tasks
}

type bigJob struct {
	submit, end int64
	stages      []bigListed
}

// bigListed is a stage of a job, run or skipped.
type bigListed struct {
	id, ds int
	result bool
	of     int // stage whose description it shares
}

type bigTask struct {
	stage      int32
	part       int32
	worker     int32
	start, end int64
	bytes      int64
	reads      int64 // blocks fetched
}

const bigStart = 1_700_000_000_000

// Big makes a large run: jobs one after the other, each a chain of stages with
// now and then a second input, a cached RDD or a shuffle of the job before.
func Big(opt BigOptions) *BigRun {
	opt = opt.withDefaults()
	b := &bigBuilder{
		BigRun: &BigRun{opt: opt, app: "app-20231114221320-0001", start: bigStart},
		rnd:    rand.New(rand.NewPCG(uint64(opt.Seed), 77)),
	}
	b.addWorkers()
	for len(b.tasks) < opt.Tasks {
		b.job()
		if len(b.jobs) <= opt.Removals {
			b.removeWorker()
		}
	}
	b.end = b.now + applicationEnd
	return b.BigRun
}

type bigBuilder struct {
	*BigRun
	rnd       *rand.Rand
	now       int64
	slots     slotHeap
	nextRDD   int
	nextStage int
	last      int // the last job's last shuffle, if hasLast
	hasLast   bool
}

func (b *bigBuilder) addWorkers() {
	b.now = b.start + 15_000
	for m := range b.opt.Machines {
		host := fmt.Sprintf("m%04d", m+1)
		for range b.opt.Workers {
			w := len(b.workers)
			b.workers = append(b.workers, bigWorker{id: strconv.Itoa(w), host: host, added: b.now + int64(b.rnd.IntN(4000))})
			for range b.opt.Slots {
				b.slots = append(b.slots, slot{worker: int32(w), tie: b.rnd.Uint32()})
			}
		}
	}
	b.now += 5000
}

// removeWorker takes one worker away while nothing runs.
func (b *bigBuilder) removeWorker() {
	alive := make([]int32, 0, len(b.workers))
	for i := range b.workers {
		if b.workers[i].removed == 0 {
			alive = append(alive, int32(i))
		}
	}
	if len(alive) < 2 {
		return
	}
	w := alive[b.rnd.IntN(len(alive))]
	b.now += 1000
	b.workers[w].removed = b.now
	b.slots = slices.DeleteFunc(b.slots, func(s slot) bool { return s.worker == w })
	for d := range b.datasets {
		ds := &b.datasets[d]
		if b.opt.ESS && !ds.isCache {
			continue
		}
		for p, t := range ds.current {
			if t >= 0 && b.tasks[t].worker == w {
				ds.current[p] = -1
			}
		}
	}
}

// job lays out one job.
func (b *bigBuilder) job() {
	b.now += 2000
	job := bigJob{submit: b.now}
	j := len(b.jobs)

	var made []int // shuffles of this job, in order
	if b.hasLast && b.rnd.IntN(2) == 0 {
		b.repair(j, b.last, &job)
		made = append(made, b.last)
	}
	cache := -1
	for i := range b.opt.Rounds {
		st := bigStage{job: j, ds: -1, cache: -1, own: b.rdd(), base: b.rdd()}
		if n := len(made); n > 0 {
			st.reads = append(st.reads, made[n-1])
			if i%4 == 3 && n >= 3 && cache < 0 {
				st.reads = append(st.reads, made[n-3])
				st.join = b.rdd()
			}
		}
		if cache >= 0 {
			st.reads = append(st.reads, cache)
			st.join = b.rdd()
			cache = -1
		}
		st.whole = b.width(i)
		if i < b.opt.Rounds-1 {
			st.ds = b.dataset(bigDataset{rdd: st.own, reader: b.rdd(), parts: st.whole, dense: b.rnd.IntN(5) > 0})
		}
		if !b.opt.NoCache && i > 0 && i%3 == 1 && i < b.opt.Rounds-1 {
			st.cache = b.dataset(bigDataset{isCache: true, rdd: b.rdd(), parts: st.whole})
			cache = st.cache
		}
		b.inputs(&st)
		st.id = b.stageID()
		b.run(&st)
		job.stages = append(job.stages, bigListed{id: st.id, ds: st.ds, result: st.ds < 0, of: len(b.stages) - 1})
		if st.ds >= 0 {
			made = append(made, st.ds)
		}
	}
	if n := len(made); n > 0 {
		b.last, b.hasLast = made[n-1], true
	}
	job.end = b.now
	b.jobs = append(b.jobs, job)
}

// inputs fills in what must exist to make what a stage makes.
func (b *bigBuilder) inputs(st *bigStage) {
	if st.cache >= 0 {
		b.datasets[st.cache].inputs = st.reads
	}
	if st.ds >= 0 {
		b.datasets[st.ds].inputs = st.reads
		if st.cache >= 0 {
			b.datasets[st.ds].inputs = []int{st.cache}
		}
	}
}

// repair lists the stages of shuffle d and of all below it under new ids, and
// runs again what is missing of it, inputs first.
func (b *bigBuilder) repair(j, d int, job *bigJob) {
	seen := map[int]int{} // shuffle -> listed stage id
	var list func(d int)
	list = func(d int) {
		ds := &b.datasets[d]
		if _, ok := seen[d]; ok {
			return
		}
		seen[d] = -1
		for _, i := range ds.inputs {
			list(i)
		}
		if ds.isCache {
			return
		}
		seen[d] = b.stageID()
		job.stages = append(job.stages, bigListed{id: seen[d], ds: d, of: ds.maker})
	}
	list(d)

	done := map[int]bool{}
	var ensure func(d int)
	ensure = func(d int) {
		ds := &b.datasets[d]
		if done[d] {
			return
		}
		done[d] = true
		var missing []int32
		for p, t := range ds.current {
			if t < 0 {
				missing = append(missing, int32(p))
			}
		}
		if len(missing) == 0 {
			return
		}
		for _, i := range ds.inputs {
			ensure(i)
		}
		if ds.isCache {
			return // computed again by whoever reads it
		}
		first := b.stages[ds.maker]
		st := bigStage{
			job: j, id: seen[d], ds: d, cache: first.cache, reads: first.reads, own: first.own, base: first.base, join: first.join,
			whole: first.whole, parts: missing, rerun: true,
		}
		b.run(&st)
	}
	ensure(d)
}

func (b *bigBuilder) rdd() int {
	b.nextRDD++
	return b.nextRDD - 1
}

func (b *bigBuilder) stageID() int {
	b.nextStage++
	return b.nextStage - 1
}

func (b *bigBuilder) dataset(d bigDataset) int {
	d.maker = len(b.stages)
	d.current = make([]int32, d.parts)
	for i := range d.current {
		d.current[i] = -1
	}
	b.datasets = append(b.datasets, d)
	return len(b.datasets) - 1
}

// width is how many tasks the i-th stage of a job has: a few waves over all slots.
func (b *bigBuilder) width(i int) int {
	all := b.opt.Machines * b.opt.Workers * b.opt.Slots
	w := float64(4 * all)
	if most := float64(b.opt.Tasks) / float64(b.opt.Rounds); w > most {
		w = most
	}
	shape := []float64{1.5, 1, 1, 0.5, 1, 0.75, 1.25, 0.25}
	return max(1, int(w*shape[i%len(shape)]))
}

// run lays a stage attempt out on the slots, each task on the one that is free first.
func (b *bigBuilder) run(st *bigStage) {
	b.now += 20
	st.submit, st.first = b.now, len(b.tasks)
	n := st.whole
	if st.parts != nil {
		n = len(st.parts)
	}
	for i := range b.slots {
		b.slots[i].free = b.now
		b.slots[i].tie = b.rnd.Uint32()
	}
	heap.Init(&b.slots)
	typical := float64(b.opt.TaskMs) * (0.4 + 1.2*b.rnd.Float64())
	var blocks int64
	for _, d := range st.reads {
		if !b.datasets[d].isCache {
			blocks += int64(b.datasets[d].parts)
		}
	}
	sparse := slices.ContainsFunc(st.reads, func(d int) bool { return !b.datasets[d].isCache && !b.datasets[d].dense })
	self := int32(len(b.stages))
	last := b.now
	for i := range n {
		p := int32(i)
		if st.parts != nil {
			p = st.parts[i]
		}
		s := &b.slots[0]
		start := s.free + int64(b.rnd.IntN(5))
		t := bigTask{stage: self, part: p, worker: s.worker, start: start, reads: blocks}
		t.end = start + 20 + int64(typical*math.Exp(0.35*b.rnd.NormFloat64()))
		if b.rnd.IntN(500) == 0 {
			t.end += 3 * (t.end - start)
		}
		t.bytes = 1<<20 + int64(b.rnd.IntN(64<<20))
		if sparse && blocks > 0 {
			t.reads = 1 + int64(b.rnd.IntN(3))
		}
		b.tasks = append(b.tasks, t)
		last = max(last, t.end)
		s.free = t.end
		heap.Fix(&b.slots, 0)
		t32 := int32(len(b.tasks) - 1)
		if st.ds >= 0 {
			b.datasets[st.ds].current[p] = t32
		}
		if st.cache >= 0 && b.datasets[st.cache].current[p] < 0 {
			b.datasets[st.cache].current[p] = t32
		}
	}
	b.now = last
	st.complete, st.end = b.now, len(b.tasks)
	b.stages = append(b.stages, *st)
}

// slotHeap orders slots by when they are free.
type slotHeap []slot

type slot struct {
	free   int64
	tie    uint32
	worker int32
}

func (h slotHeap) Len() int { return len(h) }

func (h slotHeap) Less(i, j int) bool {
	if h[i].free != h[j].free {
		return h[i].free < h[j].free
	}
	return h[i].tie < h[j].tie
}
func (h slotHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *slotHeap) Push(x any)   { *h = append(*h, x.(slot)) }

func (h *slotHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}
