package sim

import (
	"cmp"
	"slices"
)

// resume puts the simulator into the state that the log's run was in at
// Options.FromMs: what had been made stands where it was made, what ran then
// runs on its slot, jobs and stages are where they were. What comes later is
// simulated. It is for instants before the first recorded loss: what a loss had
// destroyed is not worked out.
func (s *Sim) resume() {
	s.now = s.opt.FromMs
	for w := range s.workers {
		if x := &s.workers[w]; x.from <= s.now {
			x.up = true
			s.told(x.from, Step{Kind: StepWorkerUp, A: int32(w)})
			s.machines[x.machine].alive = true
		}
	}
	of := s.simulatedWorkers()
	s.resumeJobs()
	s.resumeRounds()
	s.resumeAttempts(of)
	s.resumeReleased()
	s.sortTold()
	s.resumeSlots()
	for st := range s.stages {
		s.settleRound(int32(st))
	}
	for j := range s.jobs {
		s.settleJob(int32(j))
	}
	s.assign()
}

// ResumeMs is the instant from which a simulation with given losses can start
// in the log's own state: just before the first of them is noticed. It is 0, the
// start, where losses are drawn, where the log had a loss before, or where a
// policy has changed who did what.
func (r *Run) ResumeMs(opt *Options) int64 {
	if len(opt.Removals) == 0 || len(opt.Arrivals) > 0 || opt.Losses.RatePerHour > 0 || opt.IdleMs > 0 || len(r.Attempts) == 0 {
		return 0
	}
	from := Never
	for i := range opt.Removals {
		from = min(from, opt.Removals[i].NoticeMs, opt.Removals[i].GoneMs)
	}
	for i := range r.Removals {
		if x := &r.Removals[i]; !x.Release && x.GoneMs <= from {
			return 0
		}
	}
	return max(from-1, 0)
}

// told keeps what had happened by then.
func (s *Sim) told(at int64, x Step) {
	if s.opt.Trace {
		x.AtMs = at
		s.res.Steps = append(s.res.Steps, x)
	}
}

// sortTold puts what had happened into the order in which it did: at one
// instant ends come before what they make way for.
func (s *Sim) sortTold() {
	rank := func(x *Step) int {
		switch x.Kind {
		case StepEnd:
			if t := &s.res.Tasks[x.A]; t.StartMs == t.EndMs {
				return 9
			}
			return 1
		case StepStageEnd, StepStageFail:
			return 2
		case StepJobEnd:
			return 3
		case StepWorkerLost:
			return 4
		case StepJob:
			return 5
		case StepStage:
			return 6
		case StepLaunch:
			return 7
		}
		return 0
	}
	slices.SortStableFunc(s.res.Steps, func(x, y Step) int {
		return cmp.Or(cmp.Compare(x.AtMs, y.AtMs), cmp.Compare(rank(&x), rank(&y)))
	})
}

// simulatedWorkers finds the simulated worker of each recorded one, -1.
func (s *Sim) simulatedWorkers() []int32 {
	of := make([]int32, len(s.run.Workers))
	for i := range of {
		of[i] = -1
	}
	for w := range s.workers {
		if r := s.workers[w].recorded; r >= 0 {
			of[r] = int32(w)
		}
	}
	return of
}

func (s *Sim) resumeJobs() {
	for j := range s.run.Jobs {
		job, js := &s.run.Jobs[j], &s.jobs[j]
		if job.Recorded[0] > s.now {
			continue
		}
		js.submitted, js.submit = true, job.Recorded[0]
		s.told(job.Recorded[0], Step{Kind: StepJob, A: int32(j)})
		if job.Recorded[1] <= s.now {
			js.done, js.end = true, job.Recorded[1]
			s.jobsLeft--
			s.told(js.end, Step{Kind: StepJobEnd, A: int32(j), B: b2i(job.Failed)})
		}
	}
}

// resumeRounds opens the stages that had been submitted: the last attempt of
// each counts.
func (s *Sim) resumeRounds() {
	for i := range s.run.Rounds {
		r := &s.run.Rounds[i]
		if r.SubmitMs > s.now {
			break
		}
		x := &s.stages[r.Stage]
		x.attempt++
		if r.Job >= 0 {
			x.rank = min(x.rank, r.Job)
		}
		x.status, x.crowd = stageRunning, 1
		x.next = s.run.Stages[r.Stage].First
		s.told(r.SubmitMs, Step{Kind: StepStage, A: r.Stage, B: x.attempt, C: r.Job, D: r.Tasks})
		if r.EndMs <= s.now {
			x.status = stageIdle
			x.rank = never32
			kind := StepStageEnd
			if r.Failed {
				kind = StepStageFail
			}
			s.told(r.EndMs, Step{Kind: kind, A: r.Stage, B: x.attempt})
		}
	}
}

