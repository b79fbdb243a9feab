package lineage

import "tracereplay/internal/table"

const layer = "lineage"

// Tables are the tables that this package fills, in the order of docs/tables.md.
func Tables() []*table.Spec {
	return []*table.Spec{
		&Datasets.Spec, &Inputs.Spec, &Needs.Spec, &Attempts.Spec, &Outputs.Spec, &Holders.Spec, &Residences.Spec,
		&Removals.Spec, &RemovalWorkers.Spec, &Reruns.Spec, &StatePartitions.Spec, &RecoveryPoints.Spec, &Checks.Spec, &Findings.Spec,
	}
}

// Datasets declares table dataset.
var Datasets = table.New[DatasetRow](table.Meta{
	Name: "dataset", Layer: layer, Grain: "one row per shuffle or cached RDD", Key: []string{"app", "dataset"}, Order: []string{"app", "dataset"},
	Doc: "A shuffle is what one producing stage hands to its readers, across all its stage ids and attempts: its key is (rdd, reading_rdd, ordinal). View shuffle shows the rows of kind shuffle.",
},
	table.Text("app", "", "application", func(r *DatasetRow) string { return r.App }),
	table.Int("dataset", "", "", "number, in order of appearance", func(r *DatasetRow) int64 { return r.Dataset }),
	table.Text("kind", "", "shuffle or cache", func(r *DatasetRow) string { return r.Kind }),
	table.Int("rdd", "", "RDD Info", "RDD that the map tasks compute, or the cached RDD", func(r *DatasetRow) int64 { return r.RDD }),
	table.OptInt("reading_rdd", "", "RDD Info", "RDD that reads it", "SQL (the map RDD alone is the key), a cache, or no reader seen", func(r *DatasetRow) table.I64 { return r.ReadingRDD }),
	table.Int("ordinal", "", "", "tells shuffles of one pair of RDDs apart", func(r *DatasetRow) int64 { return r.Ordinal }),
	table.OptInt("engine_shuffle", "", "Shuffle ID", "the engine's own id, from a fetch failure or a moved file", "the log does not say", func(r *DatasetRow) table.I64 { return r.EngineShuffle }),
	table.OptInt("partitions", "", "Number of Partitions", "outputs when complete", "not known", func(r *DatasetRow) table.I64 { return r.Partitions }),
	table.Text("name", "Stage Name", "call site of the stage that made it", func(r *DatasetRow) string { return r.Name }),
	table.OptInt("first_stage", "", "Stage ID", "stage that made it first", "never made", func(r *DatasetRow) table.I64 { return r.FirstStage }),
	table.Int("replication", "", "Storage Level", "copies the engine keeps", func(r *DatasetRow) int64 { return r.Replication }),
	table.Bool("is_rollback", "Barrier, DeterministicLevel", "lost in part, it is run again in whole", func(r *DatasetRow) bool { return r.Rollback }),
	table.OptInt("last_read_ms", "ms", "", "last reader's end", "never read", func(r *DatasetRow) table.I64 { return r.LastReadMs }),
	table.OptInt("live_until_ms", "ms", "", "end of the last job that made or might have read it; later the engine may have deleted it, which no log tells", "such a job was open when the log ended, or no job is known", func(r *DatasetRow) table.I64 { return r.LiveUntilMs }),
	table.Text("known", "", "how its identity is known: logged, derived, inferred", func(r *DatasetRow) string { return r.Known }),
)

// Inputs declares table input.
var Inputs = table.New[InputRow](table.Meta{
	Name: "input", Layer: layer, Grain: "one row per dataset and dataset that must exist to make it", Key: []string{"app", "dataset", "input_dataset"}, Order: []string{"app", "dataset", "input_dataset"},
	Doc: "The nearest shuffles and cached RDDs below; a reliable checkpoint has none below it.",
},
	table.Text("app", "", "application", func(r *InputRow) string { return r.App }),
	table.Int("dataset", "", "RDD Info", "dataset that is made", func(r *InputRow) int64 { return r.Dataset }),
	table.Int("input_dataset", "", "RDD Info", "dataset that is read for it", func(r *InputRow) int64 { return r.Input }),
	table.Text("known", "", "derived or inferred", func(r *InputRow) string { return r.Known }),
)

