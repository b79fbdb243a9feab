package ingest

import (
	"tracereplay/internal/table"
)

const layer = "ingest"

// Tables are the tables that this package fills, in the order of docs/tables.md.
func Tables() []*table.Spec {
	return []*table.Spec{
		&Sources.Spec, &Problems.Spec, &EventCounts.Spec, &Apps.Spec, &SettingTable.Spec, &Machines.Spec, &Workers.Spec,
		&Stores.Spec, &Exclusions.Spec, &Jobs.Spec, &JobStages.Spec, &Stages.Spec, &StageParents.Spec,
		&RDDs.Spec, &RDDParents.Spec, &StageRDDs.Spec, &Tasks.Spec, &Resubmits.Spec, &FetchFailures.Spec,
		&Blocks.Spec, &Unpersists.Spec, &SQLs.Spec, &PlanMetrics.Spec,
		&Queries.Spec, &Progresses.Spec, &StreamSources.Spec, &States.Spec,
	}
}

// Sources declares table source.
var Sources = table.New[SourceRow](table.Meta{
	Name: "source", Layer: layer, Grain: "one row per file (or archive member) that was read", Key: []string{"log", "part"}, Order: []string{"log", "part"},
	Doc: "Maps seq back to a place: the line of seq within a part is seq - first_seq + 1.",
},
	table.Int("log", "", "", "number of the log, in the order read", func(r *SourceRow) int64 { return r.Log }),
	table.Text("log_name", "", "what the log is called in messages", func(r *SourceRow) string { return r.LogName }),
	table.Int("part", "", "", "number of the part within its log, from 0, in reading order", func(r *SourceRow) int64 { return r.Part }),
	table.Text("path", "", "the file, or archive!member", func(r *SourceRow) string { return r.Path }),
	table.Text("codec", "content", "none, gzip, zstd, lz4, snappy or lzf", func(r *SourceRow) string { return r.Codec }),
	table.OptInt("disk_bytes", "bytes", "", "size as stored", "a stream", func(r *SourceRow) table.I64 { return r.DiskBytes }),
	table.Int("text_bytes", "bytes", "", "size of the decompressed text", func(r *SourceRow) int64 { return r.TextBytes }),
	table.Int("lines", "", "", "lines, every one counted", func(r *SourceRow) int64 { return r.Lines }),
	table.Int("first_seq", "", "", "seq of the part's first line", func(r *SourceRow) int64 { return r.FirstSeq }),
)

// Problems declares table problem.
var Problems = table.New[ProblemRow](table.Meta{
	Name: "problem", Layer: layer, Grain: "one row per thing that was wrong with the input", Key: []string{"log", "seq", "kind"}, Order: []string{"log", "seq"},
	Doc: "Bytes that had to be skipped, and events that contradict each other or lack a partner that must have existed.",
},
	table.Int("log", "", "", "number of the log", func(r *ProblemRow) int64 { return r.Log }),
	table.OptText("app", "", "application", "before any application is known", func(r *ProblemRow) table.Str { return r.App }),
	table.Text("kind", "", "malformed_line, cut_line, cut_frame, corrupt_frame, missing_field, bad_value, line_too_long, missing_part, orphan_event, contradiction, compacted", func(r *ProblemRow) string { return r.Kind }),
	table.Text("file", "", "file", func(r *ProblemRow) string { return r.File }),
	table.OptInt("line", "", "", "line of the decompressed text, from 1", "not known", func(r *ProblemRow) table.I64 { return r.Line }),
	table.OptInt("byte_offset", "bytes", "", "into the decompressed text; for frames into the file itself", "not known", func(r *ProblemRow) table.I64 { return r.Offset }),
	table.OptInt("seq", "", "", "ordinal of the line over all parts of the log", "not known", func(r *ProblemRow) table.I64 { return r.Seq }),
	table.Int("skipped_bytes", "bytes", "", "what was not used", func(r *ProblemRow) int64 { return r.SkippedBytes }),
	table.Text("event", "Event", "kind of event, empty if unknown", func(r *ProblemRow) string { return r.Event }),
	table.Text("detail", "", "what was found", func(r *ProblemRow) string { return r.Detail }),
)

