package naive

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"tracereplay/ingest"
	"tracereplay/internal/table"
)

// Rows are the ingest rows that the model is computed from. A Rows is a
// table.Sink: it takes records of these tables, back into rows, by the names of
// their columns, and ignores all other tables.
type Rows struct {
	Apps          []ingest.AppRow
	Settings      []ingest.SettingRow
	Workers       []ingest.WorkerRow
	Stores        []ingest.StoreRow
	Jobs          []ingest.JobRow
	JobStages     []ingest.JobStageRow
	Stages        []ingest.StageRow
	StageParents  []ingest.StageParentRow
	RDDs          []ingest.RDDRow
	RDDParents    []ingest.RDDParentRow
	StageRDDs     []ingest.StageRDDRow
	Tasks         []ingest.TaskRow
	Resubmits     []ingest.ResubmitRow
	FetchFailures []ingest.FetchFailureRow
	Blocks        []ingest.BlockRow
	Unpersists    []ingest.UnpersistRow
}

var _ table.Sink = (*Rows)(nil)

// Write takes one record.
func (r *Rows) Write(s *table.Spec, rec arrow.Record) error {
	read, ok := map[string]func(*cells){
		ingest.Apps.Name:          r.app,
		ingest.SettingTable.Name:  r.setting,
		ingest.Workers.Name:       r.worker,
		ingest.Stores.Name:        r.store,
		ingest.Jobs.Name:          r.job,
		ingest.JobStages.Name:     r.jobStage,
		ingest.Stages.Name:        r.stage,
		ingest.StageParents.Name:  r.stageParent,
		ingest.RDDs.Name:          r.rdd,
		ingest.RDDParents.Name:    r.rddParent,
		ingest.StageRDDs.Name:     r.stageRDD,
		ingest.Tasks.Name:         r.task,
		ingest.Resubmits.Name:     r.resubmit,
		ingest.FetchFailures.Name: r.fetchFailure,
		ingest.Blocks.Name:        r.block,
		ingest.Unpersists.Name:    r.unpersist,
	}[s.Name]
	if !ok {
		return nil
	}
	c := &cells{rec: rec, table: s.Name, at: map[string]int{}}
	for i := range int(rec.NumCols()) {
		c.at[rec.ColumnName(i)] = i
	}
	for c.row = 0; c.row < int(rec.NumRows()); c.row++ {
		read(c)
	}
	return c.err
}

// cells reads one row of a record by column name.
type cells struct {
	rec   arrow.Record
	table string
	at    map[string]int
	row   int
	err   error
}

// cell returns the column's array unless the value is null.
func (c *cells) cell(name string) arrow.Array {
	i, ok := c.at[name]
	if !ok {
		if c.err == nil {
			c.err = fmt.Errorf("table %s has no column %s", c.table, name)
		}
		return nil
	}
	if a := c.rec.Column(i); !a.IsNull(c.row) {
		return a
	}
	return nil
}

func (c *cells) optInt(name string) table.I64 {
	if a, ok := c.cell(name).(*array.Int64); ok {
		return table.Some(a.Value(c.row))
	}
	return table.I64{}
}

func (c *cells) optText(name string) table.Str {
	if a, ok := c.cell(name).(*array.String); ok {
		return table.Some(a.Value(c.row))
	}
	return table.Str{}
}

func (c *cells) int(name string) int64   { return c.optInt(name).V }
func (c *cells) text(name string) string { return c.optText(name).V }

func (c *cells) bool(name string) bool {
	a, ok := c.cell(name).(*array.Boolean)
	return ok && a.Value(c.row)
}

func (r *Rows) app(c *cells) {
	r.Apps = append(r.Apps, ingest.AppRow{
		App: c.text("app"), Version: c.text("engine_version"), Manager: c.optText("cluster_manager"),
		StartMs: c.optInt("start_ms"), EndMs: c.optInt("end_ms"), FirstMs: c.optInt("first_ms"), LastMs: c.optInt("last_ms"),
		BlockUpdates: c.bool("has_block_updates"),
	})
}

func (r *Rows) setting(c *cells) {
	r.Settings = append(r.Settings, ingest.SettingRow{
		App: c.text("app"), Setting: ingest.Setting{Scope: c.text("scope"), Name: c.text("name"), Value: c.text("value")},
	})
}

