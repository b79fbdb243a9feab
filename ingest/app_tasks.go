package ingest

import (
	"maps"
	"slices"
	"strings"

	"tracereplay/internal/problem"
	"tracereplay/internal/table"
)

func (a *appState) taskStart(s *TaskStart) {
	a.line(s.Seq)
	a.clock(table.Some(s.LaunchMs))
	if _, ok := a.running[s.Task]; ok {
		a.trouble(problem.Contradiction, s.Seq, "TaskStart", "task %d was launched twice", s.Task)
	}
	a.stageOf(s, "TaskStart")
	s.Machine = a.worker(s.Worker, s.Host).Machine
	a.running[s.Task] = openTask{*s}
	if l := a.r.opt.Listener; l != nil {
		l.Start(s)
	}
}

// stageOf finds the stage attempt of a task; one that was never submitted is
// told once.
func (a *appState) stageOf(s *TaskStart, event string) *StageRow {
	key := stageKey{s.Stage, s.StageAttempt}
	row := a.stages[key]
	if row == nil {
		a.trouble(problem.OrphanEvent, s.Seq, event, "task %d of stage %d attempt %d, whose submission is not in the log", s.Task, s.Stage, s.StageAttempt)
		row = &StageRow{App: a.key, Info: StageInfo{Stage: s.Stage, Attempt: s.StageAttempt}, Job: a.jobOf(s.Stage)}
		a.stages[key] = row
	}
	return row
}

func (a *appState) taskEnd(e *TaskEnd) {
	a.line(e.Seq)
	if e.Status == Resubmitted {
		a.r.w.resubmits.Append(&ResubmitRow{
			App: a.key, Seq: e.Seq, Task: e.Task, Stage: e.Stage, Attempt: e.StageAttempt, Index: e.Index, Worker: e.Worker,
		})
		a.tell(e)
		return
	}
	a.clock(e.FinishMs)
	e.Machine = a.worker(e.Worker, e.Host).Machine
	row := TaskRow{App: a.key, TaskEnd: *e, EndSeq: table.Some(e.Seq)}
	open, ok := a.running[e.Task]
	if ok {
		row.StartSeq = table.Some(open.start.Seq)
		delete(a.running, e.Task)
	} else {
		a.trouble(problem.OrphanEvent, e.Seq, "TaskEnd", "task %d ended and no launch of it is open", e.Task)
	}
	if e.FinishMs.OK && e.FinishMs.V < e.LaunchMs {
		a.trouble(problem.Contradiction, e.Seq, "TaskEnd", "task %d ended %d ms before it was launched", e.Task, e.LaunchMs-e.FinishMs.V)
	}
	if st := a.stageOf(&e.TaskStart, "TaskEnd"); !st.Kind.OK {
		st.Kind = stageKind(e.TaskType)
	}
	a.writeTask(&row)
	for i := range e.Blocks {
		a.block("task", &e.Blocks[i])
	}
	if f := e.Fetch; f != nil {
		a.r.w.fetchFailures.Append(&FetchFailureRow{
			App: a.key, Seq: e.Seq, Ms: e.FinishMs, Task: e.Task, Stage: e.Stage, Attempt: e.StageAttempt, Reader: e.Worker, FetchFailure: *f,
		})
	}
	a.tell(e)
}

// stageKind turns the type of a stage's tasks into its kind.
func stageKind(taskType string) table.Str {
	switch {
	case strings.HasPrefix(taskType, "ShuffleMap"):
		return table.Some("map")
	case strings.HasPrefix(taskType, "Result"):
		return table.Some("result")
	}
	return table.Str{}
}

func (a *appState) tell(e *TaskEnd) {
	if l := a.r.opt.Listener; l != nil {
		l.End(e)
	}
}

func (a *appState) writeTask(row *TaskRow) {
	a.r.w.tasks.Append(row)
	a.r.tasks++
}

// finishTasks writes the tasks that never ended.
func (a *appState) finishTasks() {
	for _, id := range slices.Sorted(maps.Keys(a.running)) {
		s := a.running[id].start
		row := TaskRow{App: a.key, StartSeq: table.Some(s.Seq)}
		row.TaskStart, row.Status = s, Running
		a.writeTask(&row)
	}
}