// EventCounts declares table event_count.
var EventCounts = table.New[EventCountRow](table.Meta{
	Name: "event_count", Layer: layer, Grain: "one row per log and kind of event", Key: []string{"log", "event"}, Order: []string{"log", "event"},
	Doc: "Kinds that no reader knows (vendor events) are counted here and are no problem.",
},
	table.Int("log", "", "", "number of the log", func(r *EventCountRow) int64 { return r.Log }),
	table.Text("event", "Event", "kind of event", func(r *EventCountRow) string { return r.Event }),
	table.Bool("is_known", "", "the kind is one that the engine itself writes", func(r *EventCountRow) bool { return r.Known }),
	table.Int("lines", "", "", "how many", func(r *EventCountRow) int64 { return r.Lines }),
)

// Apps declares table app.
var Apps = table.New[AppRow](table.Meta{
	Name: "app", Layer: layer, Grain: "one row per attempt of an application", Key: []string{"app"}, Order: []string{"app"},
	Doc: "app is the log's application id; the second and later attempts have _N behind it.",
},
	table.Text("app", "App ID", "key of the application in every table", func(r *AppRow) string { return r.App }),
	table.Int("log", "", "", "number of the log, see table source", func(r *AppRow) int64 { return r.Log }),
	table.Text("engine", "", "spark", func(r *AppRow) string { return r.Engine }),
	table.Text("engine_version", "Spark Version", "as written, empty if the log does not say", func(r *AppRow) string { return r.Version }),
	table.OptText("app_id", "App ID", "the log's own id", "the log does not say", func(r *AppRow) table.Str { return r.ID }),
	table.OptText("app_attempt", "App Attempt ID", "attempt", "the cluster manager has no attempts", func(r *AppRow) table.Str { return r.Attempt }),
	table.OptText("name", "App Name", "name", "the log does not say", func(r *AppRow) table.Str { return r.Name }),
	table.OptText("user_name", "User", "user", "the log does not say", func(r *AppRow) table.Str { return r.User }),
	table.OptInt("start_ms", "ms", "ApplicationStart.Timestamp", "start", "the log does not say", func(r *AppRow) table.I64 { return r.StartMs }),
	table.OptInt("end_ms", "ms", "ApplicationEnd.Timestamp", "end", "the log has no end: the coordinator died or still runs", func(r *AppRow) table.I64 { return r.EndMs }),
	table.OptInt("first_ms", "ms", "", "earliest time in the log", "no event carries a time", func(r *AppRow) table.I64 { return r.FirstMs }),
	table.OptInt("last_ms", "ms", "", "latest time in the log", "no event carries a time", func(r *AppRow) table.I64 { return r.LastMs }),
	table.Int("first_seq", "", "", "first line of the application", func(r *AppRow) int64 { return r.FirstSeq }),
	table.Int("last_seq", "", "", "last line of the application", func(r *AppRow) int64 { return r.LastSeq }),
	table.OptText("time_zone", "user.timezone", "the coordinator's time zone", "the log does not say", func(r *AppRow) table.Str { return r.TimeZone }),
	table.OptText("cluster_manager", "spark.master", "yarn, kubernetes, standalone, local, mesos or databricks", "the log does not say", func(r *AppRow) table.Str { return r.Manager }),
	table.OptText("coordinator_machine", "BlockManagerAdded of the driver", "host of the coordinator", "the log does not say", func(r *AppRow) table.Str { return r.CoordinatorMachine }),
	table.Bool("has_block_updates", "BlockUpdated, Updated Blocks", "the log tells where cached blocks are", func(r *AppRow) bool { return r.BlockUpdates }),
	table.Bool("is_streaming", "", "the application ran streaming queries", func(r *AppRow) bool { return r.Streaming }),
	table.Bool("is_compacted", "", "finished work was dropped from the log by compaction", func(r *AppRow) bool { return r.Compacted }),
)

// SettingTable declares table setting.
var SettingTable = table.New[SettingRow](table.Meta{
	Name: "setting", Layer: layer, Grain: "one row per setting of an application", Key: []string{"app", "scope", "name"}, Order: []string{"app", "scope", "name"},
	Doc: "Keys that were set; the engine's defaults are not in the log.",
},
	table.Text("app", "", "application", func(r *SettingRow) string { return r.App }),
	table.Text("scope", "EnvironmentUpdate", "spark, system, jvm, hadoop or metrics", func(r *SettingRow) string { return r.Scope }),
	table.Text("name", "", "key", func(r *SettingRow) string { return r.Name }),
	table.Text("value", "", "value, redacted as the engine wrote it", func(r *SettingRow) string { return r.Value }),
)

