package sim

import "slices"

// cluster puts the workers up and plans the removals.
func (s *Sim) cluster() {
	for i := range s.run.Workers {
		w := &s.run.Workers[i]
		if w.Unused || s.opt.Cluster == Undisturbed && w.Replaces {
			continue
		}
		s.addWorker(w.Machine, w.Slots, int32(i), w.From)
	}
	if s.opt.Cluster == Recorded {
		s.removals = append(s.removals, s.run.Removals...)
	} else {
		for i := range s.run.Removals {
			if s.run.Removals[i].Release {
				s.removals = append(s.removals, s.run.Removals[i])
			}
		}
	}
	s.removals = append(s.removals, s.opt.Removals...)
	for i := range s.removals {
		s.plan(int32(i))
	}
}

// plan schedules a removal.
func (s *Sim) plan(i int32) {
	r := &s.removals[i]
	if r.Release {
		s.at(r.GoneMs, event{evRelease, i, 0})
		return
	}
	s.at(r.GoneMs, event{evGone, i, -1})
	for k, at := range r.DetectEach {
		s.at(at, event{evDetect, i, r.Workers[k]})
	}
	if r.DetectEach == nil {
		s.at(r.DetectMs, event{evDetect, i, -1})
	}
}

// addWorker adds a worker that will come up.
func (s *Sim) addWorker(machine, slots, recorded int32, from int64) int32 {
	w := int32(len(s.workers))
	first := int32(len(s.slots))
	s.workers = append(s.workers, workerState{
		machine: machine, first: first, last: first + slots, free: -1, place: -1, gone: Never, detect: Never, from: from, recorded: recorded,
		cold: recorded < 0 || s.run.Workers[recorded].Replaces,
	})
	for range slots {
		s.slots = append(s.slots, slotState{end: -1, task: -1, stage: -1, worker: w, next: -1})
	}
	if len(s.slots) >= miscBit {
		panic("sim: too many slots")
	}
	s.at(from, event{evUp, w, 0})
	return w
}

// workerUp makes a worker's slots available.
func (s *Sim) workerUp(w int32) {
	x := &s.workers[w]
	if x.gone <= s.now {
		return
	}
	x.up = true
	for i := x.last - 1; i >= x.first; i-- {
		s.free(i)
	}
	s.assign()
}

// each calls f for the live workers that a removal takes.
func (s *Sim) each(i int32, f func(w int32)) {
	r := &s.removals[i]
	for w := range s.workers {
		x := &s.workers[w]
		hit := slices.Contains(r.Workers, x.recorded) && x.recorded >= 0
		if r.Machine >= 0 && x.machine == r.Machine && x.from <= r.GoneMs && !s.ofLog(i) {
			hit = true
		}
		if hit {
			f(int32(w))
		}
	}
}

// ofLog tells whether a removal is a recorded one, which names all its workers.
func (s *Sim) ofLog(i int32) bool {
	return int(i) < len(s.removals)-len(s.opt.Removals)
}

// gone is the moment when workers vanish. What they ran hangs; what they held
// cannot be read; the coordinator does not know yet.
func (s *Sim) gone(i int32) {
	r := &s.removals[i]
	hit := false
	s.each(i, func(w int32) {
		x := &s.workers[w]
		if x.gone <= s.now {
			return
		}
		hit = true
		x.gone, x.detect, x.silent = s.now, r.DetectMs, r.Silent
		if r.DetectEach != nil {
			x.detect = s.run.Workers[x.recorded].To
		}
		for k := x.first; k < x.last; k++ {
			if sl := &s.slots[k]; sl.end >= 0 && sl.end > s.now {
				sl.out, sl.end = endHang, Never
			}
		}
		s.perish(w, true)
		if s.keeper(w) == w {
			s.perish(w, false)
		}
	})
	if !hit {
		return
	}
	s.troubled = true
	s.res.Removals++
	if r.Machine >= 0 && s.run.Rules.Service && !s.run.Rules.Remote {
		s.perish(service(r.Machine), false)
	}
	for k := range s.slots {
		if sl := &s.slots[k]; sl.end > s.now && sl.end < Never && sl.out == endSuccess {
			if s.now < sl.start+s.run.Stages[sl.stage].FetchMs+readGraceMs {
				s.inspect(int32(k))
				if sl.end < Never {
					s.q.push(key(sl.end, int32(k)))
				}
			}
		}
	}
	if s.opt.ReplaceMs >= 0 && !s.ofLog(i) {
		s.at(s.now+s.opt.ReplaceMs, event{evReplace, i, 0})
	}
}

