package sim

import "slices"

// Sim simulates runs. It keeps its memory from one to the next: make one a
// goroutine and call Simulate as often as needed.
type Sim struct {
	run  *Run
	opt  *Options
	now  int64
	rand random
	q    queue

	events []event

	tasks   []uint8
	ran     []uint8 // how often a piece has succeeded
	wasLost []uint8 // why its last attempt came to nothing, to be told when it runs again
	tries   map[int32]int32
	blame   []int32 // with a trace: piece -> the loss that destroyed it, -1
	maker   []int32 // with a trace: piece -> its latest success

	where []int32 // piece -> place of its output, as the coordinator lists it
	more  []copies
	dead  []uint8 // piece -> pieceGone, pieceMade
	stood []int32 // piece -> where its output stood that is gone
	next  []int32 // piece -> the next one at the same place, by Sim.head
	prev  []int32
	held  []int32 // for Sim.heldBy
	have  []int32 // dataset -> pieces that are listed
	holes []int32 // dataset -> pieces that are gone

	stages   []stageState
	jobs     []jobState
	runnable []int32 // stages with pending tasks, by rank and id
	waiting  []int32 // stages that wait for inputs
	failing  []int32 // stages to submit again
	resubmit bool    // the event for it is under way

	workers   []workerState
	onMachine [][]int32 // machine -> its workers
	ofLog     []int32   // worker of the log -> worker, -1
	slots     []slotState
	away      []int32 // workers given back because they were idle
	idle      []int32 // workers with a free slot

	machines []machineState
	group    int // machines that go together
	removals []Removal
	after    [][]int32 // job -> jobs that wait for it
	wanted   [][]int32 // stage -> jobs whose last stage it is
	children [][]int32 // shuffle -> stages that read it, in caches as well
	readers  [][]int32 // dataset -> stages that read it
	makers   [][]int32 // dataset -> stages that make it
	ofPiece  []int32   // piece -> dataset
	reading  int64     // until when any reader may still be fetching
	scratch  []int32

	jobsLeft int32
	troubled bool // something was lost: readers must look at their inputs
	stop     bool
	res      Result
}

// New makes a simulator of a run.
func New(run *Run) *Sim {
	s := &Sim{run: run, tries: map[int32]int32{}}
	pieces := int32(0)
	for i := range run.Datasets {
		pieces = max(pieces, run.Datasets[i].Base+run.Datasets[i].Pieces)
	}
	s.tasks = make([]uint8, len(run.DurMs))
	s.ran = make([]uint8, len(run.DurMs))
	s.wasLost = make([]uint8, len(run.DurMs))
	s.where = make([]int32, pieces)
	s.dead = make([]uint8, pieces)
	s.stood = make([]int32, pieces)
	s.next, s.prev, s.ofPiece = make([]int32, pieces), make([]int32, pieces), make([]int32, pieces)
	for d := range run.Datasets {
		x := &run.Datasets[d]
		for p := x.Base; p < x.Base+x.Pieces; p++ {
			s.ofPiece[p] = int32(d)
		}
	}
	s.have = make([]int32, len(run.Datasets))
	s.holes = make([]int32, len(run.Datasets))
	s.stages = make([]stageState, len(run.Stages))
	s.jobs = make([]jobState, len(run.Jobs))
	s.after = make([][]int32, len(run.Jobs))
	s.wanted = make([][]int32, len(run.Stages))
	s.readers = make([][]int32, len(run.Datasets))
	s.makers = make([][]int32, len(run.Datasets))
	for i := range run.Stages {
		for _, d := range run.Stages[i].Reads {
			s.readers[d] = append(s.readers[d], int32(i))
		}
		if d := run.Stages[i].Makes; d >= 0 {
			s.makers[d] = append(s.makers[d], int32(i))
		}
	}
	s.children = make([][]int32, len(run.Datasets))
	for i := range run.Stages {
		run.shuffles(run.Stages[i].Reads, func(d int32) {
			if !slices.Contains(s.children[d], int32(i)) {
				s.children[d] = append(s.children[d], int32(i))
			}
		})
	}
	s.machines = make([]machineState, len(run.Machines))
	s.onMachine = make([][]int32, len(run.Machines))
	s.ofLog = make([]int32, len(run.Workers))
	further := 0
	for i := range run.Datasets {
		further = max(further, len(run.Datasets[i].Keep)-1)
	}
	s.more = make([]copies, max(further, 0))
	for i := range s.more {
		s.more[i] = copies{make([]int32, pieces), make([]int32, pieces)}
	}
	for j := range run.Jobs {
		for _, k := range run.Jobs[j].After {
			s.after[k] = append(s.after[k], int32(j))
		}
		if f := run.Jobs[j].Final; f >= 0 {
			s.wanted[f] = append(s.wanted[f], int32(j))
		}
	}
	return s
}

