package sim

import (
	"cmp"
	"slices"
)

// cluster puts the workers up and plans the removals.
func (s *Sim) cluster() {
	absent, without := map[int32]bool{}, map[int32]bool{}
	for _, r := range s.opt.Without {
		without[r] = true
		for _, w := range s.run.Removals[r].Workers {
			absent[s.run.Workers[w].ReplacedBy] = true
		}
	}
	for i := range s.run.Workers {
		w := &s.run.Workers[i]
		if absent[int32(i)] || w.Unused || s.opt.Cluster == Undisturbed && w.Replaces {
			continue
		}
		s.addWorker(w.Machine, w.Slots, int32(i), w.From)
	}
	for i := range s.run.Removals {
		if r := &s.run.Removals[i]; (s.opt.Cluster == Recorded || r.Release) && !without[int32(i)] {
			s.removals = append(s.removals, *r)
		}
	}
	s.removals = append(s.removals, s.opt.Removals...)
	for i := range s.removals {
		s.plan(int32(i))
	}
	for _, a := range s.opt.Arrivals {
		s.at(a.AtMs, event{evArrive, a.Machine, 0})
	}
}

// plan schedules a removal.
func (s *Sim) plan(i int32) {
	r := &s.removals[i]
	if r.Release {
		if r.NoticeMs < r.GoneMs {
			s.at(r.NoticeMs, event{evNotice, i, 0})
		}
		s.at(r.GoneMs, event{evRelease, i, 0})
		return
	}
	if r.NoticeMs < r.GoneMs && s.opt.Drain {
		s.at(r.NoticeMs, event{evNotice, i, 0})
	}
	s.at(r.GoneMs, event{evGone, i, 0})
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
		machine: machine, first: first, last: first + slots, free: -1, place: -1, gone: Never, detect: Never, lostAt: Never, removal: -1, from: from, recorded: recorded,
		cold: recorded < 0 || s.run.Workers[recorded].Replaces,
	})
	s.onMachine[machine] = append(s.onMachine[machine], w)
	if recorded >= 0 {
		s.ofLog[recorded] = w
	}
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
	if x.gone <= s.now || x.up {
		return
	}
	x.up = true
	s.step(StepWorkerUp, w, 0)
	for i := x.last - 1; i >= x.first; i-- {
		s.free(i)
	}
	if !s.machines[x.machine].alive {
		s.live(x.machine)
	}
	s.assign()
}