// readGraceMs is added to the time that a stage's readers fetch in the median:
// a task is unpacked first.
const readGraceMs = 50

// inspect makes an attempt fail that cannot read what it needs. Worker by
// worker that is gone the reader finds out in its own time; the first counts.
func (s *Sim) inspect(slot int32) {
	sl := &s.slots[slot]
	if w := &s.workers[sl.worker]; w.gone <= s.now { // nobody knows yet that it is gone
		sl.out, sl.end = endHang, Never
		return
	}
	fail, by := s.unreadable(s.run.Stages[sl.stage].Reads, sl.stage, sl.task, max(sl.start, s.now))
	if fail < Never {
		sl.out, sl.end, sl.by = endFetch, fail, by
	}
}

// unreadable is when a reader that begins to fetch at t notices that it cannot
// read one of its inputs: Never when it can read them all.
func (s *Sim) unreadable(reads []int32, st, task int32, t int64) (fail int64, by int32) {
	fail, by = Never, nowhere
	for _, d := range reads {
		x := &s.run.Datasets[d]
		if x.Cache {
			gone := false
			s.blocks(d, st, task, func(p int32) { gone = gone || s.where[x.Base+p] == nowhere || s.dead[x.Base+p] != 0 })
			if gone {
				if f, b := s.unreadable(x.Inputs, st, task, t); f < fail {
					fail, by = f, b
				}
			}
			continue
		}
		if s.holes[d] == 0 {
			continue
		}
		for p := x.Base; p < x.Base+x.Pieces; p++ {
			if s.dead[p] == 0 || !s.fetches(st, task, p) {
				continue
			}
			if f := s.noticed(s.where[p], t); f < fail {
				fail, by = f, s.where[p]
			}
		}
	}
	return fail, by
}

// fetches tells whether a reader needs an output: on a sparse edge by a draw
// that is fixed for the pair.
func (s *Sim) fetches(st, task, piece int32) bool {
	d := s.run.Stages[st].Density
	if d >= 0.98 {
		return true
	}
	return float64(mix(uint64(task)<<32|uint64(uint32(piece)))>>11)/(1<<53) < d
}

// noticed is when a reader that begins to fetch at t has given up on an output
// at a place that is gone.
//   - A place that is off the list, or a process that is dead on a machine that
//     answers: the connection is refused. A coordinator that can be asked tells
//     that the worker is dead, as soon as it knows; otherwise all tries are made.
//   - A machine that does not answer: the request runs into its timeout, then
//     each further try does.
func (s *Sim) noticed(place int32, t int64) int64 {
	r := &s.run.Rules
	at := t + r.FetchFailMs
	if place < 0 {
		return at
	}
	w := &s.workers[place]
	step := int64(0)
	if w.silent {
		step = r.FetchTimeoutMs
		at += step
	}
	for k := 0; k < r.FetchRetries; k++ {
		if r.AsksDriver && w.detect <= at && (k > 0 || !w.silent) {
			break
		}
		at += r.FetchWaitMs + step
	}
	return at
}

// detect is when the coordinator gives the workers of a removal up, all of
// them or only one.
func (s *Sim) detect(i, recorded int32) {
	s.each(i, func(w int32) {
		if recorded < 0 || s.workers[w].recorded == recorded {
			s.giveUp(w)
		}
	})
	s.assign()
}