// Machines declares table machine.
var Machines = table.New[MachineRow](table.Meta{
	Name: "machine", Layer: layer, Grain: "one row per machine", Key: []string{"app", "machine"}, Order: []string{"app", "machine"},
	Doc: "Machines come from the workers' hosts, or from --machines.",
},
	table.Text("app", "", "application", func(r *MachineRow) string { return r.App }),
	table.Text("machine", "Host", "name of the machine", func(r *MachineRow) string { return r.Machine }),
	table.Bool("is_coordinator", "", "the coordinator runs here; such a machine is never in a mean", func(r *MachineRow) bool { return r.IsCoordinator }),
	table.Int("workers", "", "", "workers that ever ran here, the coordinator not counted", func(r *MachineRow) int64 { return r.Workers }),
	table.OptInt("first_ms", "ms", "", "first worker registered", "not in the log", func(r *MachineRow) table.I64 { return r.FirstMs }),
	table.OptInt("last_ms", "ms", "", "last worker removed", "a worker was there until the end", func(r *MachineRow) table.I64 { return r.LastMs }),
)

// Workers declares table worker.
var Workers = table.New[WorkerRow](table.Meta{
	Name: "worker", Layer: layer, Grain: "one row per worker, the coordinator's own store included", Key: []string{"app", "worker"}, Order: []string{"app", "added_seq", "worker"},
	Doc: "In local mode the coordinator is the only worker.",
},
	table.Text("app", "", "application", func(r *WorkerRow) string { return r.App }),
	table.Text("worker", "Executor ID", "the log's id", func(r *WorkerRow) string { return r.Worker }),
	table.OptText("host", "Host", "host as logged", "the log does not say", func(r *WorkerRow) table.Str { return r.Host }),
	table.OptText("machine", "Host, or --machines", "machine that carries the worker", "the host is a pod's address, or not logged", func(r *WorkerRow) table.Str { return r.Machine }),
	table.OptText("machine_known", "", "logged, or given (by --machines)", "machine is null", func(r *WorkerRow) table.Str { return r.MachineKnown }),
	table.Bool("is_coordinator", "", "the coordinator's own store", func(r *WorkerRow) bool { return r.IsCoordinator }),
	table.OptInt("cores", "", "Total Cores", "cores", "the log does not say", func(r *WorkerRow) table.I64 { return r.Cores }),
	table.OptInt("slots", "", "floor(cores / task cpus)", "concurrent task places", "cores are not known", func(r *WorkerRow) table.I64 { return r.Slots }),
	table.OptInt("resource_profile", "", "Resource Profile Id", "profile", "before Spark 3.1", func(r *WorkerRow) table.I64 { return r.Profile }),
	table.OptInt("memory_bytes", "bytes", "Maximum Memory", "memory for blocks", "the log does not say", func(r *WorkerRow) table.I64 { return r.MemoryBytes }),
	table.OptInt("request_ms", "ms", "Request Time", "when the engine asked for it", "before Spark 3.4, or not asked for", func(r *WorkerRow) table.I64 { return r.RequestMs }),
	table.OptInt("added_ms", "ms", "ExecutorAdded.Timestamp", "registered", "the log does not say", func(r *WorkerRow) table.I64 { return r.AddedMs }),
	table.OptInt("removed_ms", "ms", "ExecutorRemoved.Timestamp", "given up by the engine", "never, as far as the log goes", func(r *WorkerRow) table.I64 { return r.RemovedMs }),
	table.OptInt("added_seq", "", "", "line that tells of it", "the log does not say", func(r *WorkerRow) table.I64 { return r.AddedSeq }),
	table.OptInt("removed_seq", "", "", "line that tells of it", "never", func(r *WorkerRow) table.I64 { return r.RemovedSeq }),
	table.OptText("removed_reason", "Removed Reason", "the log's words", "never removed, or no reason given", func(r *WorkerRow) table.Str { return r.Reason }),
	table.OptInt("store_removed_ms", "ms", "BlockManagerRemoved.Timestamp", "its block store was last dropped; not death by itself", "never", func(r *WorkerRow) table.I64 { return r.StoreRemovedMs }),
	table.OptInt("store_removed_seq", "", "", "line that tells of it", "never", func(r *WorkerRow) table.I64 { return r.StoreRemovedSeq }),
)