// Needs declares table need.
var Needs = table.New[NeedRow](table.Meta{
	Name: "need", Layer: layer, Grain: "one row per dataset and stage attempt that reads it", Key: []string{"app", "dataset", "stage", "stage_attempt"}, Order: []string{"app", "dataset", "stage", "stage_attempt"},
	Doc: "At t the dataset is needed at most (high) when from_ms <= t < until_ms. It is surely needed (low) when, besides, t < submit_ms, or is_dense and (t < last_start_ms or a task of the attempt runs on the unit that is lost).",
},
	table.Text("app", "", "application", func(r *NeedRow) string { return r.App }),
	table.Int("dataset", "", "", "dataset", func(r *NeedRow) int64 { return r.Dataset }),
	table.Int("stage", "", "", "reading stage", func(r *NeedRow) int64 { return r.Stage }),
	table.Int("stage_attempt", "", "", "attempt", func(r *NeedRow) int64 { return r.StageAttempt }),
	table.OptInt("job", "", "", "job of the reading stage", "no job lists it", func(r *NeedRow) table.I64 { return r.Job }),
	table.OptInt("through_cache", "", "", "cached RDD (dataset) that stands between and was not complete", "read directly", func(r *NeedRow) table.I64 { return r.ThroughCache }),
	table.OptInt("from_ms", "ms", "", "needed from here on", "from the moment that an output exists; set when the reading attempt only repeats work that had been done", func(r *NeedRow) table.I64 { return r.FromMs }),
	table.OptInt("submit_ms", "ms", "", "the reading attempt was submitted; for a stage that its unfinished job never submitted, until_ms", "not in the log", func(r *NeedRow) table.I64 { return r.SubmitMs }),
	table.OptInt("last_start_ms", "ms", "", "its last reader was launched, copies of slow ones apart", "no reader was launched", func(r *NeedRow) table.I64 { return r.LastStartMs }),
	table.Int("until_ms", "ms", "", "its last reader ended; the end of the log when it never did", func(r *NeedRow) int64 { return r.UntilMs }),
	table.Bool("is_rerun", "", "the attempt only repeats pieces that had succeeded before", func(r *NeedRow) bool { return r.IsRerun }),
	table.Int("readers", "", "", "tasks of the attempt that were launched", func(r *NeedRow) int64 { return r.Readers }),
	table.Int("finished_readers", "", "", "of those, ended in success", func(r *NeedRow) int64 { return r.FinishedReaders }),
	table.OptInt("blocks_fetched", "", "Blocks Fetched", "blocks that finished readers fetched, over all their inputs", "no reader finished, or a cache", func(r *NeedRow) table.I64 { return r.BlocksFetched }),
	table.OptInt("blocks_possible", "", "", "finished readers x outputs with bytes, over all their inputs", "no reader finished, or a cache", func(r *NeedRow) table.I64 { return r.BlocksPossible }),
	table.OptFloat("density", "1", "blocks_fetched / blocks_possible", "share of the outputs that a reader fetches", "unknown", func(r *NeedRow) table.Opt[float64] { return r.Density }),
	table.OptBool("is_dense", "", "density >= 0.98", "unknown: counts as not dense in low figures", func(r *NeedRow) table.Opt[bool] { return r.Dense }),
	table.Text("known", "", "derived or inferred", func(r *NeedRow) string { return r.Known }),
)