// giveUp: outputs of running map stages are queued again at once, needed or
// not; running attempts are lost; all outputs are taken off the list.
func (s *Sim) giveUp(w int32) {
	x := &s.workers[w]
	if x.gone > s.now || x.unlisted && !x.up {
		return
	}
	x.up = false
	s.notIdle(w)
	x.free = -1
	if s.keeper(w) == w && s.run.Rules.ResubmitRunning {
		s.requeueMade(w)
	}
	for k := x.first; k < x.last; k++ {
		sl := &s.slots[k]
		if sl.end < 0 {
			continue
		}
		s.res.InFlightTasks++
		s.res.InFlightMs += max(0, s.now-sl.start)
		if s.ran[sl.task] == 0 {
			s.wasLost[sl.task] = WhyInFlight
		}
		if s.opt.Trace {
			s.trace(k, "worker_lost")
		}
		s.again(k)
		sl.end = -1
	}
	s.unregister(w, true, s.keeper(w) == w)
	x.unlisted = true
}

// requeueMade queues the pieces of running map stages again that were made on
// a worker in the running attempt.
func (s *Sim) requeueMade(w int32) {
	for st := range s.stages {
		x, run := &s.stages[st], &s.run.Stages[st]
		if x.status != stageRunning || run.Makes < 0 || x.left == 0 {
			continue
		}
		base := s.run.Datasets[run.Makes].Base
		for t := run.First; t < run.Last; t++ {
			if s.tasks[t] == taskDone && s.where[base+t-run.First] == w {
				x.left++
				x.why = WhyOwed
				s.queueAgain(int32(st), t)
			}
		}
	}
}

// fetchFailed: the reader's stage stops launching, what it runs goes on, and
// after a while it is submitted again behind the inputs that must be repaired.
// The coordinator takes all outputs of the worker that could not serve off its
// list.
func (s *Sim) fetchFailed(slot int32) {
	sl := &s.slots[slot]
	x := &s.stages[sl.stage]
	if x.attempt != sl.attempt {
		return // a newer attempt runs: ignored
	}
	if s.tasks[sl.task] == taskRunning {
		s.tasks[sl.task] = taskIdle
	}
	if by := sl.by; by >= 0 && !s.workers[by].unlisted {
		s.workers[by].unlisted = true
		s.unregister(by, true, true)
	} else if by < nowhere && by != durable {
		s.unregister(by, false, true)
	}
	if x.status != stageRunning {
		return
	}
	s.unqueue(sl.stage)
	x.status = stageFailed
	x.pending, x.stack = 0, x.stack[:0]
	if x.failed++; int(x.failed) >= s.run.Rules.StageFailures {
		s.failJob(sl.stage)
		return
	}
	s.failing = append(s.failing, sl.stage)
	if !s.resubmit {
		s.resubmit = true
		s.at(s.now+s.run.Rules.ResubmitMs, event{evResubmit, 0, 0})
	}
}

// release is a worker's leaving by choice: it gets no more tasks, what it runs
// ends, and what it held is gone.
func (s *Sim) release(i int32) {
	s.each(i, func(w int32) {
		x := &s.workers[w]
		if x.gone <= s.now {
			return
		}
		s.troubled = true
		x.gone, x.detect = s.now, s.now
		s.perish(w, true)
		if s.keeper(w) == w {
			s.perish(w, false)
		}
		s.giveUp(w)
	})
	s.assign()
}

// replace brings fresh workers in place of those that a removal took.
func (s *Sim) replace(i int32) {
	n := int32(len(s.workers))
	for w := range n {
		x := &s.workers[w]
		r := &s.removals[i]
		if x.gone == r.GoneMs && (r.Machine < 0 && slices.Contains(r.Workers, x.recorded) || r.Machine >= 0 && x.machine == r.Machine) {
			s.addWorker(x.machine, x.last-x.first, -1, s.now)
		}
	}
}