// reset puts everything back to the start of a run.
func (s *Sim) reset(opt *Options) {
	s.opt, s.now, s.reading, s.stop, s.troubled, s.resubmit = opt, 0, 0, false, false, false
	s.rand = newRandom(opt.Seed)
	s.q.reset()
	s.events = s.events[:0]
	clear(s.tasks)
	clear(s.ran)
	clear(s.wasLost)
	clear(s.tries)
	for i := range s.where {
		s.where[i] = nowhere
	}
	for i := range s.more {
		for p := range s.more[i].where {
			s.more[i].where[p] = nowhere
		}
	}
	clear(s.dead)
	clear(s.machines)
	s.group = opt.Losses.group(len(s.machines))
	clear(s.have)
	clear(s.holes)
	for i := range s.stages {
		x := &s.stages[i]
		x.near.first = x.near.first[:0]
		*x = stageState{stack: x.stack[:0], near: x.near, attempt: -1, rank: never32}
	}
	clear(s.jobs)
	s.runnable, s.waiting, s.failing, s.idle = s.runnable[:0], s.waiting[:0], s.failing[:0], s.idle[:0]
	s.workers, s.slots, s.removals = s.workers[:0], s.slots[:0], s.removals[:0]
	for i := range s.onMachine {
		s.onMachine[i] = s.onMachine[i][:0]
	}
	for i := range s.ofLog {
		s.ofLog[i] = -1
	}
	s.away = s.away[:0]
	s.jobsLeft = int32(len(s.run.Jobs))
	s.res = Result{Seed: opt.Seed}
	if opt.Trace {
		s.blame, s.maker = make([]int32, len(s.tasks)), make([]int32, len(s.tasks))
		for i := range s.blame {
			s.blame[i] = -1
		}
	}
}

const never32 = 1<<31 - 1

// Simulate runs it once. The result's lists are valid until the next call.
func (s *Sim) Simulate(opt *Options) *Result {
	s.reset(opt)
	s.cluster()
	if opt.FromMs > 0 {
		s.resume()
	}
	for j := range s.run.Jobs {
		if opt.FromMs > 0 {
			break
		}
		s.jobs[j].waits = int32(len(s.run.Jobs[j].After))
		if s.jobs[j].waits == 0 {
			s.at(s.run.Jobs[j].GapMs, event{evJob, int32(j), 0})
		}
	}
	s.loop()
	s.finish()
	if opt.Trace {
		s.traceCluster()
	}
	return &s.res
}

// loop takes the events one by one until all jobs have ended.
func (s *Sim) loop() {
	for len(s.q.a) > 0 && s.jobsLeft > 0 && !s.stop {
		k := s.q.a[0]
		s.now = max(s.now, int64(k>>payloadBits)) // a resumed run has events of before its start
		payload := int32(k & payloadMask)
		if payload&miscBit == 0 {
			s.slotEvent(payload)
			continue
		}
		s.q.pop()
		s.handle(s.events[payload&^miscBit])
	}
}

// at makes something happen.
func (s *Sim) at(when int64, ev event) {
	if when >= maxMs {
		return
	}
	i := int32(len(s.events))
	if i >= miscBit {
		panic("sim: too many events")
	}
	s.events = append(s.events, ev)
	s.q.push(key(max(when, s.now), i|miscBit))
}

func (s *Sim) handle(ev event) {
	switch ev.kind {
	case evJob:
		s.submitJob(ev.a)
	case evStage:
		s.openStage(ev.a)
	case evStageEnd:
		s.endStage(ev.a, ev.b)
	case evJobEnd:
		s.endJob(ev.a)
	case evResubmit:
		s.resubmitFailed()
	case evUp:
		s.workerUp(ev.a)
	case evGone:
		s.gone(ev.a)
	case evDetect:
		s.detect(ev.a, ev.b)
	case evRelease:
		s.release(ev.a)
	case evReplace:
		s.replace(ev.a)
	case evCopy:
		s.copyDue(ev.a, ev.b)
	case evNotice:
		s.notice(ev.a)
	case evLifeEnd:
		s.lifeEnd(ev.a, ev.b)
	case evArrive:
		s.arrive(ev.a)
	case evIdle:
		s.idleDue(ev.a, ev.b)
	}
}

// finish sums the run up.
func (s *Sim) finish() {
	s.res.MakespanMs = s.lastEnd()
	for i := range s.workers {
		w := &s.workers[i]
		s.res.SlotMs += int64(w.last-w.first) * max(0, min(w.gone, s.now)-w.from)
	}
	switch {
	case s.res.Outcome != "":
	case s.jobsLeft > 0:
		s.res.Outcome = Stalled
	default:
		s.res.Outcome = Done
	}
}

// lastEnd is when the last job ended, as far as jobs did.
func (s *Sim) lastEnd() int64 {
	end := int64(0)
	for j := range s.jobs {
		end = max(end, s.jobs[j].end)
	}
	return end
}