// Attempts declares table attempt.
var Attempts = table.New[AttemptRow](table.Meta{
	Name: "attempt", Layer: layer, Grain: "one row per task attempt that was launched", Key: []string{"app", "task"}, Order: []string{"app", "task"},
	Doc: "What the loss queries need of a task; all that the log says of it is in table task.",
},
	table.Text("app", "", "application", func(r *AttemptRow) string { return r.App }),
	table.Int("task", "", "Task ID", "task attempt", func(r *AttemptRow) int64 { return r.Task }),
	table.OptInt("job", "", "", "job", "no job lists its stage", func(r *AttemptRow) table.I64 { return r.Job }),
	table.Int("stage", "", "Stage ID", "stage", func(r *AttemptRow) int64 { return r.Stage }),
	table.Int("stage_attempt", "", "Stage Attempt ID", "attempt of the stage", func(r *AttemptRow) int64 { return r.StageAttempt }),
	table.Int("task_index", "", "Index", "position in the attempt's task set", func(r *AttemptRow) int64 { return r.Index }),
	table.OptInt("partition", "", "Partition ID, or rebuilt", "piece of the stage", "cannot be told", func(r *AttemptRow) table.I64 { return r.Partition }),
	table.OptText("partition_known", "", "logged or derived", "partition is null", func(r *AttemptRow) table.Str { return r.PartitionKnown }),
	table.OptInt("dataset", "", "", "shuffle that the task writes", "it writes none (a result), or its kind is not known", func(r *AttemptRow) table.I64 { return r.Dataset }),
	table.Text("worker", "Executor ID", "worker", func(r *AttemptRow) string { return r.Worker }),
	table.OptText("machine", "", "machine", "see table worker", func(r *AttemptRow) table.Str { return r.Machine }),
	table.Int("start_ms", "ms", "Launch Time", "launched", func(r *AttemptRow) int64 { return r.StartMs }),
	table.Int("end_ms", "ms", "Finish Time", "ended; for one without an end, when its worker was given up, else the end of the log", func(r *AttemptRow) int64 { return r.EndMs }),
	table.Bool("is_ended", "", "its end is in the log", func(r *AttemptRow) bool { return r.Ended }),
	table.Text("status", "", "as in table task", func(r *AttemptRow) string { return r.Status }),
	table.Bool("is_speculative", "", "a copy of a slow attempt", func(r *AttemptRow) bool { return r.Speculative }),
	table.Bool("is_rerun", "", "its piece had succeeded before it was launched", func(r *AttemptRow) bool { return r.IsRerun }),
	table.OptInt("warm_ms", "ms", "", "its time with a fresh worker's start-up taken out (estimate)", "no estimate", func(r *AttemptRow) table.I64 { return r.WarmMs }),
)

// Outputs declares table output.
var Outputs = table.New[OutputRow](table.Meta{
	Name: "output", Layer: layer, Grain: "one row per output that came into being: a map task's share of a shuffle, or a cached block", Key: []string{"app", "output"}, Order: []string{"app", "made_ms", "output"},
	Doc: "A piece that ran again has a further row; the later one is the one that counts.",
},
	table.Text("app", "", "application", func(r *OutputRow) string { return r.App }),
	table.Int("output", "", "", "number", func(r *OutputRow) int64 { return r.Output }),
	table.Int("dataset", "", "", "dataset", func(r *OutputRow) int64 { return r.Dataset }),
	table.Int("partition", "", "", "piece of the dataset", func(r *OutputRow) int64 { return r.Partition }),
	table.OptInt("task", "", "Task ID", "task that made it", "not known (a moved or replicated cached block)", func(r *OutputRow) table.I64 { return r.Task }),
	table.OptInt("stage", "", "Stage ID", "its stage", "task is null", func(r *OutputRow) table.I64 { return r.Stage }),
	table.OptInt("stage_attempt", "", "", "its attempt", "task is null", func(r *OutputRow) table.I64 { return r.StageAttempt }),
	table.Text("worker", "Executor ID", "worker that made it", func(r *OutputRow) string { return r.Worker }),
	table.Int("made_ms", "ms", "Finish Time", "reported finished", func(r *OutputRow) int64 { return r.MadeMs }),
	table.Int("made_seq", "", "", "line that told of it", func(r *OutputRow) int64 { return r.MadeSeq }),
	table.Int("cost_ms", "slot ms", "Finish Time - Launch Time", "what making it took", func(r *OutputRow) int64 { return r.CostMs }),
	table.OptInt("warm_ms", "slot ms", "", "the same with a fresh worker's start-up taken out (estimate)", "no estimate", func(r *OutputRow) table.I64 { return r.WarmMs }),
	table.OptInt("bytes", "bytes", "Shuffle Bytes Written; Memory Size + Disk Size", "size; how it divides among readers is not in the log", "the log does not say", func(r *OutputRow) table.I64 { return r.Bytes }),
	table.Bool("is_rerun", "", "the piece had been made before", func(r *OutputRow) bool { return r.IsRerun }),
	table.Text("known", "", "logged; inferred for cached blocks without block updates", func(r *OutputRow) string { return r.Known }),
)