// Stores declares table store.
var Stores = table.New[StoreRow](table.Meta{
	Name: "store", Layer: layer, Grain: "one row per registration or removal of a worker's block store", Key: []string{"app", "seq"}, Order: []string{"app", "seq"},
	Doc: "A store that is removed and comes back belongs to a worker that lived on.",
},
	table.Text("app", "", "application", func(r *StoreRow) string { return r.App }),
	table.Int("seq", "", "", "line", func(r *StoreRow) int64 { return r.Seq }),
	table.Text("worker", "Executor ID", "worker", func(r *StoreRow) string { return r.Worker }),
	table.OptInt("at_ms", "ms", "Timestamp", "when", "the log does not say", func(r *StoreRow) table.I64 { return r.Ms }),
	table.Bool("is_added", "", "registered, else removed", func(r *StoreRow) bool { return r.Added }),
)

// Exclusions declares table exclusion.
var Exclusions = table.New[ExclusionRow](table.Meta{
	Name: "exclusion", Layer: layer, Grain: "one row per exclusion of a worker or machine", Key: []string{"app", "seq"}, Order: []string{"app", "seq"},
},
	table.Text("app", "", "application", func(r *ExclusionRow) string { return r.App }),
	table.Int("seq", "", "", "line", func(r *ExclusionRow) int64 { return r.Seq }),
	table.OptInt("at_ms", "ms", "time", "when", "the log does not say", func(r *ExclusionRow) table.I64 { return r.Ms }),
	table.OptText("worker", "executorId", "worker excluded", "a machine was", func(r *ExclusionRow) table.Str { return table.NonEmpty(r.Worker) }),
	table.OptText("machine", "hostId", "machine excluded", "a worker was", func(r *ExclusionRow) table.Str { return table.NonEmpty(r.Host) }),
	table.OptInt("stage", "", "stageId", "only for this stage", "for the whole application", func(r *ExclusionRow) table.I64 { return r.Stage }),
	table.OptInt("failures", "", "taskFailures", "task failures that led to it", "the log does not say", func(r *ExclusionRow) table.I64 { return r.Failures }),
	table.Bool("is_lifted", "", "the exclusion ended", func(r *ExclusionRow) bool { return r.Back }),
)

// Jobs declares table job.
var Jobs = table.New[JobRow](table.Meta{
	Name: "job", Layer: layer, Grain: "one row per job", Key: []string{"app", "job"}, Order: []string{"app", "job"},
},
	table.Text("app", "", "application", func(r *JobRow) string { return r.App }),
	table.Int("job", "", "Job ID", "the log's id", func(r *JobRow) int64 { return r.Job }),
	table.OptInt("submit_ms", "ms", "Submission Time", "submitted", "the start is not in the log", func(r *JobRow) table.I64 { return r.SubmitMs }),
	table.OptInt("end_ms", "ms", "Completion Time", "ended", "never ended", func(r *JobRow) table.I64 { return r.EndMs }),
	table.OptInt("submit_seq", "", "", "line of the start", "the start is not in the log", func(r *JobRow) table.I64 { return r.SubmitSeq }),
	table.OptInt("end_seq", "", "", "line of the end", "never ended", func(r *JobRow) table.I64 { return r.EndSeq }),
	table.OptText("outcome", "Job Result", "succeeded or failed", "never ended", func(r *JobRow) table.Str { return r.Outcome }),
	table.OptText("failure", "Job Result.Exception", "why it failed", "it did not fail", func(r *JobRow) table.Str { return r.Failure }),
	table.Int("stages", "", "Stage IDs", "stages it may need, run or skipped", func(r *JobRow) int64 { return r.Stages }),
	table.OptInt("sql_execution", "", "spark.sql.execution.id", "SQL execution", "not SQL", func(r *JobRow) table.I64 { return r.P.Execution }),
	table.OptInt("root_execution", "", "spark.sql.execution.root.id", "root SQL execution", "not SQL, or before Spark 3.4", func(r *JobRow) table.I64 { return r.P.RootExecution }),
	table.OptText("pool", "spark.scheduler.pool", "scheduler pool", "default", func(r *JobRow) table.Str { return table.NonEmpty(r.P.Pool) }),
	table.OptText("job_group", "spark.jobGroup.id", "job group", "none", func(r *JobRow) table.Str { return table.NonEmpty(r.P.Group) }),
	table.OptText("description", "spark.job.description", "description", "none", func(r *JobRow) table.Str { return table.NonEmpty(r.P.Description) }),
	table.OptText("query", "sql.streaming.queryId", "streaming query", "not streaming", func(r *JobRow) table.Str { return table.NonEmpty(r.P.QueryID) }),
	table.OptText("query_run", "", "run of the streaming query", "not streaming, or not in the log", func(r *JobRow) table.Str { return table.NonEmpty(r.P.RunID) }),
	table.OptInt("batch", "", "streaming.sql.batchId", "micro-batch", "not streaming", func(r *JobRow) table.I64 { return r.P.Batch }),
)