func (r *Rows) worker(c *cells) {
	r.Workers = append(r.Workers, ingest.WorkerRow{
		App: c.text("app"), Worker: c.text("worker"), Host: c.optText("host"), Machine: c.optText("machine"), IsCoordinator: c.bool("is_coordinator"),
		AddedMs: c.optInt("added_ms"), RemovedMs: c.optInt("removed_ms"), AddedSeq: c.optInt("added_seq"), RemovedSeq: c.optInt("removed_seq"),
		Reason: c.optText("removed_reason"),
	})
}

func (r *Rows) store(c *cells) {
	r.Stores = append(r.Stores, ingest.StoreRow{
		App: c.text("app"), Seq: c.int("seq"), Worker: c.text("worker"), Ms: c.optInt("at_ms"), Added: c.bool("is_added"),
	})
}

func (r *Rows) job(c *cells) {
	r.Jobs = append(r.Jobs, ingest.JobRow{
		App: c.text("app"), Job: c.int("job"), SubmitMs: c.optInt("submit_ms"), EndMs: c.optInt("end_ms"),
		SubmitSeq: c.optInt("submit_seq"), EndSeq: c.optInt("end_seq"), Outcome: c.optText("outcome"),
	})
}

func (r *Rows) jobStage(c *cells) {
	r.JobStages = append(r.JobStages, ingest.JobStageRow{
		App: c.text("app"), Job: c.int("job"), Stage: c.int("stage"), Tasks: c.int("tasks"), RDD: c.optInt("rdd"),
	})
}

func (r *Rows) stage(c *cells) {
	row := ingest.StageRow{
		App: c.text("app"), Job: c.optInt("job"), Kind: c.optText("kind"), SubmitSeq: c.optInt("submit_seq"), CompleteSeq: c.optInt("complete_seq"),
		Info: ingest.StageInfo{
			Stage: c.int("stage"), Attempt: c.int("stage_attempt"), Name: c.text("name"), Tasks: c.int("tasks"),
			SubmitMs: c.optInt("submit_ms"), CompleteMs: c.optInt("complete_ms"), Failure: c.text("failure"),
		},
	}
	if own := c.optInt("rdd"); own.OK {
		row.Info.RDDs = []ingest.RDDInfo{{RDD: own.V, Partitions: c.int("partitions")}}
	}
	r.Stages = append(r.Stages, row)
}

func (r *Rows) stageParent(c *cells) {
	r.StageParents = append(r.StageParents, ingest.StageParentRow{App: c.text("app"), Stage: c.int("stage"), Parent: c.int("parent_stage")})
}

func (r *Rows) rdd(c *cells) {
	row := ingest.RDDRow{App: c.text("app"), Seq: c.int("seq"), RDDInfo: ingest.RDDInfo{
		RDD: c.int("rdd"), Name: c.text("name"), Scope: c.text("scope"), Partitions: c.int("partitions"), UseMemory: c.bool("is_persisted"),
		Replication: c.int("replication"), Barrier: c.bool("is_barrier"), Deterministic: c.text("deterministic"),
	}}
	r.RDDs = append(r.RDDs, row)
}

func (r *Rows) rddParent(c *cells) {
	r.RDDParents = append(r.RDDParents, ingest.RDDParentRow{App: c.text("app"), Seq: c.int("seq"), RDD: c.int("rdd"), Parent: c.int("parent_rdd")})
}

func (r *Rows) stageRDD(c *cells) {
	attempt := c.optInt("stage_attempt")
	r.StageRDDs = append(r.StageRDDs, ingest.StageRDDRow{
		App: c.text("app"), Stage: c.int("stage"), Attempt: attempt.Or(-1), RDD: c.int("rdd"), Ordinal: c.int("ordinal"), Persisted: c.bool("is_persisted"),
	})
}

func (r *Rows) task(c *cells) {
	row := ingest.TaskRow{App: c.text("app"), StartSeq: c.optInt("start_seq"), EndSeq: c.optInt("end_seq")}
	row.Machine = c.optText("machine")
	row.Task, row.Stage, row.StageAttempt = c.int("task"), c.int("stage"), c.int("stage_attempt")
	row.Index, row.Attempt, row.Partition = c.int("task_index"), c.int("attempt"), c.optInt("partition")
	row.TaskType, row.Worker, row.Speculative = c.text("task_type"), c.text("worker"), c.bool("is_speculative")
	row.LaunchMs, row.FinishMs, row.Status = c.int("launch_ms"), c.optInt("finish_ms"), ingest.Status(c.text("status"))
	row.M.RemoteBlocks, row.M.LocalBlocks = c.optInt("remote_blocks"), c.optInt("local_blocks")
	row.M.WrittenBytes = c.optInt("written_bytes")
	r.Tasks = append(r.Tasks, row)
}

