package ingest

import (
	"time"

	"tracereplay/internal/table"
)

// ProgressRow is one progress report of a streaming query.
type ProgressRow struct {
	App string
	Progress
	StartMs, CommitMs table.I64
}

// StreamSourceRow is one source's part in a batch.
type StreamSourceRow struct {
	App, Query string
	Batch      table.I64
	Seq        int64
	Ordinal    int64
	StreamSource
}

// StateRow is the state of one stateful operator after a batch.
type StateRow struct {
	App, Query string
	Batch      table.I64
	Seq        int64
	Ordinal    int64
	StateOperator
}

// QueryRow is one run of a streaming query.
type QueryRow struct {
	App, Query, Run string
	Name            table.Str
	Seq             int64
	StartMs, EndMs  table.I64
	Failure         table.Str
}

// phase is a duration of a progress report.
func phase(name, key, doc string) table.Col[ProgressRow] {
	return table.OptInt(name, "ms", "durationMs."+key, doc, "the report does not have it", func(r *ProgressRow) table.I64 {
		v, ok := r.DurationsMs[key]
		return table.I64{V: v, OK: ok}
	})
}

// Progresses declares table progress.
var Progresses = table.New[ProgressRow](table.Meta{
	Name: "progress", Layer: layer, Grain: "one row per streaming query and reported batch", Key: []string{"app", "seq"}, Order: []string{"app", "seq"},
	Doc: "What a streaming query reports after each batch.",
},
	table.Text("app", "", "application", func(r *ProgressRow) string { return r.App }),
	table.Int("seq", "", "", "line", func(r *ProgressRow) int64 { return r.Seq }),
	table.Text("query", "id", "streaming query, the same over restarts", func(r *ProgressRow) string { return r.QueryID }),
	table.Text("query_run", "runId", "run of the query", func(r *ProgressRow) string { return r.RunID }),
	table.OptText("name", "name", "name", "none given", func(r *ProgressRow) table.Str { return table.NonEmpty(r.Name) }),
	table.OptInt("batch", "", "batchId", "micro-batch", "the report does not have it", func(r *ProgressRow) table.I64 { return r.Batch }),
	table.OptInt("start_ms", "ms", "timestamp", "trigger began", "not a time", func(r *ProgressRow) table.I64 { return r.StartMs }),
	table.OptInt("commit_ms", "ms", "timestamp + durationMs.triggerExecution", "the batch was over: its state and its position were durable", "not known", func(r *ProgressRow) table.I64 { return r.CommitMs }),
	phase("trigger_ms", "triggerExecution", "whole trigger"),
	phase("latest_offset_ms", "latestOffset", "asking the sources how far they are"),
	phase("get_batch_ms", "getBatch", "getting the batch from the sources"),
	phase("planning_ms", "queryPlanning", "planning"),
	phase("wal_commit_ms", "walCommit", "writing down what the batch will hold"),
	phase("add_batch_ms", "addBatch", "running the batch's jobs"),
	phase("commit_offsets_ms", "commitOffsets", "writing down that the batch is done"),
	table.OptInt("input_rows", "", "numInputRows", "rows read by the sources", "a source does not say", func(r *ProgressRow) table.I64 { return r.InputRows }),
	table.OptFloat("input_rows_per_second", "1/s", "inputRowsPerSecond", "rows arriving", "not known (the first batch)", func(r *ProgressRow) table.Opt[float64] { return r.InputRowsPerSecond }),
	table.OptFloat("processed_rows_per_second", "1/s", "processedRowsPerSecond", "rows worked off", "not known", func(r *ProgressRow) table.Opt[float64] { return r.ProcessedRowsPerSecond }),
	table.OptText("sink", "sink.description", "sink", "the report does not have it", func(r *ProgressRow) table.Str { return table.NonEmpty(r.Sink) }),
)

