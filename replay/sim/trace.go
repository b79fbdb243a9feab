package sim

// TaskRun is one simulated attempt.
type TaskRun struct {
	Task, Stage, Attempt int32
	Job                  int32 // for which it ran, -1: not known
	Worker, Slot         int32 // Worker: in Result.Workers
	StartMs, EndMs       int64
	Status               string // as in table task; running: it never ended
	Copy                 bool   // of a slow attempt
	Why                  uint8
	// Removal is the loss that destroyed the output that this attempt makes
	// again, or that ended or disturbed the attempt before: in Result.Lost, -1.
	Removal int32
	// By, of a failed fetch: the worker that could not serve, -1: a service, or
	// no location known.
	By int32
}

// WorkerRun is one simulated worker.
type WorkerRun struct {
	Recorded int32 // in Run.Workers, -1: it came in place of a lost one
	Machine  int32
	Slots    int32
	FromMs   int64
	GoneMs   int64 // Never
	GivenUp  int64 // Never
	Removal  int32 // that took it, in Result.Lost, -1
}

// Step is one thing that happened.
type Step struct {
	AtMs int64
	Kind StepKind
	A, B int32
	C, D int32 // of StepStage
}

// StepKind says what a Step's fields are.
type StepKind uint8

// The kinds of steps.
const (
	StepWorkerUp   StepKind = iota // worker
	StepWorkerLost                 // worker, removal: given up by the coordinator
	StepJob                        // job
	StepJobEnd                     // job, 1: it failed
	StepStage                      // stage, attempt, job (-1: not known), pieces: submitted
	StepStageEnd                   // stage, attempt
	StepStageFail                  // stage, attempt: a reader could not fetch
	StepLaunch                     // in Result.Tasks
	StepEnd                        // in Result.Tasks
	StepAgain                      // in Result.Tasks: its output was lost while its stage ran, and it is queued again
)

// step keeps what happens.
func (s *Sim) step(kind StepKind, a, b int32) {
	if s.opt.Trace {
		s.res.Steps = append(s.res.Steps, Step{s.now, kind, a, b, 0, 0})
	}
}

// traceLaunch keeps the launch of what is on a slot.
func (s *Sim) traceLaunch(slot int32) {
	sl := &s.slots[slot]
	sl.traced = int32(len(s.res.Tasks))
	t := TaskRun{
		Task: sl.task, Stage: sl.stage, Attempt: sl.attempt, Worker: sl.worker, Slot: slot - s.workers[sl.worker].first,
		Job: -1, StartMs: sl.start, EndMs: -1, Status: "running", Copy: sl.out == endCopy, Why: sl.why, Removal: -1, By: -1,
	}
	if r := s.stages[sl.stage].rank; r < never32 {
		t.Job = r
	}
	if sl.why != WhyFirst {
		t.Removal = s.blame[sl.task]
	}
	s.res.Tasks = append(s.res.Tasks, t)
	s.step(StepLaunch, sl.traced, 0)
}

// traceEnd keeps the end of what is on a slot.
func (s *Sim) traceEnd(slot int32, status string) {
	sl := &s.slots[slot]
	t := &s.res.Tasks[sl.traced]
	t.StartMs, t.EndMs, t.Status = min(t.StartMs, s.now), s.now, status
	switch status {
	case "fetch_failed":
		t.By = max(sl.by, -1)
	case "success":
		s.maker[sl.task] = sl.traced
	}
	s.step(StepEnd, sl.traced, 0)
}

// blameFor notes which loss destroyed a piece or ended its attempt.
func (s *Sim) blameFor(task, removal int32) {
	if s.opt.Trace && task >= 0 {
		s.blame[task] = removal
	}
}

// traceCluster keeps what became of the workers and which losses there were.
func (s *Sim) traceCluster() {
	for i := range s.slots {
		if sl := &s.slots[i]; sl.end >= 0 {
			s.res.Tasks[sl.traced].EndMs = max(s.now, sl.start)
		}
	}
	for i := range s.workers {
		w := &s.workers[i]
		s.res.Workers = append(s.res.Workers, WorkerRun{w.recorded, w.machine, w.last - w.first, w.from, w.gone, w.lostAt, w.removal})
	}
	s.res.Lost = append(s.res.Lost, s.removals...)
}
