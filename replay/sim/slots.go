package sim

import "slices"

// The slots' side: which piece runs where, after Spark's TaskSchedulerImpl and
// TaskSetManager.

// enqueue puts a stage with pending tasks in its place among the others.
func (s *Sim) enqueue(st int32) {
	x := &s.stages[st]
	if x.queued || x.pending == 0 {
		return
	}
	x.queued = true
	i := len(s.runnable)
	s.runnable = append(s.runnable, st)
	for ; i > 0 && s.order(s.runnable[i-1], st) > 0; i-- {
		s.runnable[i] = s.runnable[i-1]
	}
	s.runnable[i] = st
}

func (s *Sim) unqueue(st int32) {
	if !s.stages[st].queued {
		return
	}
	s.stages[st].queued = false
	for i, r := range s.runnable {
		if r == st {
			s.runnable = append(s.runnable[:i], s.runnable[i+1:]...)
			return
		}
	}
}

// take takes the next piece of a stage for a worker: one whose cached blocks are
// there, else the last one that was queued again, else one whose blocks are
// nowhere, else the first that was never launched.
func (s *Sim) take(st, worker int32) int32 {
	x := &s.stages[st]
	x.pending--
	if x.pending == 0 {
		s.unqueue(st)
	}
	if t := s.takeNear(x, worker); t >= 0 {
		return t
	}
	for n := len(x.stack); n > 0; n = len(x.stack) {
		t := x.stack[n-1]
		x.stack = x.stack[:n-1]
		if s.tasks[t] == taskPending {
			return t
		}
	}
	if t := s.takeNear(x, nowhere); t >= 0 {
		return t
	}
	t := x.next
	for s.tasks[t] != taskPending {
		t++
	}
	x.next = t + 1
	return t
}

// queueAgain puts a piece of the running attempt back on the list, on top.
func (s *Sim) queueAgain(st, task int32) {
	x := &s.stages[st]
	s.tasks[task] = taskPending
	x.pending++
	if task < x.next { // else the cursor still comes by
		x.stack = append(x.stack, task)
	}
	s.enqueue(st)
}

// assign gives pending tasks to free slots: passes over the workers in random
// order, one task each a pass, until there are no more tasks or slots.
func (s *Sim) assign() {
	for len(s.runnable) > 0 && len(s.idle) > 0 {
		if s.opt.InOrder {
			s.sortIdle()
		}
		n := int32(len(s.idle))
		for i := int32(0); i < n && len(s.runnable) > 0; i++ {
			if !s.opt.InOrder {
				s.swapIdle(i, i+s.rand.below(n-i))
			}
			w := &s.workers[s.idle[i]]
			if s.opt.IdleMs > 0 {
				w.busy++
			}
			slot := w.free
			w.free = s.slots[slot].next
			s.launch(slot)
			if s.slots[slot].end < Never {
				s.q.push(key(s.slots[slot].end, slot))
			}
		}
		for i := int32(0); i < int32(len(s.idle)); {
			if s.workers[s.idle[i]].free < 0 {
				s.notIdle(s.idle[i])
			} else {
				i++
			}
		}
	}
	if len(s.away) > 0 && len(s.runnable) > 0 {
		s.callBack()
	}
}

func (s *Sim) swapIdle(i, j int32) {
	s.idle[i], s.idle[j] = s.idle[j], s.idle[i]
	s.workers[s.idle[i]].place, s.workers[s.idle[j]].place = i, j
}

func (s *Sim) sortIdle() {
	slices.Sort(s.idle)
	for i, w := range s.idle {
		s.workers[w].place = int32(i)
	}
}

func (s *Sim) notIdle(w int32) {
	i := s.workers[w].place
	if i < 0 {
		return
	}
	last := int32(len(s.idle) - 1)
	s.swapIdle(i, last)
	s.idle = s.idle[:last]
	s.workers[w].place = -1
}

// free puts a slot on its worker's list.
func (s *Sim) free(slot int32) {
	sl := &s.slots[slot]
	sl.end = -1
	w := &s.workers[sl.worker]
	if s.opt.IdleMs > 0 {
		if w.busy = max(0, w.busy-1); w.busy == 0 && w.up {
			s.idleFrom(sl.worker)
		}
	}
	if !w.up {
		return
	}
	sl.next, w.free = w.free, slot
	if w.place < 0 {
		w.place = int32(len(s.idle))
		s.idle = append(s.idle, sl.worker)
	}
}