// StreamSources declares table progress_source.
var StreamSources = table.New[StreamSourceRow](table.Meta{
	Name: "progress_source", Layer: layer, Grain: "one row per progress report and source", Key: []string{"app", "seq", "source"}, Order: []string{"app", "seq", "source"},
},
	table.Text("app", "", "application", func(r *StreamSourceRow) string { return r.App }),
	table.Int("seq", "", "", "line, see table progress", func(r *StreamSourceRow) int64 { return r.Seq }),
	table.Text("query", "id", "streaming query", func(r *StreamSourceRow) string { return r.Query }),
	table.OptInt("batch", "", "batchId", "micro-batch", "the report does not have it", func(r *StreamSourceRow) table.I64 { return r.Batch }),
	table.Int("source", "", "", "number of the source, from 0", func(r *StreamSourceRow) int64 { return r.Ordinal }),
	table.Text("description", "description", "what it is", func(r *StreamSourceRow) string { return r.Description }),
	table.OptText("start_offset", "startOffset", "position before the batch, as written", "the first batch", func(r *StreamSourceRow) table.Str { return table.NonEmpty(r.StartOffset) }),
	table.OptText("end_offset", "endOffset", "position after it, as written", "not known", func(r *StreamSourceRow) table.Str { return table.NonEmpty(r.EndOffset) }),
	table.OptInt("input_rows", "", "numInputRows", "rows", "the source does not say", func(r *StreamSourceRow) table.I64 { return r.InputRows }),
)

// States declares table state.
var States = table.New[StateRow](table.Meta{
	Name: "state", Layer: layer, Grain: "one row per progress report and stateful operator", Key: []string{"app", "seq", "operator"}, Order: []string{"app", "seq", "operator"},
	Doc: "The engine reports state per operator, not per worker; table state_partition tells which worker ran which partition of it.",
},
	table.Text("app", "", "application", func(r *StateRow) string { return r.App }),
	table.Int("seq", "", "", "line, see table progress", func(r *StateRow) int64 { return r.Seq }),
	table.Text("query", "id", "streaming query", func(r *StateRow) string { return r.Query }),
	table.OptInt("batch", "", "batchId", "micro-batch", "the report does not have it", func(r *StateRow) table.I64 { return r.Batch }),
	table.Int("operator", "", "", "number of the operator, from 0", func(r *StateRow) int64 { return r.Ordinal }),
	table.OptText("operator_name", "operatorName", "operator", "before Spark 3.2", func(r *StateRow) table.Str { return table.NonEmpty(r.Name) }),
	table.OptInt("rows_total", "", "numRowsTotal", "keys kept", "not reported", func(r *StateRow) table.I64 { return r.RowsTotal }),
	table.OptInt("rows_updated", "", "numRowsUpdated", "keys written in the batch", "not reported", func(r *StateRow) table.I64 { return r.RowsUpdated }),
	table.OptInt("rows_removed", "", "numRowsRemoved", "keys dropped in the batch", "before Spark 3.2", func(r *StateRow) table.I64 { return r.RowsRemoved }),
	table.OptInt("rows_late", "", "numRowsDroppedByWatermark", "rows that came too late", "before Spark 3.1", func(r *StateRow) table.I64 { return r.RowsDroppedByWatermark }),
	table.OptInt("memory_bytes", "bytes", "memoryUsedBytes", "memory of all its partitions", "not reported", func(r *StateRow) table.I64 { return r.MemoryBytes }),
	table.OptInt("commit_ms", "slot ms", "commitTimeMs", "writing the state to the checkpoint, over all partitions", "before Spark 3.2", func(r *StateRow) table.I64 { return r.CommitMs }),
	table.OptInt("update_ms", "slot ms", "allUpdatesTimeMs", "updating, over all partitions", "before Spark 3.2", func(r *StateRow) table.I64 { return r.UpdatesMs }),
	table.OptInt("removal_ms", "slot ms", "allRemovalsTimeMs", "dropping, over all partitions", "before Spark 3.2", func(r *StateRow) table.I64 { return r.RemovalsMs }),
	table.OptInt("partitions", "", "numShufflePartitions", "partitions of the state: fixed for the life of the checkpoint", "before Spark 3.2", func(r *StateRow) table.I64 { return r.ShufflePartitions }),
	table.OptInt("instances", "", "numStateStoreInstances", "stores loaded", "before Spark 3.2", func(r *StateRow) table.I64 { return r.StateStoreInstances }),
	custom("cache_hits", "", "loadedMapCacheHitCount", "partitions found loaded, since the start"),
	custom("cache_misses", "", "loadedMapCacheMissCount", "partitions read from the checkpoint, since the start"),
	custom("current_bytes", "bytes", "stateOnCurrentVersionSizeBytes", "size of the newest version"),
	custom("rocksdb_bytes_copied", "bytes", "rocksdbBytesCopied", "written to the checkpoint in the batch"),
	custom("rocksdb_file_bytes", "bytes", "rocksdbTotalBytesWritten", "written to local files in the batch"),
	custom("rocksdb_load_ms", "slot ms", "rocksdbLoadLatencyMs", "loading, over all partitions"),
	custom("rocksdb_sst_bytes", "bytes", "rocksdbSstFileSize", "size of all files"),
)