// JobStages declares table job_stage.
var JobStages = table.New[JobStageRow](table.Meta{
	Name: "job_stage", Layer: layer, Grain: "one row per job and stage it may need", Key: []string{"app", "job", "stage"}, Order: []string{"app", "job", "stage"},
	Doc: "A stage without a row in table stage was skipped: its output was there already, a cache cut it off, or the job failed first.",
},
	table.Text("app", "", "application", func(r *JobStageRow) string { return r.App }),
	table.Int("job", "", "Job ID", "job", func(r *JobStageRow) int64 { return r.Job }),
	table.Int("stage", "", "Stage ID", "stage", func(r *JobStageRow) int64 { return r.Stage }),
	table.Int("tasks", "", "Number of Tasks", "tasks of the whole stage; 0 when the log lists only the id", func(r *JobStageRow) int64 { return r.Tasks }),
	table.OptInt("rdd", "", "RDD Info[0]", "the stage's own RDD", "the log lists only the id", func(r *JobStageRow) table.I64 { return r.RDD }),
)

// Stages declares table stage.
var Stages = table.New[StageRow](table.Meta{
	Name: "stage", Layer: layer, Grain: "one row per stage attempt that was submitted", Key: []string{"app", "stage", "stage_attempt"}, Order: []string{"app", "submit_seq"},
	Doc: "A stage is a round. tasks counts those of this attempt, which may be a part of the stage.",
},
	table.Text("app", "", "application", func(r *StageRow) string { return r.App }),
	table.Int("stage", "", "Stage ID", "the log's id", func(r *StageRow) int64 { return r.Info.Stage }),
	table.Int("stage_attempt", "", "Stage Attempt ID", "attempt, from 0; 1 may come without 0", func(r *StageRow) int64 { return r.Info.Attempt }),
	table.OptInt("job", "", "lowest running job that lists the stage", "job", "no running job lists it", func(r *StageRow) table.I64 { return r.Job }),
	table.Text("name", "Stage Name", "call site", func(r *StageRow) string { return r.Info.Name }),
	table.OptText("kind", "Task Type", "map (writes a shuffle) or result", "no task of it ended", func(r *StageRow) table.Str { return r.Kind }),
	table.Int("tasks", "", "Number of Tasks", "tasks of this attempt", func(r *StageRow) int64 { return r.Info.Tasks }),
	table.OptInt("rdd", "", "RDD Info[0]", "the stage's own RDD", "the log does not say", func(r *StageRow) table.I64 {
		if len(r.Info.RDDs) == 0 {
			return table.I64{}
		}
		return table.Some(r.Info.RDDs[0].RDD)
	}),
	table.OptInt("partitions", "", "Number of Partitions of RDD Info[0]", "partitions of the stage's own RDD", "the log does not say", func(r *StageRow) table.I64 {
		if len(r.Info.RDDs) == 0 {
			return table.I64{}
		}
		return table.Some(r.Info.RDDs[0].Partitions)
	}),
	table.OptInt("submit_ms", "ms", "Submission Time", "submitted", "nothing was missing, or not in the log", func(r *StageRow) table.I64 { return r.Info.SubmitMs }),
	table.OptInt("complete_ms", "ms", "Completion Time", "ended", "never ended", func(r *StageRow) table.I64 { return r.Info.CompleteMs }),
	table.OptInt("submit_seq", "", "", "line of the submission", "not in the log", func(r *StageRow) table.I64 { return r.SubmitSeq }),
	table.OptInt("complete_seq", "", "", "line of the end", "never ended", func(r *StageRow) table.I64 { return r.CompleteSeq }),
	table.OptText("failure", "Failure Reason", "why it failed", "it did not fail", func(r *StageRow) table.Str { return table.NonEmpty(r.Info.Failure) }),
	table.OptInt("resource_profile", "", "Resource Profile Id", "profile", "before Spark 3.1", func(r *StageRow) table.I64 { return r.Info.Profile }),
)

