package sparkgen_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"tracereplay/ingest"
	"tracereplay/internal/naive"
	"tracereplay/internal/sparkgen"
)

// invariants are what every log of Spark keeps, as far as the rows show it.
type invariants struct {
	*naive.Rows
	t      *testing.T
	truth  *sparkgen.Truth
	stages map[[2]int64]*ingest.StageRow
	last   map[int64]int64 // stage -> its highest attempt
	tasks  map[int64]*ingest.TaskRow
	worker map[string]*ingest.WorkerRow
}

func TestGenerateKeepsInvariants(t *testing.T) {
	for seed := range int64(seeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			log, truth := sparkgen.Generate(seed, sparkgen.Options{})
			x := &invariants{
				Rows: &naive.Rows{}, t: t, truth: &truth, stages: map[[2]int64]*ingest.StageRow{}, last: map[int64]int64{},
				tasks: map[int64]*ingest.TaskRow{}, worker: map[string]*ingest.WorkerRow{},
			}
			record(t, log, x.Rows)
			for i := range x.Stages {
				s := &x.Stages[i]
				x.stages[[2]int64{s.Info.Stage, s.Info.Attempt}] = s
				x.last[s.Info.Stage] = max(x.last[s.Info.Stage], s.Info.Attempt)
			}
			for i := range x.Tasks {
				x.tasks[x.Tasks[i].Task] = &x.Tasks[i]
			}
			for i := range x.Workers {
				x.worker[x.Workers[i].Worker] = &x.Workers[i]
			}
			x.taskSets()
			x.resubmitted()
			x.removals()
			x.fetchFailures()
			x.results()
			x.failures()
		})
	}
}

func (x *invariants) of(stage, attempt int64) []*ingest.TaskRow {
	var out []*ingest.TaskRow
	for i := range x.Tasks {
		if t := &x.Tasks[i]; t.Stage == stage && t.StageAttempt == attempt {
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b *ingest.TaskRow) int { return cmp.Compare(a.StartSeq.V, b.StartSeq.V) })
	return out
}

// taskSets: task ids follow launches; partitions rise with the index; attempts
// of an index count from 0; no more indices than tasks.
func (x *invariants) taskSets() {
	all := slices.SortedFunc(slices.Values(x.Tasks), func(a, b ingest.TaskRow) int { return cmp.Compare(a.StartSeq.V, b.StartSeq.V) })
	for i := 1; i < len(all); i++ {
		if all[i].Task <= all[i-1].Task {
			x.t.Errorf("task %d was launched after task %d", all[i].Task, all[i-1].Task)
		}
	}
	for key, s := range x.stages {
		part, attempts := map[int64]int64{}, map[int64]int64{}
		for _, t := range x.of(key[0], key[1]) {
			if t.Index < 0 || t.Index >= s.Info.Tasks {
				x.t.Errorf("stage %v: index %d of %d tasks", key, t.Index, s.Info.Tasks)
			}
			if t.Attempt != attempts[t.Index] {
				x.t.Errorf("stage %v index %d: attempt %d, want %d", key, t.Index, t.Attempt, attempts[t.Index])
			}
			attempts[t.Index]++
			if t.Partition.OK {
				part[t.Index] = t.Partition.V
			}
		}
		for i, p := range part {
			for j, q := range part {
				if i < j && p >= q {
					x.t.Errorf("stage %v: index %d is partition %d, index %d is %d", key, i, p, j, q)
				}
			}
		}
	}
}

// resubmitted: the task had ended in this attempt of a map stage, on a worker
// that is removed there and then; it is launched again unless the attempt ends.
func (x *invariants) resubmitted() {
	for _, r := range x.Resubmits {
		t := x.tasks[r.Task]
		if t == nil || t.EndSeq.V >= r.Seq || t.Stage != r.Stage || t.StageAttempt != r.Attempt || t.Index != r.Index || t.TaskType != "ShuffleMapTask" {
			x.t.Errorf("Resubmitted of task %d repeats no ended map task of its attempt", r.Task)
			continue
		}
		w := x.worker[r.Worker]
		if !w.RemovedSeq.OK || r.Seq-w.RemovedSeq.V > 40 || w.RemovedSeq.V-r.Seq > 40 {
			x.t.Errorf("Resubmitted of task %d without the removal of worker %s", r.Task, r.Worker)
		}
		again := slices.ContainsFunc(x.of(r.Stage, r.Attempt), func(y *ingest.TaskRow) bool { return y.Index == r.Index && y.StartSeq.V > r.Seq })
		// A copy of it may have been running, or another attempt of the stage may have done it.
		copied := slices.ContainsFunc(x.Tasks, func(y ingest.TaskRow) bool {
			return y.Stage == r.Stage && y.Task != r.Task && y.EndSeq.V > r.Seq && y.StartSeq.V < r.Seq && y.Partition == t.Partition
		})
		if s := x.stages[[2]int64{r.Stage, r.Attempt}]; !again && !copied && s.CompleteSeq.OK && s.Info.Failure == "" {
			x.t.Errorf("stage %d.%d ended well without index %d again", r.Stage, r.Attempt, r.Index)
		}
	}
}