// launch starts the next piece on a slot. Its end is in the slot; the caller
// puts it on the queue.
func (s *Sim) launch(slot int32) {
	st := s.runnable[0]
	task := s.take(st, s.slots[slot].worker)
	x, sl := &s.stages[st], &s.slots[slot]
	s.tasks[task] = taskRunning
	dur, pre := int64(s.run.DurMs[task]), int64(s.run.PreMs[task])
	if sl.stage != st || sl.attempt != x.attempt {
		sl.stage, sl.attempt = st, x.attempt
		if e := s.entry(slot, st); e != (Entry{}) {
			pre, dur = int64(e.PreMs), dur+int64(e.DurMs)
		}
	}
	if pre < 0 { // the coordinator freed the slot before it noted the end
		dur, pre = max(dur+pre, 0), 0
	}
	sl.task, sl.out, sl.why, sl.extra = task, endSuccess, WhyFirst, 0
	sl.start = s.now + pre
	if len(s.run.Stages[st].Reads) > 0 {
		s.reading = max(s.reading, s.fetchesUntil(sl))
	}
	if s.run.Flags[task] != 0 || s.troubled {
		dur = s.special(slot, dur)
	}
	sl.end = sl.start + dur
	s.res.Events++
	if s.opt.Trace {
		s.traceLaunch(slot)
	}
	if s.troubled {
		s.inspect(slot)
	}
}

// entry is what the first piece of a stage attempt on a slot takes more: the
// stage's own entries one after the other, and on a worker on which nothing
// has ended yet its cold ones.
func (s *Sim) entry(slot, st int32) Entry {
	x, run := &s.stages[st], &s.run.Stages[st]
	w := &s.workers[s.slots[slot].worker]
	if !w.warm && !s.slots[slot].warm {
		s.slots[slot].warm = true
		switch n := len(run.Cold); {
		case n > 0:
			x.cold++
			return run.Cold[int(x.cold-1)%n]
		case w.cold:
			return Entry{s.run.Entry.PreMs, s.run.ColdMs}
		}
	}
	e := s.run.Entry
	switch n := len(run.Entries); {
	case x.attempt > 0: // its workers have run the stage before
		e.DurMs = s.run.AgainMs
	case n > 0:
		x.entered++
		e = run.Entries[int(x.entered-1)%n]
	}
	if x.crowd < 1 {
		least := min(e.DurMs, s.run.UnpackMs)
		e.DurMs = least + int32(x.crowd*float64(e.DurMs-least))
	}
	return e
}

// special is what a piece takes when it is not the plain case: it fails by
// itself, runs again, computes cached blocks or starts on a fresh worker.
func (s *Sim) special(slot int32, dur int64) int64 {
	sl := &s.slots[slot]
	task, flags := sl.task, s.run.Flags[sl.task]
	if flags&flagFails != 0 {
		n := s.tries[task]
		if list := s.run.Fails[task]; int(n) < len(list) {
			sl.out = endFail
			return int64(list[n].DurMs)
		}
	}
	if flags&flagCopy != 0 && s.ran[task] == 0 {
		c := s.run.Copies[task]
		s.at(sl.start+int64(c.AfterMs), event{evCopy, slot, task})
	}
	if s.ran[task] > 0 {
		sl.why = s.stages[sl.stage].why
		if sl.why == WhyFirst {
			sl.why = WhyOwed
		}
		if s.opt.Cluster == Recorded {
			plain := int64(s.run.DurMs[task])
			again := int64(float64(plain) * s.run.AgainShare)
			if ms, ok := s.run.Again[task]; ok {
				again = int64(ms)
			}
			dur = max(0, dur-plain+again)
		}
	} else if s.wasLost[task] != 0 {
		sl.why = s.wasLost[task]
	}
	if s.hasCache(sl.stage) {
		extra, again := s.cacheExtra(sl.stage, task)
		sl.extra = int32(again)
		dur = max(dur+extra, 0)
	}
	return dur
}

// slotEvent is the end of an attempt, or a stale note of one that ended
// otherwise. The event is still at the head of the queue.
func (s *Sim) slotEvent(slot int32) {
	sl := &s.slots[slot]
	if sl.end != s.now {
		s.q.pop()
		return
	}
	s.res.Events++
	if sl.out != endSuccess {
		s.q.pop()
		s.failed(slot)
		return
	}
	s.succeeded(slot)
	if len(s.runnable) > 0 && s.workers[sl.worker].up {
		s.launch(slot)
		if sl.end < Never {
			s.q.replace(key(sl.end, slot))
		} else {
			s.q.pop()
		}
		return
	}
	s.q.pop()
	s.free(slot)
}