func (r *Rows) resubmit(c *cells) {
	r.Resubmits = append(r.Resubmits, ingest.ResubmitRow{
		App: c.text("app"), Seq: c.int("seq"), Task: c.int("task"), Stage: c.int("stage"), Attempt: c.int("stage_attempt"), Index: c.int("task_index"), Worker: c.text("worker"),
	})
}

func (r *Rows) fetchFailure(c *cells) {
	r.FetchFailures = append(r.FetchFailures, ingest.FetchFailureRow{
		App: c.text("app"), Seq: c.int("seq"), Ms: c.optInt("at_ms"), Task: c.int("task"), Stage: c.int("stage"), Attempt: c.int("stage_attempt"), Reader: c.text("reader_worker"),
		FetchFailure: ingest.FetchFailure{
			Worker: c.text("from_worker"), Host: c.text("from_host"), Port: c.optInt("from_port"),
			Shuffle: c.optInt("engine_shuffle"), Map: c.optInt("map_id"), MapIndex: c.optInt("map_index"), Message: c.text("message"),
		},
	})
}

func (r *Rows) block(c *cells) {
	row := ingest.BlockRow{App: c.text("app"), From: c.text("told_by"), Ms: c.optInt("at_ms")}
	row.Seq, row.Worker, row.RDD, row.Partition = c.int("seq"), c.text("worker"), c.optInt("rdd"), c.optInt("partition")
	row.Shuffle, row.MapTask = c.optInt("engine_shuffle"), c.optInt("map_task")
	row.MemoryBytes, row.DiskBytes, row.Valid = c.int("memory_bytes"), c.int("disk_bytes"), c.bool("is_valid")
	r.Blocks = append(r.Blocks, row)
}

func (r *Rows) unpersist(c *cells) {
	r.Unpersists = append(r.Unpersists, ingest.UnpersistRow{App: c.text("app"), Seq: c.int("seq"), RDD: c.int("rdd"), Ms: c.optInt("at_ms")})
}

// Only returns the rows of one application.
func (r *Rows) Only(app string) *Rows {
	return &Rows{
		Apps:          only(r.Apps, app, func(x *ingest.AppRow) string { return x.App }),
		Settings:      only(r.Settings, app, func(x *ingest.SettingRow) string { return x.App }),
		Workers:       only(r.Workers, app, func(x *ingest.WorkerRow) string { return x.App }),
		Stores:        only(r.Stores, app, func(x *ingest.StoreRow) string { return x.App }),
		Jobs:          only(r.Jobs, app, func(x *ingest.JobRow) string { return x.App }),
		JobStages:     only(r.JobStages, app, func(x *ingest.JobStageRow) string { return x.App }),
		Stages:        only(r.Stages, app, func(x *ingest.StageRow) string { return x.App }),
		StageParents:  only(r.StageParents, app, func(x *ingest.StageParentRow) string { return x.App }),
		RDDs:          only(r.RDDs, app, func(x *ingest.RDDRow) string { return x.App }),
		RDDParents:    only(r.RDDParents, app, func(x *ingest.RDDParentRow) string { return x.App }),
		StageRDDs:     only(r.StageRDDs, app, func(x *ingest.StageRDDRow) string { return x.App }),
		Tasks:         only(r.Tasks, app, func(x *ingest.TaskRow) string { return x.App }),
		Resubmits:     only(r.Resubmits, app, func(x *ingest.ResubmitRow) string { return x.App }),
		FetchFailures: only(r.FetchFailures, app, func(x *ingest.FetchFailureRow) string { return x.App }),
		Blocks:        only(r.Blocks, app, func(x *ingest.BlockRow) string { return x.App }),
		Unpersists:    only(r.Unpersists, app, func(x *ingest.UnpersistRow) string { return x.App }),
	}
}

func only[R any](rows []R, app string, of func(*R) string) []R {
	var out []R
	for i := range rows {
		if of(&rows[i]) == app {
			out = append(out, rows[i])
		}
	}
	return out
}