// removals: nothing is launched on a removed worker, and what ran there is lost.
func (x *invariants) removals() {
	for i := range x.Tasks {
		t := &x.Tasks[i]
		w := x.worker[t.Worker]
		if !w.RemovedSeq.OK {
			continue
		}
		if t.LaunchMs > w.RemovedMs.V {
			x.t.Errorf("task %d was launched on worker %s after its removal", t.Task, t.Worker)
		}
		if t.Status == ingest.Running {
			x.t.Errorf("task %d ran on the removed worker %s and has no end", t.Task, t.Worker)
		}
		if t.FinishMs.OK && t.FinishMs.V > w.RemovedMs.V {
			x.t.Errorf("task %d ended on worker %s after its removal", t.Task, t.Worker)
		}
	}
}

// fetchFailures: one that names an output names the task that wrote it, the
// worker where that ran, and its partition; the stage attempt ends with it. The
// next attempt comes 200 ms later, sooner if the stage waited to be submitted again
// already, as the writer of what another stage could not read.
func (x *invariants) fetchFailures() {
	first := map[[2]int64]bool{}
	for _, f := range x.FetchFailures {
		if f.MapIndex.OK && f.MapIndex.V >= 0 {
			w := x.tasks[f.Map.V]
			if w == nil || w.Status != ingest.Success || w.TaskType != "ShuffleMapTask" || w.Worker != f.Worker || w.Partition.OK && w.Partition != f.MapIndex {
				x.t.Errorf("fetch failure of task %d names task %d, which wrote no such output", f.Task, f.Map.V)
			}
		}
		key := [2]int64{f.Stage, f.Attempt}
		s := x.stages[key]
		if !first[key] {
			first[key] = true
			if s.CompleteSeq.OK && s.Info.Failure != "" && s.CompleteSeq.V != f.Seq+1 {
				x.t.Errorf("stage %v failed at line %d, its first fetch failure is on line %d", key, s.CompleteSeq.V, f.Seq)
			}
		}
		if next := x.stages[[2]int64{f.Stage, f.Attempt + 1}]; next != nil && next.Info.SubmitMs.OK {
			gap := next.Info.SubmitMs.V - s.Info.CompleteMs.V
			if gap < 0 || gap < 200 && len(x.FetchFailures) < 2 {
				x.t.Errorf("stage %v is tried again %d ms after its failure", key, gap)
			}
		}
	}
}

// results: a result partition is computed until it succeeds, once, copies and
// what ran at the same time apart.
func (x *invariants) results() {
	type piece struct{ stage, part int64 }
	done := map[piece]int64{}
	rows := slices.SortedFunc(slices.Values(x.Tasks), func(a, b ingest.TaskRow) int { return cmp.Compare(a.EndSeq.V, b.EndSeq.V) })
	for i := range rows {
		t := &rows[i]
		if t.Status == ingest.Success && t.TaskType == "ResultTask" && t.Partition.OK {
			if p := (piece{t.Stage, t.Partition.V}); done[p] == 0 {
				done[p] = t.EndSeq.V
			}
		}
	}
	for i := range rows {
		t := &rows[i]
		if end := done[piece{t.Stage, t.Partition.V}]; t.Partition.OK && end > 0 && t.StartSeq.V > end {
			x.t.Errorf("task %d computes partition %d of stage %d, which is done", t.Task, t.Partition.V, t.Stage)
		}
	}
	for _, j := range x.Jobs {
		if !j.EndMs.OK && !x.truth.Cut {
			x.t.Errorf("job %d has no end", j.Job)
		}
	}
}

// failures: four failed attempts in a row fail the job.
func (x *invariants) failures() {
	for stage, last := range x.last {
		run := 0
		for a := range last + 1 {
			s := x.stages[[2]int64{stage, a}]
			if s == nil || !s.CompleteSeq.OK {
				continue
			}
			if s.Info.Failure == "" {
				run = 0
				continue
			}
			if run++; run > 4 {
				x.t.Errorf("stage %d failed %d times in a row", stage, run)
			}
		}
	}
}
