package sim

import "slices"

// The coordinator's side: which stages run, after Spark's DAGScheduler.

// submitJob starts a job.
func (s *Sim) submitJob(j int32) {
	js, job := &s.jobs[j], &s.run.Jobs[j]
	js.submitted, js.submit = true, s.now
	s.step(StepJob, j, 0)
	if job.Cut {
		s.at(s.now+job.LengthMs, event{evJobEnd, j, 0})
	}
	if job.Final < 0 {
		if !job.Cut {
			s.at(s.now+job.LengthMs, event{evJobEnd, j, 0})
		}
		return
	}
	if s.complete(job.Final) { // a shuffle that is there already
		s.at(s.now+job.EndGapMs, event{evJobEnd, j, 0})
		return
	}
	s.want(job.Final, j)
	s.assign()
}

// complete tells whether all that a stage makes is there.
func (s *Sim) complete(st int32) bool {
	x := &s.run.Stages[st]
	if x.Makes >= 0 {
		return s.have[x.Makes] >= s.run.Datasets[x.Makes].Pieces
	}
	return s.stages[st].done >= x.Tasks()
}

// want asks for a stage: it is submitted when its inputs are there, and they
// are asked for first. A stage that is wanted already keeps its place, or moves
// up to an earlier job.
func (s *Sim) want(st, rank int32) {
	x := &s.stages[st]
	if rank < x.rank {
		x.rank = rank
		if x.queued {
			s.unqueue(st)
			s.enqueue(st)
		}
	}
	if x.status != stageIdle {
		return
	}
	missing := s.missing(st)
	if len(missing) == 0 {
		x.status = stageSubmitting
		gap := s.run.Stages[st].SubmitGapMs
		if x.attempt >= 0 {
			gap = 0
		}
		s.at(s.now+gap, event{evStage, st, 0})
		return
	}
	x.status = stageWaiting
	if !x.listed {
		x.listed = true
		s.waiting = append(s.waiting, st)
	}
	why := WhyOwed
	if s.repeats(st) {
		why = WhyClimb
	}
	for _, d := range missing {
		m := s.run.Datasets[d].Maker
		if s.stages[m].status == stageIdle || s.stages[m].status == stageFailed {
			s.stages[m].why = why
		}
		s.want(m, rank)
	}
}

// repeats tells whether a stage would only run pieces that had succeeded.
func (s *Sim) repeats(st int32) bool {
	x := &s.run.Stages[st]
	if s.stages[st].attempt < 0 || x.Makes < 0 {
		return false
	}
	d := &s.run.Datasets[x.Makes]
	for p := range d.Pieces {
		if s.where[d.Base+p] == nowhere && s.ran[x.First+p] == 0 {
			return false
		}
	}
	return true
}

// missing lists the shuffles that must be made before a stage can run: those
// that are not complete among what it reads, caches that are complete cutting
// the way down. The slice is the caller's.
func (s *Sim) missing(st int32) []int32 {
	var buf [8]int32
	return s.missingAmong(s.run.Stages[st].Reads, buf[:0])
}

func (s *Sim) missingAmong(reads, out []int32) []int32 {
	for _, d := range reads {
		x := &s.run.Datasets[d]
		switch {
		case s.have[d] >= x.Pieces:
		case x.Cache:
			out = s.missingAmong(x.Inputs, out)
		case x.Maker >= 0 && !slices.Contains(out, d):
			out = append(out, d)
		}
	}
	return out
}

// openStage submits an attempt of a stage: all pieces that are missing.
func (s *Sim) openStage(st int32) {
	x, run := &s.stages[st], &s.run.Stages[st]
	if x.status != stageSubmitting {
		return
	}
	if s.troubled && len(s.missing(st)) > 0 { // lost while the coordinator was at it
		x.status = stageIdle
		s.want(st, x.rank)
		return
	}
	x.attempt++
	x.status = stageRunning
	x.left, x.pending, x.next, x.entered, x.cold, x.stack = 0, 0, run.First, 0, 0, x.stack[:0]
	if x.attempt == 0 {
		x.left = run.Tasks()
		x.pending = x.left
		for t := run.First; t < run.Last; t++ {
			s.tasks[t] = taskPending
		}
	} else {
		s.reopen(st)
	}
	x.crowd = s.crowdOf(st)
	if run.Cached {
		s.sortByBlocks(st)
	}
	if s.opt.Trace {
		job := x.rank
		if job == never32 {
			job = -1
		}
		s.res.Steps = append(s.res.Steps, Step{s.now, StepStage, st, x.attempt, job, x.left})
	}
	if x.left == 0 {
		s.endStage(st, x.attempt)
		return
	}
	s.enqueue(st)
	s.assign()
}

// crowdOf tells how many slots begin an attempt at once, as a share of those that
// did in the log. What the first piece on a slot takes longer is mostly waiting
// for what all of them want at the same moment: the stage's code from the
// coordinator, and processors. With fewer of them each waits less.
func (s *Sim) crowdOf(st int32) float64 {
	run := &s.run.Stages[st]
	then := len(run.Entries) + len(run.Cold)
	if then == 0 {
		return 1
	}
	return min(float64(min(s.stages[st].left, s.slotsUp()))/float64(then), 1)
}

// slotsUp is how many slots the coordinator can give pieces to, taken or not.
func (s *Sim) slotsUp() (n int32) {
	for i := range s.workers {
		if w := &s.workers[i]; w.up {
			n += w.last - w.first
		}
	}
	return n
}