// taken are the workers that a removal takes, in their order. Removals of the
// log name their workers; others take a machine with all that is on it then.
func (s *Sim) taken(r *Removal) []int32 {
	var all []int32
	if r.Machine >= 0 && r.DetectEach == nil {
		for _, w := range s.onMachine[r.Machine] {
			if s.workers[w].from <= r.GoneMs {
				all = append(all, w)
			}
		}
		return all
	}
	for _, recorded := range r.Workers {
		if w := s.ofLog[recorded]; w >= 0 {
			all = append(all, w)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// notice: a machine that will be withdrawn gets no more pieces.
func (s *Sim) notice(i int32) {
	r := s.removals[i]
	for _, w := range s.taken(&r) {
		if x := &s.workers[w]; x.gone > s.now {
			x.up = false
			x.free = -1
			s.notIdle(w)
		}
	}
}

// gone is the moment when workers vanish. What they ran hangs; what they held
// cannot be read; the coordinator does not know yet.
func (s *Sim) gone(i int32) {
	r := s.removals[i]
	hit := false
	all := s.taken(&r)
	for _, w := range all {
		x := &s.workers[w]
		if x.gone <= s.now {
			continue
		}
		hit = true
		x.gone, x.detect, x.silent, x.removal = s.now, r.DetectMs, r.Silent, i
		if r.DetectEach != nil {
			x.detect = s.run.Workers[x.recorded].To
		}
		for k := x.first; k < x.last; k++ {
			if sl := &s.slots[k]; sl.end > s.now {
				sl.out, sl.end = endHang, Never
			}
		}
	}
	if !hit {
		return
	}
	s.troubled = true
	s.res.Removals++
	if s.opt.MoveBytesPerS > 0 && r.NoticeMs < r.GoneMs {
		s.moveAway(&r)
	}
	isLess := false // readers can only fail by what is gone now
	for _, w := range all {
		if s.workers[w].gone == s.now {
			isLess = s.perish(w, i) || isLess
		}
	}
	if r.Machine >= 0 {
		isLess = s.perish(service(r.Machine), i) || isLess
		s.machines[r.Machine].alive = false
	}
	if isLess {
		s.interrupt()
	}
	if s.opt.ReplaceMs >= 0 && r.DetectEach == nil {
		s.at(s.now+s.opt.ReplaceMs, event{evReplace, i, 0})
	}
}

// interrupt looks at the readers that may still be fetching.
func (s *Sim) interrupt() {
	if s.now >= s.reading {
		return
	}
	for k := range s.slots {
		sl := &s.slots[k]
		if sl.end <= s.now || sl.end >= Never || sl.out != endSuccess || s.now >= s.fetchesUntil(sl) {
			continue
		}
		s.inspect(int32(k))
		if sl.out == endFetch {
			s.q.push(key(sl.end, int32(k)))
		}
	}
}

// fetchesUntil is how long an attempt may still be fetching.
func (s *Sim) fetchesUntil(sl *slotState) int64 {
	return sl.start + s.run.Stages[sl.stage].FetchMs + readGraceMs
}

// readGraceMs is added to the time that a stage's readers fetch in the median:
// a task is unpacked first.
const readGraceMs = 50

// moveAway copies outputs that are still needed off a machine that goes, as
// many as the notice allows: those that are dearest to make again per byte
// first. All the machine's outputs of the moment of its end are looked at, also
// those that were made within the notice.
func (s *Sim) moveAway(r *Removal) {
	type piece struct {
		d, p, cost int32
		bytes      int64
	}
	var list []piece
	for d := range s.run.Datasets {
		x := &s.run.Datasets[d]
		if x.Bytes == nil || x.Maker < 0 || !s.needed(int32(d)) {
			continue
		}
		for k := range x.Pieces {
			p := x.Base + k
			if w := s.where[p]; w == service(r.Machine) && r.Machine >= 0 || w >= 0 && s.workers[w].gone == s.now {
				list = append(list, piece{int32(d), p, s.run.DurMs[s.run.Stages[x.Maker].First+k], x.Bytes[k]})
			}
		}
	}
	slices.SortFunc(list, func(x, y piece) int {
		return cmp.Or(cmp.Compare(float64(y.cost)/float64(y.bytes+1), float64(x.cost)/float64(x.bytes+1)), cmp.Compare(x.p, y.p))
	})
	room := int64(s.opt.MoveBytesPerS * float64(r.GoneMs-r.NoticeMs) / 1000)
	for _, q := range list {
		if q.bytes > room {
			continue
		}
		to := s.elsewhere(s.anyOf(r))
		if to == nowhere {
			return
		}
		room -= q.bytes
		s.res.MovedBytes += q.bytes
		s.put(q.p, to)
	}
}

// anyOf is a worker that a removal takes.
func (s *Sim) anyOf(r *Removal) int32 {
	if all := s.taken(r); len(all) > 0 {
		return all[0]
	}
	return 0
}

// needed tells whether a stage that reads a data set has still to run or runs.
func (s *Sim) needed(d int32) bool {
	for _, st := range s.readers[d] {
		if !s.complete(st) {
			return true
		}
	}
	return false
}

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
			s.blocks(d, st, task, func(p int32) { gone = gone || s.isMissing(x.Base+p) })
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
			if s.dead[p]&pieceGone == 0 || !s.fetches(st, task, p) {
				continue
			}
			if f := s.noticed(s.stood[p], t); f < fail {
				fail, by = f, s.stood[p]
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
// that stood at a place which is gone. Readers of a running stage go to the old
// place even when the coordinator knows better.
//   - A process that is dead on a machine that answers: the connection is
//     refused. A coordinator that can be asked tells that the worker is dead, as
//     soon as it knows; otherwise all tries are made.
//   - A machine that does not answer: the request runs into its timeout, and if
//     the coordinator does not know by then, each further try does.
//   - A service that is gone with its machine: all tries are made, since nobody
//     can tell that a service is dead (ExternalBlockStoreClient.fetchBlocks).
func (s *Sim) noticed(place int32, t int64) int64 {
	r := &s.run.Rules
	at := t + r.FetchFailMs
	if place <= service(0) && place != durable {
		step := int64(0)
		if s.silent(service(0) - place) {
			step = r.FetchTimeoutMs
		}
		return t + readGraceMs + step + int64(r.FetchRetries)*(r.FetchWaitMs+step)
	}
	if place < 0 {
		return at
	}
	w := &s.workers[place]
	step := int64(0)
	if w.silent {
		step = r.FetchTimeoutMs
		at += step
		if r.AsksDriver && w.detect <= t {
			return at
		}
		// The first request went out on a connection that stood: nobody is asked.
		at += r.FetchWaitMs + step
	}
	for k := 0; k < r.FetchRetries; k++ {
		if r.AsksDriver && w.detect <= at || w.silent && k == r.FetchRetries-1 {
			break
		}
		at += r.FetchWaitMs + step
	}
	return at
}

// silent tells whether a machine vanished without closing its connections.
func (s *Sim) silent(machine int32) bool {
	for _, w := range s.onMachine[machine] {
		if s.workers[w].silent {
			return true
		}
	}
	return false
}

// detect is when the coordinator gives the workers of a removal up, all of
// them or only one.
func (s *Sim) detect(i, recorded int32) {
	r := s.removals[i]
	for _, w := range s.taken(&r) {
		if x := &s.workers[w]; x.gone <= r.GoneMs && (recorded < 0 || x.recorded == recorded) {
			s.giveUp(w)
		}
	}
	if r.Machine >= 0 && s.run.Rules.HostWide {
		s.unregister(service(r.Machine))
	}
	s.assign()
}

// giveUp: outputs of running map stages are queued again at once, needed or
// not; running attempts are lost; all outputs are taken off the list.
func (s *Sim) giveUp(w int32) {
	x := &s.workers[w]
	if x.givenUp {
		return
	}
	x.givenUp, x.up, x.lostAt = true, false, s.now
	s.step(StepWorkerLost, w, x.removal)
	s.notIdle(w)
	x.free = -1
	if s.run.Rules.ResubmitRunning {
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
		s.blameFor(sl.task, x.removal)
		if s.opt.Trace {
			s.traceEnd(k, "worker_lost")
		}
		s.again(k)
		sl.end = -1
	}
	s.unregister(w)
	x.unlisted = true
}

// requeueMade queues the pieces of running map stages again that were made on
// a worker in the running attempt.
func (s *Sim) requeueMade(w int32) {
	type piece struct{ st, task int32 }
	var list []piece
	for _, p := range s.heldBy(w) {
		d := s.ofPiece[p]
		for _, st := range s.makers[d] {
			x, run := &s.stages[st], &s.run.Stages[st]
			if t := run.First + p - s.run.Datasets[d].Base; x.status == stageRunning && x.left > 0 && t < run.Last && s.tasks[t] == taskDone {
				list = append(list, piece{st, t})
			}
		}
	}
	slices.SortFunc(list, func(x, y piece) int { return cmp.Or(cmp.Compare(x.st, y.st), cmp.Compare(x.task, y.task)) })
	for _, q := range list {
		x := &s.stages[q.st]
		x.left++
		x.why = WhyOwed
		if s.opt.Trace {
			s.step(StepAgain, s.maker[q.task], 0)
		}
		s.queueAgain(q.st, q.task)
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
	if sl.by >= 0 {
		s.blameFor(sl.task, s.workers[sl.by].removal)
	}
	switch by := sl.by; {
	case by >= 0 && !s.workers[by].unlisted:
		s.workers[by].unlisted = true
		s.unregister(by)
	case by < nowhere && by != durable:
		s.unregister(by)
	}
	if x.status != stageRunning {
		return
	}
	s.unqueue(sl.stage)
	s.step(StepStageFail, sl.stage, x.attempt)
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

// release is a worker's leaving by choice, not before what it still runs has
// ended: a worker that was not told keeps getting pieces as long as there are.
// What it held is gone, at once and known, unless it was handed on.
func (s *Sim) release(i int32) {
	r := s.removals[i]
	busy := int64(0)
	for _, w := range s.taken(&r) {
		if x := &s.workers[w]; x.gone > s.now {
			for k := x.first; k < x.last; k++ {
				busy = max(busy, s.slots[k].end)
			}
		}
	}
	if busy > s.now && busy < Never {
		s.at(busy, event{evRelease, i, 0})
		return
	}
	isLess := false
	for _, w := range s.taken(&r) {
		x := &s.workers[w]
		if x.gone <= s.now {
			continue
		}
		x.up = false
		if r.Moves {
			s.handOn(w)
		}
		s.troubled = true
		x.gone, x.detect, x.removal = s.now, s.now, i
		isLess = s.perish(w, i) || isLess
		s.giveUp(w)
	}
	if isLess {
		s.interrupt()
	}
	s.assign()
}

// handOn copies all that a worker holds to others.
func (s *Sim) handOn(w int32) {
	for _, p := range s.heldBy(w) {
		if to := s.elsewhere(w); to != nowhere {
			s.put(p, to)
		}
	}
}

// replace brings fresh workers in place of those that a removal took.
func (s *Sim) replace(i int32) {
	r := s.removals[i]
	for _, w := range s.taken(&r) {
		if x := &s.workers[w]; x.gone == r.GoneMs {
			machine, slots := x.machine, x.last-x.first
			if !s.machines[machine].alive {
				s.machines[machine].incarnation++
			}
			s.addWorker(machine, slots, -1, s.now)
		}
	}
}

// arrive brings a machine back that is gone, with fresh workers.
func (s *Sim) arrive(m int32) {
	if s.machines[m].alive {
		return
	}
	s.machines[m].incarnation++
	for i := range s.run.Workers {
		if w := &s.run.Workers[i]; w.Machine == m && !w.Replaces && !w.Unused {
			s.addWorker(m, w.Slots, -1, s.now)
		}
	}
}
