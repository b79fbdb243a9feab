package result

import "tracereplay/internal/table"

// StreamQuery is one streaming query in figures.
type StreamQuery struct {
	App               string             `col:"app"`
	Query             string             `col:"query"`
	Name              table.Str          `col:"name"`
	Runs              int64              `col:"runs"`
	StartMs           int64              `col:"start_ms"`
	EndMs             int64              `col:"end_ms"`
	Batches           int64              `col:"batches"`
	CommittedBatches  int64              `col:"committed_batches"`
	FirstBatch        int64              `col:"first_batch"`
	LastBatch         int64              `col:"last_batch"`
	InputRows         table.I64          `col:"input_rows"`
	Operators         int64              `col:"operators"`
	IsStateful        bool               `col:"is_stateful"`
	Partitions        table.I64          `col:"partitions"`
	PlacedPartitions  int64              `col:"placed_partitions"`
	StateWorkers      int64              `col:"state_workers"`
	StateRows         table.I64          `col:"state_rows"`
	StateBytes        table.I64          `col:"state_bytes"`
	MostStateBytes    table.I64          `col:"most_state_bytes"`
	BytesFrom         table.Str          `col:"bytes_from"`
	BatchMs           table.I64          `col:"batch_ms"`
	LongestBatchMs    table.I64          `col:"longest_batch_ms"`
	QuiesceMs         table.I64          `col:"quiesce_ms"`
	StartupMs         table.I64          `col:"startup_ms"`
	InputRowsPerS     table.Opt[float64] `col:"input_rows_per_s"`
	ProcessedRowsPerS table.Opt[float64] `col:"processed_rows_per_s"`
	PartitionLoadMs   table.Opt[float64] `col:"partition_load_ms"`
}

// StreamQueries declares table stream_query.
var StreamQueries = table.New[StreamQuery](table.Meta{
	Name: "stream_query", Layer: layer, Grain: "one row per streaming query that ran a batch", Key: []string{"app", "query"}, Order: []string{"start_ms", "query"},
	Doc: "Rates and durations leave out the first batch of a run, where there are others. docs/streaming.md has the formulas.",
},
	table.Text("app", "", "application", func(r *StreamQuery) string { return r.App }),
	table.Text("query", "", "streaming query, the same over restarts", func(r *StreamQuery) string { return r.Query }),
	table.OptText("name", "", "its name", "none given", func(r *StreamQuery) table.Str { return r.Name }),
	table.Int("runs", "", "", "times that it was started", func(r *StreamQuery) int64 { return r.Runs }),
	table.Int("start_ms", "ms", "", "its first batch began", func(r *StreamQuery) int64 { return r.StartMs }),
	table.Int("end_ms", "ms", "", "it ended, or the log did", func(r *StreamQuery) int64 { return r.EndMs }),
	table.Int("batches", "", "", "batches that ran", func(r *StreamQuery) int64 { return r.Batches }),
	table.Int("committed_batches", "", "", "of these, reported as done", func(r *StreamQuery) int64 { return r.CommittedBatches }),
	table.Int("first_batch", "", "", "number of the first", func(r *StreamQuery) int64 { return r.FirstBatch }),
	table.Int("last_batch", "", "", "number of the last", func(r *StreamQuery) int64 { return r.LastBatch }),
	table.OptInt("input_rows", "", "", "rows read by all of them", "no report tells", func(r *StreamQuery) table.I64 { return r.InputRows }),
	table.Int("operators", "", "", "operators that keep state", func(r *StreamQuery) int64 { return r.Operators }),
	table.Bool("is_stateful", "", "it keeps state from batch to batch", func(r *StreamQuery) bool { return r.IsStateful }),
	table.OptInt("partitions", "", "", "partitions of the state of an operator: fixed for the life of the checkpoint", "no state, or the log does not tell", func(r *StreamQuery) table.I64 { return r.Partitions }),
	table.Int("placed_partitions", "", "", "partitions of all stateful stages that the log places", func(r *StreamQuery) int64 { return r.PlacedPartitions }),
	table.Int("state_workers", "", "", "workers on which state stood at the end", func(r *StreamQuery) int64 { return r.StateWorkers }),
	table.OptInt("state_rows", "", "", "keys kept after the last batch", "no report tells", func(r *StreamQuery) table.I64 { return r.StateRows }),
	table.OptInt("state_bytes", "bytes", "", "size of the state after the last batch", "no report tells", func(r *StreamQuery) table.I64 { return r.StateBytes }),
	table.OptInt("most_state_bytes", "bytes", "", "the most that it was after any batch", "no report tells", func(r *StreamQuery) table.I64 { return r.MostStateBytes }),
	table.OptText("bytes_from", "", "what the size is of: files, version (the newest one), memory", "no size", func(r *StreamQuery) table.Str { return r.BytesFrom }),
	table.OptInt("batch_ms", "ms", "", "duration of a batch: the median", "no report tells", func(r *StreamQuery) table.I64 { return r.BatchMs }),
	table.OptInt("longest_batch_ms", "ms", "", "duration of the longest", "no report tells", func(r *StreamQuery) table.I64 { return r.LongestBatchMs }),
	table.OptInt("quiesce_ms", "ms", "", "what is left of the running batch at a random moment, in the mean", "no report tells", func(r *StreamQuery) table.I64 { return r.QuiesceMs }),
	table.OptInt("startup_ms", "ms", "", "what a start costs: the wait before the first batch, and what that took beyond the median of the others", "there is one batch", func(r *StreamQuery) table.I64 { return r.StartupMs }),
	table.OptFloat("input_rows_per_s", "1/s", "", "rows arriving", "one batch, and its report does not tell", func(r *StreamQuery) table.Opt[float64] { return r.InputRowsPerS }),
	table.OptFloat("processed_rows_per_s", "1/s", "", "rows worked off while a batch runs", "no report tells", func(r *StreamQuery) table.Opt[float64] { return r.ProcessedRowsPerS }),
	table.OptFloat("partition_load_ms", "slot ms", "", "loading one partition of state from the checkpoint, at most", "the state store tells no load times, or none was loaded", func(r *StreamQuery) table.Opt[float64] { return r.PartitionLoadMs }),
)