// resumeAttempts puts what had ended in its place, and what ran on its slot.
func (s *Sim) resumeAttempts(of []int32) {
	for i := range s.run.Attempts {
		a := &s.run.Attempts[i]
		if a.StartMs > s.now {
			break
		}
		w := of[a.Worker]
		if a.Task < 0 || w < 0 || s.workers[w].first+a.Slot >= s.workers[w].last {
			continue
		}
		sl := &s.slots[s.workers[w].first+a.Slot]
		x := &s.stages[a.Stage]
		fresh := sl.stage != a.Stage || sl.attempt != x.attempt
		if a.EndMs > s.now {
			if s.resumeRunning(a, w) && fresh {
				x.entered++
			}
			continue
		}
		if fresh {
			x.entered++
		}
		sl.stage, sl.attempt, sl.warm = a.Stage, x.attempt, true
		s.workers[w].warm = true
		if s.opt.Trace {
			s.traceRecorded(a, w, x.attempt)
		}
		if a.Status != "success" {
			if a.Status == "failed" {
				s.tries[a.Task]++
			}
			continue
		}
		if s.ran[a.Task] == 0 {
			x.done++
		}
		s.ran[a.Task] = 1
		s.tasks[a.Task] = taskDone
		run := &s.run.Stages[a.Stage]
		if run.Makes >= 0 {
			s.register(run.Makes, a.Task-run.First, w)
		}
		if run.Cached {
			s.cacheMade(a.Stage, a.Task, w)
		}
	}
}

// resumeRunning puts an attempt on its slot that ran at the moment. One that
// then came to its end ends as it did; of one that something cut short the
// piece's time counts. It is false when the slot is taken still: the coordinator
// notes an end a little after it has given the slot away. The piece then waits.
func (s *Sim) resumeRunning(a *Attempt, w int32) bool {
	slot := s.workers[w].first + a.Slot
	for k := s.workers[w].first; s.slots[slot].end >= 0 && k < s.workers[w].last; k++ { // the slot before was noted as ended a little late
		slot = k
	}
	sl := &s.slots[slot]
	if sl.end >= 0 {
		return false
	}
	sl.warm = true
	sl.task, sl.start, sl.out, sl.why = a.Task, a.StartMs, endSuccess, WhyFirst
	sl.stage, sl.attempt = a.Stage, s.stages[a.Stage].attempt
	s.reading = max(s.reading, s.fetchesUntil(sl))
	switch a.Status {
	case "success":
		sl.end = a.EndMs
	case "failed":
		sl.end, sl.out = a.EndMs, endFail
	default:
		sl.end = max(s.now+1, a.StartMs+int64(s.run.DurMs[a.Task]))
	}
	s.tasks[a.Task] = taskRunning
	s.workers[w].busy++
	if s.opt.Trace {
		s.traceLaunch(slot)
		s.res.Steps[len(s.res.Steps)-1].AtMs = a.StartMs
	}
	s.q.push(key(sl.end, slot))
	return true
}

// resumeReleased takes out the workers that had been given back by then.
func (s *Sim) resumeReleased() {
	for i := range s.removals {
		r := s.removals[i]
		if !r.Release || r.GoneMs > s.now {
			continue
		}
		for _, w := range s.taken(&r) {
			x := &s.workers[w]
			x.up, x.givenUp, x.unlisted = false, true, true
			x.gone, x.detect, x.lostAt, x.removal = r.GoneMs, r.GoneMs, r.GoneMs, int32(i)
			s.troubled = true
			s.told(r.GoneMs, Step{Kind: StepWorkerLost, A: w, B: int32(i)})
			s.perish(w, int32(i))
			s.unregister(w)
		}
	}
}

// resumeSlots lists the slots that are free.
func (s *Sim) resumeSlots() {
	for w := range s.workers {
		x := &s.workers[w]
		if !x.up {
			continue
		}
		for i := x.last - 1; i >= x.first; i-- {
			if s.slots[i].end < 0 {
				s.free(i)
			}
		}
	}
}

// settleRound counts what is left of a stage that was running.
func (s *Sim) settleRound(st int32) {
	x, run := &s.stages[st], &s.run.Stages[st]
	if x.status != stageRunning {
		return
	}
	for t := run.First; t < run.Last; t++ {
		switch s.tasks[t] {
		case taskIdle:
			s.tasks[t] = taskPending
			x.pending++
			x.left++
		case taskRunning:
			x.left++
		}
	}
	if x.left == 0 {
		s.stageDone(st)
		return
	}
	s.enqueue(st)
}

// settleJob takes up a job where it was.
func (s *Sim) settleJob(j int32) {
	js, job := &s.jobs[j], &s.run.Jobs[j]
	if js.done {
		return
	}
	if !js.submitted {
		js.waits = 0
		last := int64(0)
		for _, k := range job.After {
			if !s.jobs[k].done {
				js.waits++
			} else {
				last = max(last, s.jobs[k].end)
			}
		}
		if js.waits == 0 {
			s.at(last+job.GapMs, event{evJob, j, 0})
		}
		return
	}
	switch {
	case job.Cut || job.Final < 0:
		s.at(js.submit+job.LengthMs, event{evJobEnd, j, 0})
	case s.complete(job.Final) && s.stages[job.Final].status == stageIdle:
		s.at(js.submit+job.LengthMs, event{evJobEnd, j, 0})
	}
	if job.Final >= 0 && !s.complete(job.Final) {
		s.want(job.Final, j)
	}
}

// traceRecorded keeps an attempt of the log that had ended by then.
func (s *Sim) traceRecorded(a *Attempt, w, attempt int32) {
	tid := int32(len(s.res.Tasks))
	s.res.Tasks = append(s.res.Tasks, TaskRun{
		Task: a.Task, Stage: a.Stage, Attempt: attempt, Job: -1, Worker: w, Slot: a.Slot, StartMs: a.StartMs, EndMs: a.EndMs, Status: a.Status, Removal: -1, By: -1,
	})
	if a.Status == "success" {
		s.maker[a.Task] = tid
	}
	s.told(a.StartMs, Step{Kind: StepLaunch, A: tid})
	s.told(a.EndMs, Step{Kind: StepEnd, A: tid})
}
