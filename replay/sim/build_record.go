package sim

import (
	"cmp"
	"slices"
)

// record keeps the log's own attempts.
func (b *builder) record() {
	b.run.Attempts = make([]Attempt, 0, len(b.launches))
	pieces := map[int64]map[int64]int32{} // stage id of the Run -> partition -> task
	for i := range b.run.Stages {
		s := &b.run.Stages[i]
		at := make(map[int64]int32, s.Tasks())
		for t := s.First; t < s.Last; t++ {
			at[int64(b.run.Part[t])] = t
		}
		pieces[int64(i)] = at
	}
	for i := range b.launches {
		l := &b.launches[i]
		st, ok := b.entity[l.Stage]
		if !ok {
			continue
		}
		a := Attempt{
			Task: -1, Stage: st, Try: int32(l.LogTask.Attempt), Worker: b.workerID[l.Worker], Slot: l.lane, StartMs: l.StartMs - b.zero, EndMs: l.EndMs - b.zero,
			Status: l.Status,
		}
		if t, ok := pieces[int64(st)][l.Partition.V]; ok && l.Partition.OK {
			a.Task = t
		}
		b.run.Attempts = append(b.run.Attempts, a)
	}
	jobs := map[int64]int32{}
	for j := range b.run.Jobs {
		jobs[b.run.Jobs[j].ID] = int32(j)
	}
	for i := range b.log.Stages {
		x := &b.log.Stages[i]
		st, ok := b.entity[x.Stage]
		if !ok || !x.SubmitMs.OK {
			continue
		}
		r := Round{Stage: st, Try: int32(x.Attempt), Job: -1, Tasks: int32(x.Tasks), SubmitMs: b.relative(x.SubmitMs), EndMs: Never, Failed: x.Failure.OK}
		if x.CompleteMs.OK {
			r.EndMs = b.relative(x.CompleteMs)
		}
		if j, ok := jobs[x.Job.V]; ok && x.Job.OK {
			r.Job = j
		}
		b.run.Rounds = append(b.run.Rounds, r)
	}
	slices.SortStableFunc(b.run.Rounds, func(x, y Round) int { return cmp.Compare(x.SubmitMs, y.SubmitMs) })
}