// StageParents declares table stage_parent.
var StageParents = table.New[StageParentRow](table.Meta{
	Name: "stage_parent", Layer: layer, Grain: "one row per stage and parent stage, as listed", Key: []string{"app", "stage", "parent_stage"}, Order: []string{"app", "stage", "parent_stage"},
	Doc: "Lists every shuffle parent, even where a cache cuts the path. Absent before Spark 1.4.",
},
	table.Text("app", "", "application", func(r *StageParentRow) string { return r.App }),
	table.Int("stage", "", "Stage ID", "stage", func(r *StageParentRow) int64 { return r.Stage }),
	table.Int("parent_stage", "", "Parent IDs", "stage that writes what this one reads", func(r *StageParentRow) int64 { return r.Parent }),
)

// RDDs declares table rdd.
var RDDs = table.New[RDDRow](table.Meta{
	Name: "rdd", Layer: layer, Grain: "one row per RDD and change of its description", Key: []string{"app", "rdd", "seq"}, Order: []string{"app", "seq", "rdd"},
	Doc: "A checkpoint changes an RDD's parents; then a further row follows.",
},
	table.Text("app", "", "application", func(r *RDDRow) string { return r.App }),
	table.Int("seq", "", "", "line that tells of it", func(r *RDDRow) int64 { return r.Seq }),
	table.Int("rdd", "", "RDD ID", "the log's id", func(r *RDDRow) int64 { return r.RDD }),
	table.Text("name", "Name", "class or given name", func(r *RDDRow) string { return r.Name }),
	table.Text("scope", "Scope.name", "operation", func(r *RDDRow) string { return r.Scope }),
	table.Text("call_site", "Callsite", "call site", func(r *RDDRow) string { return r.CallSite }),
	table.Int("partitions", "", "Number of Partitions", "partitions", func(r *RDDRow) int64 { return r.Partitions }),
	table.Bool("is_persisted", "Storage Level", "kept by the engine when computed", func(r *RDDRow) bool { return r.Persisted() }),
	table.Int("replication", "", "Storage Level.Replication", "copies of a kept block", func(r *RDDRow) int64 { return r.Replication }),
	table.Bool("is_barrier", "Barrier", "barrier stage", func(r *RDDRow) bool { return r.Barrier }),
	table.OptText("deterministic", "DeterministicLevel", "DETERMINATE, UNORDERED or INDETERMINATE", "before Spark 3.2", func(r *RDDRow) table.Str { return table.NonEmpty(r.Deterministic) }),
)

// RDDParents declares table rdd_parent.
var RDDParents = table.New[RDDParentRow](table.Meta{
	Name: "rdd_parent", Layer: layer, Grain: "one row per RDD, description and parent", Key: []string{"app", "rdd", "seq", "parent_rdd"}, Order: []string{"app", "seq", "rdd", "parent_rdd"},
},
	table.Text("app", "", "application", func(r *RDDParentRow) string { return r.App }),
	table.Int("seq", "", "", "line that tells of it, see table rdd", func(r *RDDParentRow) int64 { return r.Seq }),
	table.Int("rdd", "", "RDD ID", "RDD", func(r *RDDParentRow) int64 { return r.RDD }),
	table.Int("parent_rdd", "", "Parent IDs", "parent, narrow or through a shuffle", func(r *RDDParentRow) int64 { return r.Parent }),
)

// StageRDDs declares table stage_rdd.
var StageRDDs = table.New[StageRDDRow](table.Meta{
	Name: "stage_rdd", Layer: layer, Grain: "one row per RDD inside a stage", Key: []string{"app", "stage", "stage_attempt", "rdd"}, Order: []string{"app", "stage", "stage_attempt", "ordinal"},
	Doc: "stage_attempt is null for a stage that is only known from a job's start.",
},
	table.Text("app", "", "application", func(r *StageRDDRow) string { return r.App }),
	table.Int("stage", "", "Stage ID", "stage", func(r *StageRDDRow) int64 { return r.Stage }),
	table.OptInt("stage_attempt", "", "Stage Attempt ID", "attempt", "listed by a job's start", func(r *StageRDDRow) table.I64 {
		return table.I64{V: r.Attempt, OK: r.Attempt >= 0}
	}),
	table.Int("rdd", "", "RDD ID", "RDD", func(r *StageRDDRow) int64 { return r.RDD }),
	table.Int("ordinal", "", "RDD Info", "0 = the stage's own RDD; the others are its narrow ancestors in no order", func(r *StageRDDRow) int64 { return r.Ordinal }),
	table.Bool("is_persisted", "Storage Level", "kept by the engine when computed, as of this attempt", func(r *StageRDDRow) bool { return r.Persisted }),
)