// StreamBatch is one batch, and what a restart of the coordinator in it costs.
type StreamBatch struct {
	App              string    `col:"app"`
	Query            string    `col:"query"`
	QueryRun         string    `col:"query_run"`
	Batch            int64     `col:"batch"`
	StartMs          int64     `col:"start_ms"`
	CommitMs         table.I64 `col:"commit_ms"`
	UntilMs          int64     `col:"until_ms"`
	TriggerMs        table.I64 `col:"trigger_ms"`
	AddBatchMs       table.I64 `col:"add_batch_ms"`
	InputRows        table.I64 `col:"input_rows"`
	StateRows        table.I64 `col:"state_rows"`
	StateBytes       table.I64 `col:"state_bytes"`
	BytesFrom        table.Str `col:"bytes_from"`
	LoadMs           table.I64 `col:"load_ms"`
	CacheMisses      table.I64 `col:"cache_misses"`
	PlacedPartitions int64     `col:"placed_partitions"`
	MovedPartitions  int64     `col:"moved_partitions"`
	StateWorkers     int64     `col:"state_workers"`
	RestartRows      table.I64 `col:"restart_rows"`
	RestartMs        int64     `col:"restart_ms"`
}

// StreamBatches declares table stream_batch.
var StreamBatches = table.New[StreamBatch](table.Meta{
	Name: "stream_batch", Layer: layer, Grain: "one row per streaming query, run of it and batch that ran", Key: []string{"app", "query", "query_run", "batch"}, Order: []string{"query", "start_ms", "batch"},
	Doc: "A coordinator that is lost while a batch runs goes back to the last committed one: the batch's rows are read again, and all state is loaded. Between batches nothing is read again.",
},
	table.Text("app", "", "application", func(r *StreamBatch) string { return r.App }),
	table.Text("query", "", "streaming query", func(r *StreamBatch) string { return r.Query }),
	table.Text("query_run", "", "run of it; empty where the log does not tell", func(r *StreamBatch) string { return r.QueryRun }),
	table.Int("batch", "", "", "micro-batch", func(r *StreamBatch) int64 { return r.Batch }),
	table.Int("start_ms", "ms", "", "its trigger began; of a batch that was never reported, its first job", func(r *StreamBatch) int64 { return r.StartMs }),
	table.OptInt("commit_ms", "ms", "", "it was over: its state and its position were durable", "never reported: cut off, or the log ends", func(r *StreamBatch) table.I64 { return r.CommitMs }),
	table.Int("until_ms", "ms", "", "the next batch began, or the run or the log ended", func(r *StreamBatch) int64 { return r.UntilMs }),
	table.OptInt("trigger_ms", "ms", "durationMs.triggerExecution", "how long it took", "never reported", func(r *StreamBatch) table.I64 { return r.TriggerMs }),
	table.OptInt("add_batch_ms", "ms", "durationMs.addBatch", "of that, its jobs", "never reported", func(r *StreamBatch) table.I64 { return r.AddBatchMs }),
	table.OptInt("input_rows", "", "numInputRows", "rows read", "never reported, or the source does not tell", func(r *StreamBatch) table.I64 { return r.InputRows }),
	table.OptInt("state_rows", "", "numRowsTotal", "keys kept after it, all operators", "no state, or not reported", func(r *StreamBatch) table.I64 { return r.StateRows }),
	table.OptInt("state_bytes", "bytes", "", "size of the state after it, all operators", "no state, or not reported", func(r *StreamBatch) table.I64 { return r.StateBytes }),
	table.OptText("bytes_from", "", "what the size is of: files, version (the newest one), memory", "no size", func(r *StreamBatch) table.Str { return r.BytesFrom }),
	table.OptInt("load_ms", "slot ms", "rocksdbLoadLatencyMs", "loading partitions of state", "the store does not tell", func(r *StreamBatch) table.I64 { return r.LoadMs }),
	table.OptInt("cache_misses", "", "loadedMapCacheMissCount", "partitions read from the checkpoint since the start, as the engine counts", "the store does not tell", func(r *StreamBatch) table.I64 { return r.CacheMisses }),
	table.Int("placed_partitions", "", "", "times that a task kept a partition of state", func(r *StreamBatch) int64 { return r.PlacedPartitions }),
	table.Int("moved_partitions", "", "", "of these, on another worker than the one that kept it last", func(r *StreamBatch) int64 { return r.MovedPartitions }),
	table.Int("state_workers", "", "", "workers that kept state in it", func(r *StreamBatch) int64 { return r.StateWorkers }),
	table.OptInt("restart_rows", "", "", "rows that are read again when the coordinator is lost while it runs; of a batch that was never reported, those that its pieces had read: at least", "neither is in the log", func(r *StreamBatch) table.I64 { return r.RestartRows }),
	table.Int("restart_ms", "ms", "", "the most of its time that is lost then", func(r *StreamBatch) int64 { return r.RestartMs }),
)

