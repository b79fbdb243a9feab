package lineage

import (
	"time"

	"tracereplay/ingest"
	"tracereplay/internal/table"
)

// StatePartitionRow is one partition of retained state that a task kept in a batch.
type StatePartitionRow struct {
	App, Query string
	Batch      table.I64
	RDD        int64
	Partition  int64
	Partitions int64
	Stage      int64
	Task       int64
	Worker     string
	Machine    table.Str
	FromMs     int64
	Seq        int64
}

// RecoveryPointRow is a position and state that a restart resumes from.
type RecoveryPointRow struct {
	App, Query string
	Batch      table.I64
	Ms         table.I64
	Seq        int64
}

// StatePartitions declares table state_partition.
var StatePartitions = table.New[StatePartitionRow](table.Meta{
	Name: "state_partition", Layer: layer, Grain: "one row per batch and partition of retained state that a task kept", Key: []string{"app", "task"}, Order: []string{"app", "seq"},
	Doc: "Partition p of the state lives on the worker that ran it last, and durably in the checkpoint. Placed by the stages over a StateStoreRDD, or the zipped one of a join of streams.",
},
	table.Text("app", "", "application", func(r *StatePartitionRow) string { return r.App }),
	table.Text("query", "sql.streaming.queryId", "streaming query", func(r *StatePartitionRow) string { return r.Query }),
	table.OptInt("batch", "", "streaming.sql.batchId", "micro-batch", "not in the log", func(r *StatePartitionRow) table.I64 { return r.Batch }),
	table.Int("rdd", "", "RDD ID", "the first RDD of the stage that keeps state: a new one each batch", func(r *StatePartitionRow) int64 { return r.RDD }),
	table.Int("partition", "", "", "partition of the state", func(r *StatePartitionRow) int64 { return r.Partition }),
	table.Int("partitions", "", "Number of Partitions", "of all", func(r *StatePartitionRow) int64 { return r.Partitions }),
	table.Int("stage", "", "Stage ID", "stage", func(r *StatePartitionRow) int64 { return r.Stage }),
	table.Int("task", "", "Task ID", "task", func(r *StatePartitionRow) int64 { return r.Task }),
	table.Text("worker", "Executor ID", "worker that keeps it from here on", func(r *StatePartitionRow) string { return r.Worker }),
	table.OptText("machine", "", "machine", "see table worker", func(r *StatePartitionRow) table.Str { return r.Machine }),
	table.Int("from_ms", "ms", "Finish Time", "kept from", func(r *StatePartitionRow) int64 { return r.FromMs }),
	table.Int("seq", "", "", "line", func(r *StatePartitionRow) int64 { return r.Seq }),
)

// RecoveryPoints declares table recovery_point.
var RecoveryPoints = table.New[RecoveryPointRow](table.Meta{
	Name: "recovery_point", Layer: layer, Grain: "one row per streaming query and committed batch", Key: []string{"app", "query", "batch"}, Order: []string{"app", "seq"},
	Doc: "Need never crosses a committed batch: what a batch made is needed only until that batch commits.",
},
	table.Text("app", "", "application", func(r *RecoveryPointRow) string { return r.App }),
	table.Text("query", "id", "streaming query", func(r *RecoveryPointRow) string { return r.Query }),
	table.OptInt("batch", "", "batchId", "micro-batch", "the report does not have it", func(r *RecoveryPointRow) table.I64 { return r.Batch }),
	table.OptInt("committed_ms", "ms", "timestamp + durationMs.triggerExecution", "committed", "not known", func(r *RecoveryPointRow) table.I64 { return r.Ms }),
	table.Int("seq", "", "", "line", func(r *RecoveryPointRow) int64 { return r.Seq }),
)

// streaming ties an attempt to its query and batch.
func (t *attempt) streaming(p *ingest.JobProperties) {
	t.query, t.batch = p.QueryID, p.Batch
}

// keepsState tells whether an RDD keeps state between batches: an aggregation's
// or another operator's, or the two sides of a join of streams.
func keepsState(name string) bool {
	return name == "StateStoreRDD" || name == "StateStoreAwareZipPartitionsRDD"
}

// keepState notes the partitions of retained state that a task of a stage over
// an RDD that keeps state kept.
func (a *app) keepState(t *attempt, r *runningTask, seq, end int64) {
	if t.query == "" || !r.partition.OK {
		return
	}
	for _, id := range t.states {
		x := a.rdds[id]
		if x == nil || x.parts != t.stage.tasks {
			continue
		}
		a.w.states.Append(&StatePartitionRow{ // one row, however many operators of the stage share the partition
			App: a.key, Query: t.query, Batch: t.batch, RDD: id, Partition: r.partition.V, Partitions: x.parts, Stage: t.stage.id, Task: r.task,
			Worker: a.workers[r.worker].id, Machine: a.workers[r.worker].machine, FromMs: end, Seq: seq,
		})
		return
	}
}

// committed notes a recovery point.
func (a *app) committed(e *ingest.Progress) {
	row := RecoveryPointRow{App: a.key, Query: e.QueryID, Batch: e.Batch, Seq: e.Seq}
	start, err := time.Parse(time.RFC3339Nano, e.TimestampText)
	if d, ok := e.DurationsMs["triggerExecution"]; ok && err == nil {
		row.Ms = table.Some(start.UnixMilli() + d)
	}
	a.w.points.Append(&row)
}