// reopen lists what a further attempt has to run.
func (s *Sim) reopen(st int32) {
	x, run := &s.stages[st], &s.run.Stages[st]
	if run.Makes >= 0 && s.run.Datasets[run.Makes].Rollback {
		s.rollBack(run.Makes)
	}
	for t := run.First; t < run.Last; t++ {
		if s.pieceMissing(st, t) {
			s.tasks[t] = taskPending
			x.left++
			x.pending++
		} else {
			s.tasks[t] = taskIdle
		}
	}
}

// pieceMissing tells whether a stage still has to make a piece.
func (s *Sim) pieceMissing(st, task int32) bool {
	run := &s.run.Stages[st]
	if run.Makes >= 0 {
		return s.where[s.run.Datasets[run.Makes].Base+task-run.First] == nowhere
	}
	return s.ran[task] == 0
}

// rollBack takes all pieces of a shuffle that must be made again in whole.
func (s *Sim) rollBack(d int32) {
	x := &s.run.Datasets[d]
	if s.have[d] >= x.Pieces {
		return
	}
	for p := x.Base; p < x.Base+x.Pieces; p++ {
		s.put(p, nowhere)
	}
	s.have[d] = 0
}

// stageDone is called when the last piece of an attempt has succeeded.
func (s *Sim) stageDone(st int32) {
	s.at(s.now+s.run.Stages[st].EndGapMs, event{evStageEnd, st, s.stages[st].attempt})
}

// endStage ends an attempt whose pieces have all succeeded.
func (s *Sim) endStage(st, attempt int32) {
	x := &s.stages[st]
	if x.status != stageRunning || x.attempt != attempt || x.left > 0 {
		return
	}
	s.unqueue(st)
	s.step(StepStageEnd, st, attempt)
	x.status, x.failed = stageIdle, 0
	if !s.complete(st) { // outputs were lost meanwhile
		if x.why == WhyFirst {
			x.why = WhyOwed
		}
		s.want(st, x.rank)
		return
	}
	x.rank, x.why = never32, WhyFirst
	for _, j := range s.wanted[st] {
		if js := &s.jobs[j]; js.submitted && !js.done {
			s.at(s.now+s.run.Jobs[j].EndGapMs, event{evJobEnd, j, 0})
		}
	}
	if d := s.run.Stages[st].Makes; d >= 0 {
		s.wake(s.children[d])
	}
}

// wake looks again at those of some stages that wait for inputs. The engine looks
// at no others when a stage ends: what one further on lacks by then, by a loss
// between, is found when the last of its inputs is there.
func (s *Sim) wake(children []int32) {
	list, rest := s.scratch[:0], s.waiting[:0]
	for _, st := range s.waiting {
		if slices.Contains(children, st) {
			list = append(list, st)
		} else {
			rest = append(rest, st)
		}
	}
	s.waiting = rest
	slices.SortFunc(list, s.order)
	for _, st := range list {
		x := &s.stages[st]
		x.listed = false
		if x.status == stageWaiting {
			x.status = stageIdle
			s.want(st, x.rank)
		}
	}
	s.scratch = list[:0]
	s.assign()
}

// order compares stages as the engine does: the earlier job, then the earlier
// stage.
func (s *Sim) order(a, b int32) int {
	switch x, y := s.stages[a].rank, s.stages[b].rank; {
	case x != y:
		return int(x) - int(y)
	case s.run.Stages[a].ID < s.run.Stages[b].ID:
		return -1
	case s.run.Stages[a].ID > s.run.Stages[b].ID:
		return 1
	}
	return int(a) - int(b)
}

// endJob ends a job and lets those that waited for it start.
func (s *Sim) endJob(j int32) {
	js, job := &s.jobs[j], &s.run.Jobs[j]
	if js.done {
		return
	}
	js.done, js.end = true, s.now
	s.jobsLeft--
	failed := int32(0)
	if job.Final >= 0 && !s.complete(job.Final) {
		s.abandon(j)
		failed = 1
	}
	s.step(StepJobEnd, j, failed)
	for _, k := range s.after[j] {
		if s.jobs[k].waits--; s.jobs[k].waits == 0 {
			s.at(s.now+s.run.Jobs[k].GapMs, event{evJob, k, 0})
		}
	}
}

// abandon stops what only a job that was cut off or failed had wanted.
func (s *Sim) abandon(j int32) {
	others := false
	for k := range s.jobs {
		others = others || int32(k) != j && s.jobs[k].submitted && !s.jobs[k].done
	}
	for st := range s.stages {
		x := &s.stages[st]
		if x.status == stageIdle || others && x.rank != j {
			continue
		}
		s.unqueue(int32(st))
		x.status, x.rank, x.failed = stageIdle, never32, 0
		for i := range s.slots {
			if sl := &s.slots[i]; sl.end >= 0 && sl.stage == int32(st) {
				s.endEarly(int32(i), "killed")
			}
		}
	}
	s.assign()
}

// failJob gives a job up because of failures. A job that failed in the log,
// too, ends here and the next one follows; any other ends the run.
func (s *Sim) failJob(st int32) {
	j := s.stages[st].rank
	if j == never32 {
		return
	}
	if s.run.Jobs[j].Failed {
		s.at(s.now+s.run.Jobs[j].EndGapMs, event{evJobEnd, j, 0})
		return
	}
	s.jobs[j].end = s.now
	s.step(StepJobEnd, j, 1)
	s.res.Outcome = Aborted
	s.stop = true
}

// resubmitFailed submits the stages again that could not fetch, after their
// inputs.
func (s *Sim) resubmitFailed() {
	s.resubmit = false
	list := append([]int32(nil), s.failing...)
	s.failing = s.failing[:0]
	slices.SortFunc(list, s.order)
	for _, st := range list {
		if s.stages[st].status == stageFailed {
			s.stages[st].status = stageIdle
			s.want(st, s.stages[st].rank)
		}
	}
	s.assign()
}