func custom(name, unit, key, doc string) table.Col[StateRow] {
	return table.OptInt(name, unit, "customMetrics."+key, doc, "the store does not report it", func(r *StateRow) table.I64 {
		v, ok := r.Custom[key]
		return table.I64{V: v, OK: ok}
	})
}

// Queries declares table streaming_query.
var Queries = table.New[QueryRow](table.Meta{
	Name: "streaming_query", Layer: layer, Grain: "one row per run of a streaming query", Key: []string{"app", "query", "query_run"}, Order: []string{"app", "seq"},
},
	table.Text("app", "", "application", func(r *QueryRow) string { return r.App }),
	table.Text("query", "id", "streaming query", func(r *QueryRow) string { return r.Query }),
	table.Text("query_run", "runId", "run", func(r *QueryRow) string { return r.Run }),
	table.OptText("name", "name", "name", "none given", func(r *QueryRow) table.Str { return r.Name }),
	table.Int("seq", "", "", "first line that tells of it", func(r *QueryRow) int64 { return r.Seq }),
	table.OptInt("start_ms", "ms", "timestamp", "started", "the start is not in the log, or carries no time", func(r *QueryRow) table.I64 { return r.StartMs }),
	table.OptInt("end_ms", "ms", "", "latest time in the log when it ended", "never ended", func(r *QueryRow) table.I64 { return r.EndMs }),
	table.OptText("failure", "exception", "why it ended", "it was stopped, or never ended", func(r *QueryRow) table.Str { return r.Failure }),
)

// timeText reads the time of a streaming event.
func timeText(s string) table.I64 {
	t, err := time.Parse(time.RFC3339Nano, s)
	return table.I64{V: t.UnixMilli(), OK: err == nil}
}

// progress records a report and what it says of sources and state.
func (a *appState) progress(e *Progress) {
	a.row.Streaming = true
	row := ProgressRow{App: a.key, Progress: *e, StartMs: timeText(e.TimestampText)}
	if d, ok := e.DurationsMs["triggerExecution"]; ok && row.StartMs.OK {
		row.CommitMs = table.Some(row.StartMs.V + d)
	}
	a.clock(row.StartMs)
	a.clock(row.CommitMs)
	a.r.w.progress.Append(&row)
	for i, s := range e.Sources {
		a.r.w.streamSources.Append(&StreamSourceRow{App: a.key, Query: e.QueryID, Batch: e.Batch, Seq: e.Seq, Ordinal: int64(i), StreamSource: s})
	}
	for i, s := range e.Operators {
		a.r.w.states.Append(&StateRow{App: a.key, Query: e.QueryID, Batch: e.Batch, Seq: e.Seq, Ordinal: int64(i), StateOperator: s})
	}
	a.query(e.QueryID, e.RunID, e.Name, e.Seq)
}

// streamEvent records a query's start or end.
func (a *appState) streamEvent(e *StreamEvent) {
	a.row.Streaming = true
	q := a.query(e.QueryID, e.RunID, e.Name, e.Seq)
	switch e.Kind {
	case "started":
		q.StartMs = timeText(e.TimestampText)
		a.clock(q.StartMs)
	case "terminated":
		q.EndMs, q.Failure = a.nowMs(), table.NonEmpty(e.Reason)
	}
}

// query returns the row of a run, made when first heard of.
func (a *appState) query(id, run, name string, seq int64) *QueryRow {
	for _, q := range a.queries {
		if q.Query == id && q.Run == run || run == "" && q.Query == id {
			if !q.Name.OK {
				q.Name = table.NonEmpty(name)
			}
			return q
		}
	}
	q := &QueryRow{App: a.key, Query: id, Run: run, Name: table.NonEmpty(name), Seq: seq}
	a.queries = append(a.queries, q)
	return q
}