// StreamLoss is what losing a unit costs at its worst instant within a batch.
type StreamLoss struct {
	App             string    `col:"app"`
	Query           string    `col:"query"`
	QueryRun        string    `col:"query_run"`
	Batch           int64     `col:"batch"`
	UnitKind        string    `col:"unit_kind"`
	Unit            string    `col:"unit"`
	InstantMs       int64     `col:"instant_ms"`
	UntilMs         int64     `col:"until_ms"`
	SupremumMs      int64     `col:"supremum_ms"`
	StatePartitions int64     `col:"state_partitions"`
	StateBytes      table.I64 `col:"state_bytes"`
	StateLoadMs     table.I64 `col:"state_load_ms"`
	IsCoordinator   bool      `col:"is_coordinator"`

	// Of the loss at InstantMs, as table blast has it.
	InFlightTasks   int64     `col:"in_flight_tasks"`
	InFlightMs      int64     `col:"in_flight_ms"`
	OwedOutputs     int64     `col:"owed_outputs"`
	OwedMs          int64     `col:"owed_ms"`
	ClimbOutputs    int64     `col:"climb_outputs"`
	ClimbMs         int64     `col:"climb_ms"`
	CachedMs        int64     `col:"cached_ms"`
	RecomputeMs     int64     `col:"recompute_ms"`
	RecomputeLowMs  int64     `col:"recompute_low_ms"`
	OldestLostAgeMs table.I64 `col:"oldest_lost_age_ms"`
	Known           string    `col:"known"`
}