// Holders declares table holder.
var Holders = table.New[HolderRow](table.Meta{
	Name: "holder", Layer: layer, Grain: "one row per thing that keeps outputs", Key: []string{"app", "holder"}, Order: []string{"app", "holder"},
	Doc: "A machine's withdrawal takes its workers' holders and its own; a worker's exit only the worker's.",
},
	table.Text("app", "", "application", func(r *HolderRow) string { return r.App }),
	table.Text("holder", "", "worker:ID, machine:NAME (its shuffle service), service:NAME or store", func(r *HolderRow) string { return r.Holder }),
	table.Text("dies_with", "settings", "worker, machine, service or never", func(r *HolderRow) string { return r.DiesWith }),
	table.OptText("worker", "", "worker", "not a worker's", func(r *HolderRow) table.Str { return r.Worker }),
	table.OptText("machine", "", "machine", "not known, or outside the cluster", func(r *HolderRow) table.Str { return r.Machine }),
	table.OptText("service", "", "server of a remote shuffle service", "no such service", func(r *HolderRow) table.Str { return r.Service }),
)

// Residences declares table residence.
var Residences = table.New[ResidenceRow](table.Meta{
	Name: "residence", Layer: layer, Grain: "one row per copy of an output on one holder", Key: []string{"app", "output", "holder"}, Order: []string{"app", "output", "from_ms"},
	Doc: "Alive at t when from_ms <= t < to_ms; never, when these are equal. Silent deletion of shuffles that nobody can read any more is not in the log.",
},
	table.Text("app", "", "application", func(r *ResidenceRow) string { return r.App }),
	table.Int("output", "", "", "output", func(r *ResidenceRow) int64 { return r.Output }),
	table.Text("holder", "", "holder", func(r *ResidenceRow) string { return r.Holder }),
	table.Int("from_ms", "ms", "", "stands there from", func(r *ResidenceRow) int64 { return r.FromMs }),
	table.Int("from_seq", "", "", "line that told of it", func(r *ResidenceRow) int64 { return r.FromSeq }),
	table.OptInt("to_ms", "ms", "", "until", "the end of the log", func(r *ResidenceRow) table.I64 { return r.ToMs }),
	table.OptText("end_reason", "", "worker_removed, machine_removed, fetch_failed, store_removed, replaced, moved, unpersisted, evicted, rolled_back, or not_registered (at once: the engine had given the worker up)", "still there", func(r *ResidenceRow) table.Str { return r.EndReason }),
	table.OptInt("removal", "", "", "removal that destroyed it", "no removal did", func(r *ResidenceRow) table.I64 { return r.Removal }),
	table.OptInt("end_seq", "", "", "line that ended it", "still there", func(r *ResidenceRow) table.I64 { return r.EndSeq }),
	table.Text("known", "", "logged, derived, inferred or bound", func(r *ResidenceRow) string { return r.Known }),
)