// succeeded takes note of a piece that was made.
func (s *Sim) succeeded(slot int32) {
	sl := &s.slots[slot]
	st, task := sl.stage, sl.task
	x, run := &s.stages[st], &s.run.Stages[st]
	if s.opt.Trace {
		s.traceEnd(slot, "success")
	}
	if s.ran[task] > 0 {
		s.res.RerunTasks++
		s.res.RerunMs += s.now - sl.start
	} else {
		x.done++
	}
	s.workers[sl.worker].warm = true
	if s.ran[task] < 255 {
		s.ran[task]++
	}
	if run.Makes >= 0 {
		s.register(run.Makes, task-run.First, sl.worker)
	}
	if s.hasCache(st) {
		s.res.CachedMs += int64(sl.extra)
		s.cacheMade(st, task, sl.worker)
	}
	if x.attempt != sl.attempt && !s.run.Rules.ZombieMarks {
		return
	}
	switch s.tasks[task] {
	case taskPending:
		if x.status != stageRunning {
			return
		}
		x.pending--
		if x.pending == 0 {
			s.unqueue(st)
		}
	case taskRunning:
	default:
		return
	}
	s.tasks[task] = taskDone
	if x.left--; x.left == 0 && x.status == stageRunning {
		s.stageDone(st)
	}
}

// failed is the end of an attempt without success.
func (s *Sim) failed(slot int32) {
	sl := &s.slots[slot]
	switch sl.out {
	case endFetch:
		s.res.Interrupted++
		s.res.InterruptedMs += s.now - sl.start
		s.wasLost[sl.task] = WhyInterrupted
		if s.opt.Trace {
			s.traceEnd(slot, "fetch_failed")
		}
		s.fetchFailed(slot)
	case endFail:
		if s.opt.Trace {
			s.traceEnd(slot, "failed")
		}
		s.countFail(slot)
	case endCopy:
		if s.opt.Trace {
			s.traceEnd(slot, "killed")
		}
	}
	s.free(slot)
	s.assign()
}

// countFail is a failure of a task by itself: it is tried again until the
// budget is spent.
func (s *Sim) countFail(slot int32) {
	sl := &s.slots[slot]
	list := s.run.Fails[sl.task]
	s.tries[sl.task]++
	n := int(s.tries[sl.task])
	counted := 0
	for i := 0; i < min(n, len(list)); i++ {
		if list[i].Counts {
			counted++
		}
	}
	if counted >= s.run.Rules.TaskFailures {
		s.failJob(sl.stage)
		return
	}
	s.again(slot)
}

// again puts the piece of an attempt that came to nothing back on the list,
// unless its attempt of the stage is over.
func (s *Sim) again(slot int32) {
	sl := &s.slots[slot]
	x := &s.stages[sl.stage]
	if x.status == stageRunning && x.attempt == sl.attempt && s.tasks[sl.task] == taskRunning {
		s.queueAgain(sl.stage, sl.task)
	}
}

// endEarly ends what runs on a slot now, to no avail.
func (s *Sim) endEarly(slot int32, status string) {
	if s.opt.Trace {
		s.traceEnd(slot, status)
	}
	s.free(slot)
}

// copyDue starts a copy of a slow attempt, if that still runs and a slot is
// free; it lasts as recorded, and at most as long as the slow one.
func (s *Sim) copyDue(slot, task int32) {
	sl := &s.slots[slot]
	if sl.end <= s.now || sl.task != task || sl.out != endSuccess || len(s.idle) == 0 || len(s.runnable) > 0 {
		return
	}
	w := s.idle[s.rand.below(int32(len(s.idle)))]
	s.workers[w].busy++
	other := s.workers[w].free
	o := &s.slots[other]
	s.workers[w].free = o.next
	if s.workers[w].free < 0 {
		s.notIdle(w)
	}
	o.task, o.stage, o.attempt, o.out, o.why = task, sl.stage, sl.attempt, endCopy, WhyFirst
	o.start = s.now
	o.end = min(s.now+int64(s.run.Copies[task].DurMs), sl.end)
	if s.opt.Trace {
		s.traceLaunch(other)
	}
	s.q.push(key(o.end, other))
}
