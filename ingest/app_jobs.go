package ingest

import (
	"encoding/binary"
	"hash/maphash"
	"slices"

	"tracereplay/internal/problem"
	"tracereplay/internal/table"
)

func (a *appState) jobStart(e *JobStart) {
	a.clock(e.Ms)
	if e.Properties.QueryID != "" {
		a.row.Streaming = true
	}
	row := &JobRow{App: a.key, Job: e.Job, SubmitMs: e.Ms, SubmitSeq: table.Some(e.Seq), P: e.Properties}
	a.jobs[e.Job] = row
	ids := slices.Clone(e.StageIDs)
	for i := range e.Stages {
		s := &e.Stages[i]
		ids = append(ids, s.Stage)
		out := JobStageRow{App: a.key, Job: e.Job, Stage: s.Stage, Tasks: s.Tasks}
		if len(s.RDDs) > 0 {
			out.RDD = table.Some(s.RDDs[0].RDD)
		}
		a.r.w.jobStages.Append(&out)
		a.describe(e.Seq, s, -1)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	for _, id := range ids {
		if len(e.Stages) == 0 {
			a.r.w.jobStages.Append(&JobStageRow{App: a.key, Job: e.Job, Stage: id})
		}
		a.listed[id] = append(a.listed[id], e.Job)
	}
	row.Stages = int64(len(ids))
	a.stageIDs[e.Job] = ids
}

func (a *appState) jobEnd(e *JobEnd) {
	a.clock(e.Ms)
	row := a.jobs[e.Job]
	if row == nil {
		a.trouble(problem.OrphanEvent, e.Seq, "JobEnd", "job %d ended and its start is not in the log", e.Job)
		row = &JobRow{App: a.key, Job: e.Job}
	}
	row.EndMs, row.EndSeq = e.Ms, table.Some(e.Seq)
	row.Outcome = table.Some("succeeded")
	if !e.OK {
		row.Outcome, row.Failure = table.Some("failed"), table.NonEmpty(e.Reason)
	}
	delete(a.jobs, e.Job)
	a.doneJob = append(a.doneJob, *row)
	for _, stage := range a.stageIDs[e.Job] {
		jobs := slices.DeleteFunc(a.listed[stage], func(j int64) bool { return j == e.Job })
		if a.listed[stage] = jobs; len(jobs) == 0 {
			delete(a.listed, stage)
		}
	}
	delete(a.stageIDs, e.Job)
}

// jobOf is the lowest running job that lists a stage.
func (a *appState) jobOf(stage int64) table.I64 {
	jobs := a.listed[stage]
	if len(jobs) == 0 {
		return table.I64{}
	}
	return table.Some(slices.Min(jobs))
}

func (a *appState) stageSubmitted(e *StageSubmitted) {
	a.clock(e.Info.SubmitMs)
	key := stageKey{e.Info.Stage, e.Info.Attempt}
	e.Job = a.jobOf(e.Info.Stage)
	row := &StageRow{App: a.key, Info: e.Info, Job: e.Job, SubmitSeq: table.Some(e.Seq)}
	if !row.Job.OK {
		a.trouble(problem.OrphanEvent, e.Seq, "StageSubmitted", "stage %d was submitted and no running job lists it", e.Info.Stage)
	}
	a.stages[key] = row
	a.describe(e.Seq, &e.Info, e.Info.Attempt)
	row.Info.RDDs = slices.Clone(row.Info.RDDs[:min(1, len(row.Info.RDDs))]) // the rest is written
}

func (a *appState) stageCompleted(e *StageCompleted) {
	a.clock(e.Info.CompleteMs)
	key := stageKey{e.Info.Stage, e.Info.Attempt}
	row := a.stages[key]
	if row == nil {
		a.trouble(problem.OrphanEvent, e.Seq, "StageCompleted", "stage %d attempt %d ended and its submission is not in the log", key.stage, key.attempt)
		row = &StageRow{App: a.key, Info: e.Info, Job: a.jobOf(key.stage)}
		a.stages[key] = row
		a.describe(e.Seq, &e.Info, key.attempt)
	}
	row.CompleteSeq = table.Some(e.Seq)
	row.Info.CompleteMs, row.Info.Failure = e.Info.CompleteMs, e.Info.Failure
	if !row.Info.SubmitMs.OK {
		row.Info.SubmitMs = e.Info.SubmitMs // some versions tell it only here
		a.clock(e.Info.SubmitMs)
	}
	row.Info.RDDs = slices.Clone(row.Info.RDDs[:min(1, len(row.Info.RDDs))])
}

// describe writes a stage's parents and RDDs, once per stage listed by jobs
// and once per attempt submitted.
func (a *appState) describe(seq int64, s *StageInfo, attempt int64) {
	if !a.seen[s.Stage] {
		for _, p := range s.Parents {
			a.r.w.stageParents.Append(&StageParentRow{App: a.key, Stage: s.Stage, Parent: p})
		}
	}
	if attempt < 0 && a.seen[s.Stage] {
		return // a later job lists the same stage
	}
	a.seen[s.Stage] = true
	for i := range s.RDDs {
		r := &s.RDDs[i]
		a.r.w.stageRDDs.Append(&StageRDDRow{
			App: a.key, Stage: s.Stage, Attempt: attempt, RDD: r.RDD, Ordinal: int64(i), Persisted: r.Persisted(),
		})
		a.rdd(seq, r)
	}
}

// rdd writes an RDD when its description is new.
func (a *appState) rdd(seq int64, r *RDDInfo) {
	h := a.rddHash(r)
	if old, ok := a.rdds[r.RDD]; ok && old == h {
		return
	}
	a.rdds[r.RDD] = h
	a.r.w.rdds.Append(&RDDRow{App: a.key, Seq: seq, RDDInfo: *r})
	for _, p := range r.Parents {
		a.r.w.rddParents.Append(&RDDParentRow{App: a.key, Seq: seq, RDD: r.RDD, Parent: p})
	}
}

func (a *appState) rddHash(r *RDDInfo) uint64 {
	var h maphash.Hash
	h.SetSeed(a.seed)
	var b [8]byte
	put := func(n int64) {
		binary.LittleEndian.PutUint64(b[:], uint64(n))
		h.Write(b[:])
	}
	h.WriteString(r.Name)
	put(r.Partitions)
	put(r.Replication)
	if r.Persisted() {
		put(1)
	}
	for _, p := range r.Parents {
		put(p)
	}
	return h.Sum64()
}
