package result

import "tracereplay/internal/table"

// StreamDelay is what a recorded removal did to the batch that it hit: what was
// predicted from the state just before it, and what the log shows.
type StreamDelay struct {
	App             string    `col:"app"`
	Query           string    `col:"query"`
	QueryRun        string    `col:"query_run"`
	Removal         int64     `col:"removal"`
	UnitKind        string    `col:"unit_kind"`
	Unit            string    `col:"unit"`
	GoneMs          int64     `col:"gone_ms"`
	Batch           int64     `col:"batch"`
	IsWithin        bool      `col:"is_within"`
	Compared        int64     `col:"compared_batches"`
	UsualMs         table.I64 `col:"usual_ms"`
	UndisturbedMs   table.I64 `col:"undisturbed_ms"`
	PredictedMs     table.I64 `col:"predicted_ms"`
	TookMs          table.I64 `col:"took_ms"`
	PredictedDelay  table.I64 `col:"predicted_delay_ms"`
	PredictedLow    table.I64 `col:"predicted_delay_low_ms"`
	PredictedHigh   table.I64 `col:"predicted_delay_high_ms"`
	SeenDelay       table.I64 `col:"seen_delay_ms"`
	BeyondUsual     table.I64 `col:"beyond_usual_ms"`
	StatePartitions int64     `col:"state_partitions"`
	PartitionLoadMs table.I64 `col:"partition_load_ms"`
	IntervalMs      table.I64 `col:"interval_ms"`
	PredictedLate   table.I64 `col:"predicted_late_batches"`
	SeenLate        table.I64 `col:"seen_late_batches"`
	Known           string    `col:"known"`
}

// StreamDelays declares table stream_delay.
var StreamDelays = table.New[StreamDelay](table.Meta{
	Name: "stream_delay", Layer: layer, Grain: "one row per recorded removal (no release) and run of a streaming query that had a batch to hit", Key: []string{"app", "removal", "query", "query_run"}, Order: []string{"removal", "query", "query_run"},
	Doc: "How much later the batch was committed that a loss hit, predicted against seen, and how many batches after it started late. docs/streaming.md has the definition.",
},
	table.Text("app", "", "application", func(r *StreamDelay) string { return r.App }),
	table.Text("query", "", "streaming query", func(r *StreamDelay) string { return r.Query }),
	table.Text("query_run", "", "run of it; empty where the log does not tell", func(r *StreamDelay) string { return r.QueryRun }),
	table.Int("removal", "", "", "number of the removal", func(r *StreamDelay) int64 { return r.Removal }),
	table.Text("unit_kind", "", "worker or machine", func(r *StreamDelay) string { return r.UnitKind }),
	table.Text("unit", "", "what was lost", func(r *StreamDelay) string { return r.Unit }),
	table.Int("gone_ms", "ms", "", "when it was gone", func(r *StreamDelay) int64 { return r.GoneMs }),
	table.Int("batch", "", "", "the batch that it hit: the running one, else the next", func(r *StreamDelay) int64 { return r.Batch }),
	table.Bool("is_within", "", "the batch was running", func(r *StreamDelay) bool { return r.IsWithin }),
	table.Int("compared_batches", "", "", "undisturbed batches that it is compared with", func(r *StreamDelay) int64 { return r.Compared }),
	table.OptInt("usual_ms", "ms", "", "what these took, the median", "there is none", func(r *StreamDelay) table.I64 { return r.UsualMs }),
	table.OptInt("undisturbed_ms", "ms", "", "what the batch would have taken without the loss, simulated from the state just before it", "see known", func(r *StreamDelay) table.I64 { return r.UndisturbedMs }),
	table.OptInt("predicted_ms", "ms", "", "the same with the loss", "see known", func(r *StreamDelay) table.I64 { return r.PredictedMs }),
	table.OptInt("took_ms", "ms", "durationMs.triggerExecution", "what it took", "never reported", func(r *StreamDelay) table.I64 { return r.TookMs }),
	table.OptInt("predicted_delay_ms", "ms", "predicted_ms - undisturbed_ms", "the median over placements", "see known", func(r *StreamDelay) table.I64 { return r.PredictedDelay }),
	table.OptInt("predicted_delay_low_ms", "ms", "", "the least over placements", "see known", func(r *StreamDelay) table.I64 { return r.PredictedLow }),
	table.OptInt("predicted_delay_high_ms", "ms", "", "the most over placements", "see known", func(r *StreamDelay) table.I64 { return r.PredictedHigh }),
	table.OptInt("seen_delay_ms", "ms", "took_ms - undisturbed_ms", "how much longer it took than it would have", "see known", func(r *StreamDelay) table.I64 { return r.SeenDelay }),
	table.OptInt("beyond_usual_ms", "ms", "took_ms - usual_ms", "how much longer it took than the batches that it is compared with", "never reported, or there is none", func(r *StreamDelay) table.I64 { return r.BeyondUsual }),
	table.Int("state_partitions", "", "", "partitions of state that had to be loaded again", func(r *StreamDelay) int64 { return r.StatePartitions }),
	table.OptInt("partition_load_ms", "slot ms", "", "what loading one is taken to take", "not in the log: nothing is added for it", func(r *StreamDelay) table.I64 { return r.PartitionLoadMs }),
	table.OptInt("interval_ms", "ms", "", "interval of the trigger", "batches start as soon as the one before is over, or too few of them waited", func(r *StreamDelay) table.I64 { return r.IntervalMs }),
	table.OptInt("predicted_late_batches", "", "", "batches after it that start late, one after the other", "the interval is not known, or the query does not catch up", func(r *StreamDelay) table.I64 { return r.PredictedLate }),
	table.OptInt("seen_late_batches", "", "", "those that did", "the interval is not known, or the run ended before", func(r *StreamDelay) table.I64 { return r.SeenLate }),
	table.Text("known", "", "what the prediction rests on, or why there is none: simulated; simulated, without loads (the log has no load times); no other batch; cut off; an earlier loss; no jobs", func(r *StreamDelay) string { return r.Known }),
)