// Resubmits declares table resubmit.
var Resubmits = table.New[ResubmitRow](table.Meta{
	Name: "resubmit", Layer: layer, Grain: "one row per notice that an ended task's output was lost", Key: []string{"app", "seq"}, Order: []string{"app", "seq"},
	Doc: "Evidence of loss, never a task: it repeats the ended task's own description.",
},
	table.Text("app", "", "application", func(r *ResubmitRow) string { return r.App }),
	table.Int("seq", "", "", "line", func(r *ResubmitRow) int64 { return r.Seq }),
	table.Int("task", "", "Task ID", "the ended task", func(r *ResubmitRow) int64 { return r.Task }),
	table.Int("stage", "", "Stage ID", "stage", func(r *ResubmitRow) int64 { return r.Stage }),
	table.Int("stage_attempt", "", "Stage Attempt ID", "attempt", func(r *ResubmitRow) int64 { return r.Attempt }),
	table.Int("task_index", "", "Index", "position in the attempt's task set", func(r *ResubmitRow) int64 { return r.Index }),
	table.Text("worker", "Executor ID", "worker whose loss it tells of", func(r *ResubmitRow) string { return r.Worker }),
)

// FetchFailures declares table fetch_failure.
var FetchFailures = table.New[FetchFailureRow](table.Meta{
	Name: "fetch_failure", Layer: layer, Grain: "one row per reader that failed to read an output", Key: []string{"app", "seq"}, Order: []string{"app", "seq"},
},
	table.Text("app", "", "application", func(r *FetchFailureRow) string { return r.App }),
	table.Int("seq", "", "", "line", func(r *FetchFailureRow) int64 { return r.Seq }),
	table.OptInt("at_ms", "ms", "Finish Time", "when the reader ended", "the log does not say", func(r *FetchFailureRow) table.I64 { return r.Ms }),
	table.Int("task", "", "Task ID", "the reader", func(r *FetchFailureRow) int64 { return r.Task }),
	table.Int("stage", "", "Stage ID", "the reader's stage", func(r *FetchFailureRow) int64 { return r.Stage }),
	table.Int("stage_attempt", "", "Stage Attempt ID", "attempt", func(r *FetchFailureRow) int64 { return r.Attempt }),
	table.Text("reader_worker", "Executor ID", "the reader's worker", func(r *FetchFailureRow) string { return r.Reader }),
	table.OptText("from_worker", "Block Manager Address", "worker that should have served", "the coordinator knew no location", func(r *FetchFailureRow) table.Str { return table.NonEmpty(r.Worker) }),
	table.OptText("from_host", "Block Manager Address", "its host", "the coordinator knew no location", func(r *FetchFailureRow) table.Str { return table.NonEmpty(r.Host) }),
	table.OptInt("from_port", "", "Block Manager Address", "its port; a shuffle service's port means the service failed", "the coordinator knew no location", func(r *FetchFailureRow) table.I64 { return r.Port }),
	table.OptInt("engine_shuffle", "", "Shuffle ID", "the engine's own shuffle id", "the log does not say", func(r *FetchFailureRow) table.I64 { return r.Shuffle }),
	table.OptInt("map_id", "", "Map ID", "task that wrote the output (Spark 3.0 and later), before: its partition", "no output in particular", func(r *FetchFailureRow) table.I64 { return r.Map }),
	table.OptInt("map_index", "", "Map Index", "partition of the output", "before Spark 3.0, or no output in particular", func(r *FetchFailureRow) table.I64 { return r.MapIndex }),
	table.OptText("message", "Message", "first line", "none", func(r *FetchFailureRow) table.Str { return table.NonEmpty(r.Message) }),
)