// StreamLosses declares table stream_loss.
var StreamLosses = table.New[StreamLoss](table.Meta{
	Name: "stream_loss", Layer: layer, Grain: "one row per streaming query, run, batch and unit that was alive in it", Key: []string{"app", "query", "query_run", "batch", "unit_kind", "unit"}, Order: []string{"query", "query_run", "batch", "unit_kind", "unit"},
	Doc: "At the unit's worst instant in the batch, the time until the next one included. Slot time is of all that ran then, state is of the query. Batches before it cost nothing.",
},
	table.Text("app", "", "application", func(r *StreamLoss) string { return r.App }),
	table.Text("query", "", "streaming query", func(r *StreamLoss) string { return r.Query }),
	table.Text("query_run", "", "run of it; empty where the log does not tell", func(r *StreamLoss) string { return r.QueryRun }),
	table.Int("batch", "", "", "micro-batch", func(r *StreamLoss) int64 { return r.Batch }),
	table.Text("unit_kind", "", "worker, machine or service", func(r *StreamLoss) string { return r.UnitKind }),
	table.Text("unit", "", "what is removed", func(r *StreamLoss) string { return r.Unit }),
	table.Int("instant_ms", "ms", "", "when it is gone", func(r *StreamLoss) int64 { return r.InstantMs }),
	table.Int("until_ms", "ms", "", "the next instant at which the cost jumps, the batch's or the unit's end", func(r *StreamLoss) int64 { return r.UntilMs }),
	table.Int("in_flight_tasks", "", "", "attempts that run on it", func(r *StreamLoss) int64 { return r.InFlightTasks }),
	table.Int("in_flight_ms", "slot ms", "", "how long these have run", func(r *StreamLoss) int64 { return r.InFlightMs }),
	table.Int("owed_outputs", "", "", "finished pieces of the batch that readers still had to fetch", func(r *StreamLoss) int64 { return r.OwedOutputs }),
	table.Int("owed_ms", "slot ms", "", "what making them took", func(r *StreamLoss) int64 { return r.OwedMs }),
	table.Int("climb_outputs", "", "", "finished pieces below them", func(r *StreamLoss) int64 { return r.ClimbOutputs }),
	table.Int("climb_ms", "slot ms", "", "what making them took", func(r *StreamLoss) int64 { return r.ClimbMs }),
	table.Int("cached_ms", "slot ms", "", "cached blocks", func(r *StreamLoss) int64 { return r.CachedMs }),
	table.Int("recompute_ms", "slot ms", "in flight + owed + climb + cached", "what is redone at most", func(r *StreamLoss) int64 { return r.RecomputeMs }),
	table.Int("recompute_low_ms", "slot ms", "", "what is redone at least", func(r *StreamLoss) int64 { return r.RecomputeLowMs }),
	table.Int("supremum_ms", "slot ms", "", "recompute_ms just before until_ms", func(r *StreamLoss) int64 { return r.SupremumMs }),
	table.OptInt("oldest_lost_age_ms", "ms", "", "how long ago the oldest counted piece had been reported finished", "no piece is counted", func(r *StreamLoss) table.I64 { return r.OldestLostAgeMs }),
	table.Int("state_partitions", "", "", "partitions of state that stand on it and are loaded again from the checkpoint", func(r *StreamLoss) int64 { return r.StatePartitions }),
	table.OptInt("state_bytes", "bytes", "", "their size: that of the query's state, shared evenly: a bound, since the log has sizes per operator", "no size was reported before", func(r *StreamLoss) table.I64 { return r.StateBytes }),
	table.OptInt("state_load_ms", "slot ms", "", "loading them, at most", "the state store tells no load times, or none was loaded", func(r *StreamLoss) table.I64 { return r.StateLoadMs }),
	table.Bool("is_coordinator", "", "the coordinator runs on it too: in no mean", func(r *StreamLoss) bool { return r.IsCoordinator }),
	table.Text("known", "", "the weakest of what the pieces rest on: logged, derived, inferred, bound", func(r *StreamLoss) string { return r.Known }),
)

// StreamState is the state of a query that stands on a unit at an instant.
type StreamState struct {
	App             string    `col:"app"`
	UnitKind        string    `col:"unit_kind"`
	Unit            string    `col:"unit"`
	InstantMs       int64     `col:"instant_ms"`
	Query           string    `col:"query"`
	QueryRun        string    `col:"query_run"`
	StatePartitions int64     `col:"state_partitions"`
	OfPartitions    int64     `col:"of_partitions"`
	StateBytes      table.I64 `col:"state_bytes"`
	StateLoadMs     table.I64 `col:"state_load_ms"`
}

// StreamStates declares table stream_state.
var StreamStates = table.New[StreamState](table.Meta{
	Name: "stream_state", Layer: layer, Grain: "one row per unit, instant, and query whose state stands there", Key: []string{"app", "unit_kind", "unit", "instant_ms", "query", "query_run"}, Order: []string{"unit_kind", "unit", "instant_ms", "query"},
	Doc: "Partition p stands on the worker that ran it last, until that worker is gone, another worker runs it, or the query's run has ended.",
},
	table.Text("app", "", "application", func(r *StreamState) string { return r.App }),
	table.Text("unit_kind", "", "worker, machine or service", func(r *StreamState) string { return r.UnitKind }),
	table.Text("unit", "", "what is removed", func(r *StreamState) string { return r.Unit }),
	table.Int("instant_ms", "ms", "", "when it is gone", func(r *StreamState) int64 { return r.InstantMs }),
	table.Text("query", "", "streaming query", func(r *StreamState) string { return r.Query }),
	table.Text("query_run", "", "run of it; empty where the log does not tell", func(r *StreamState) string { return r.QueryRun }),
	table.Int("state_partitions", "", "", "partitions that stand on the unit", func(r *StreamState) int64 { return r.StatePartitions }),
	table.Int("of_partitions", "", "", "partitions that stand anywhere", func(r *StreamState) int64 { return r.OfPartitions }),
	table.OptInt("state_bytes", "bytes", "", "their size: that of the query's state, shared evenly: a bound", "no size was reported before", func(r *StreamState) table.I64 { return r.StateBytes }),
	table.OptInt("state_load_ms", "slot ms", "", "loading them, at most", "the state store tells no load times, or none was loaded", func(r *StreamState) table.I64 { return r.StateLoadMs }),
)