// Removals declares table removal.
var Removals = table.New[RemovalRow](table.Meta{
	Name: "removal", Layer: layer, Grain: "one row per worker or machine that left", Key: []string{"app", "removal"}, Order: []string{"app", "removal"},
	Doc: "All workers of one machine gone within 10 s are one removal, unless their stated reasons say otherwise.",
},
	table.Text("app", "", "application", func(r *RemovalRow) string { return r.App }),
	table.Int("removal", "", "", "number, in log order, from 1", func(r *RemovalRow) int64 { return r.Removal }),
	table.Int("removal_group", "", "", "removals close together share a group", func(r *RemovalRow) int64 { return r.Group }),
	table.Text("kind", "Removed Reason, timing", "release, exit, withdrawal or unknown (costed as an exit; a withdrawal looks the same)", func(r *RemovalRow) string { return r.Kind }),
	table.Text("unit_kind", "", "worker or machine", func(r *RemovalRow) string { return r.UnitKind }),
	table.Text("unit", "", "worker or machine", func(r *RemovalRow) string { return r.Unit }),
	table.Int("workers", "", "", "workers that it took", func(r *RemovalRow) int64 { return r.Workers }),
	table.OptInt("gone_low_ms", "ms", "", "gone not before: the last sign of life", "no sign of life", func(r *RemovalRow) table.I64 { return r.GoneLowMs }),
	table.OptInt("gone_high_ms", "ms", "", "gone not after: the first sign of loss", "no such sign", func(r *RemovalRow) table.I64 { return r.GoneHighMs }),
	table.Int("detected_ms", "ms", "", "the engine gave the first of its workers up", func(r *RemovalRow) int64 { return r.DetectedMs }),
	table.Text("cause", "", "idle, decommission, killed, out_of_memory, preempted, node_lost, exit_code, heartbeat, disconnect, excluded, other", func(r *RemovalRow) string { return r.Cause }),
	table.OptText("reason", "Removed Reason", "the log's words, of its first worker", "none given", func(r *RemovalRow) table.Str { return r.Reason }),
	table.Int("first_seq", "", "", "first line that tells of the loss", func(r *RemovalRow) int64 { return r.FirstSeq }),
)

// RemovalWorkers declares table removal_worker.
var RemovalWorkers = table.New[RemovalWorkerRow](table.Meta{
	Name: "removal_worker", Layer: layer, Grain: "one row per removal and worker that it took", Key: []string{"app", "removal", "worker"}, Order: []string{"app", "removal", "worker"},
},
	table.Text("app", "", "application", func(r *RemovalWorkerRow) string { return r.App }),
	table.Int("removal", "", "", "removal", func(r *RemovalWorkerRow) int64 { return r.Removal }),
	table.Text("worker", "", "worker", func(r *RemovalWorkerRow) string { return r.Worker }),
	table.Int("removed_ms", "ms", "", "given up by the engine", func(r *RemovalWorkerRow) int64 { return r.Ms }),
)

// Reruns declares table rerun.
var Reruns = table.New[RerunRow](table.Meta{
	Name: "rerun", Layer: layer, Grain: "one row per attempt that ran a piece again that had succeeded before", Key: []string{"app", "task"}, Order: []string{"app", "task"},
},
	table.Text("app", "", "application", func(r *RerunRow) string { return r.App }),
	table.Int("task", "", "Task ID", "the attempt", func(r *RerunRow) int64 { return r.Task }),
	table.Int("dataset", "", "", "shuffle", func(r *RerunRow) int64 { return r.Dataset }),
	table.Int("partition", "", "", "piece", func(r *RerunRow) int64 { return r.Partition }),
	table.Int("first_output", "", "", "output of the first success", func(r *RerunRow) int64 { return r.FirstOutput }),
	table.Int("first_task", "", "", "task of the first success", func(r *RerunRow) int64 { return r.FirstTask }),
	table.Int("prev_output", "", "", "output that this attempt replaces", func(r *RerunRow) int64 { return r.PrevOutput }),
	table.Int("prev_task", "", "", "task of that output", func(r *RerunRow) int64 { return r.PrevTask }),
	table.Bool("prev_is_alive", "", "a copy of that output was alive when the attempt was launched", func(r *RerunRow) bool { return r.PrevAlive }),
	table.OptInt("removal", "", "", "removal that destroyed that output", "no removal did", func(r *RerunRow) table.I64 { return r.Removal }),
	table.Text("status", "", "how the attempt ended, as in table task", func(r *RerunRow) string { return r.Status }),
)