// Blocks declares table block.
var Blocks = table.New[BlockRow](table.Meta{
	Name: "block", Layer: layer, Grain: "one row per logged change of where a block is kept", Key: []string{"app", "seq", "worker", "rdd", "partition"}, Order: []string{"app", "seq"},
	Doc: "Cached blocks, and the files of map outputs that move when a worker is decommissioned. Only in logs with block updates.",
},
	table.Text("app", "", "application", func(r *BlockRow) string { return r.App }),
	table.Int("seq", "", "", "line", func(r *BlockRow) int64 { return r.Seq }),
	table.Text("told_by", "", "block_update or task", func(r *BlockRow) string { return r.From }),
	table.OptInt("at_ms", "ms", "", "latest time in the log before it; the event itself has none", "no time before it", func(r *BlockRow) table.I64 { return r.Ms }),
	table.Text("worker", "Block Manager ID", "worker", func(r *BlockRow) string { return r.Worker }),
	table.OptInt("rdd", "", "Block ID", "RDD of a cached block", "a map output's file", func(r *BlockRow) table.I64 { return r.RDD }),
	table.OptInt("partition", "", "Block ID", "partition of a cached block", "a map output's file", func(r *BlockRow) table.I64 { return r.Partition }),
	table.OptInt("engine_shuffle", "", "Block ID", "the engine's shuffle id", "a cached block", func(r *BlockRow) table.I64 { return r.Shuffle }),
	table.OptInt("map_task", "", "Block ID", "task that wrote the output", "a cached block", func(r *BlockRow) table.I64 { return r.MapTask }),
	table.Int("memory_bytes", "bytes", "Memory Size", "in memory", func(r *BlockRow) int64 { return r.MemoryBytes }),
	table.Int("disk_bytes", "bytes", "Disk Size", "on disk", func(r *BlockRow) int64 { return r.DiskBytes }),
	table.Bool("is_valid", "Storage Level", "kept; false: dropped", func(r *BlockRow) bool { return r.Valid }),
)

// Unpersists declares table unpersist.
var Unpersists = table.New[UnpersistRow](table.Meta{
	Name: "unpersist", Layer: layer, Grain: "one row per RDD that is no longer kept", Key: []string{"app", "seq"}, Order: []string{"app", "seq"},
},
	table.Text("app", "", "application", func(r *UnpersistRow) string { return r.App }),
	table.Int("seq", "", "", "line", func(r *UnpersistRow) int64 { return r.Seq }),
	table.Int("rdd", "", "RDD ID", "RDD", func(r *UnpersistRow) int64 { return r.RDD }),
	table.OptInt("at_ms", "ms", "", "latest time in the log before it; the event itself has none", "no time before it", func(r *UnpersistRow) table.I64 { return r.Ms }),
)

// SQLs declares table sql_execution.
var SQLs = table.New[SQLRow](table.Meta{
	Name: "sql_execution", Layer: layer, Grain: "one row per SQL execution", Key: []string{"app", "sql_execution"}, Order: []string{"app", "sql_execution"},
},
	table.Text("app", "", "application", func(r *SQLRow) string { return r.App }),
	table.Int("sql_execution", "", "executionId", "the log's id", func(r *SQLRow) int64 { return r.Execution }),
	table.OptInt("root_execution", "", "rootExecutionId", "root", "before Spark 3.4", func(r *SQLRow) table.I64 { return r.Root }),
	table.OptText("description", "description", "description", "none", func(r *SQLRow) table.Str { return r.Description }),
	table.OptInt("start_ms", "ms", "time", "started", "the start is not in the log", func(r *SQLRow) table.I64 { return r.StartMs }),
	table.OptInt("end_ms", "ms", "time", "ended", "never ended", func(r *SQLRow) table.I64 { return r.EndMs }),
	table.Int("seq", "", "", "first line that tells of it", func(r *SQLRow) int64 { return r.Seq }),
	table.OptText("error", "errorMessage", "why it failed", "it did not fail, or before Spark 3.4", func(r *SQLRow) table.Str { return r.Error }),
	table.Int("plans", "", "", "plans logged: 1 and one per adaptive change", func(r *SQLRow) int64 { return r.Plans }),
)

// PlanMetrics declares table plan_metric.
var PlanMetrics = table.New[PlanMetricRow](table.Meta{
	Name: "plan_metric", Layer: layer, Grain: "one row per metric of an operator in an execution's last plan", Key: []string{"app", "sql_execution", "node", "accumulator"}, Order: []string{"app", "sql_execution", "node"},
},
	table.Text("app", "", "application", func(r *PlanMetricRow) string { return r.App }),
	table.Int("sql_execution", "", "executionId", "SQL execution", func(r *PlanMetricRow) int64 { return r.Execution }),
	table.Int("node", "", "", "operator, in pre-order", func(r *PlanMetricRow) int64 { return r.Node }),
	table.Int("depth", "", "", "depth in the plan's tree", func(r *PlanMetricRow) int64 { return r.Depth }),
	table.Text("node_name", "nodeName", "operator", func(r *PlanMetricRow) string { return r.Name }),
	table.Text("metric", "metrics.name", "metric", func(r *PlanMetricRow) string { return r.Metric }),
	table.Int("accumulator", "", "accumulatorId", "accumulator", func(r *PlanMetricRow) int64 { return r.Accumulator }),
)
