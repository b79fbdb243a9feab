package result

import "tracereplay/internal/table"

// Width is what a change of the number of workers costs a streaming query
// under one rule of ownership.
type Width struct {
	Query             string             `col:"query"`
	Rule              string             `col:"rule"`
	FromWorkers       int64              `col:"from_workers"`
	ToWorkers         int64              `col:"to_workers"`
	MovedShare        float64            `col:"moved_share"`
	StateBytes        table.I64          `col:"state_bytes"`
	MovedBytes        table.I64          `col:"moved_bytes"`
	QuiesceMs         table.I64          `col:"quiesce_ms"`
	TransferMs        table.I64          `col:"transfer_ms"`
	StartupMs         table.I64          `col:"startup_ms"`
	PauseMs           table.I64          `col:"pause_ms"`
	BacklogRows       table.I64          `col:"backlog_rows"`
	CatchUpMs         table.I64          `col:"catch_up_ms"`
	Partitions        table.I64          `col:"partitions"`
	MovedPartitions   table.I64          `col:"moved_partitions"`
	InputRowsPerS     table.Opt[float64] `col:"input_rows_per_s"`
	ProcessedRowsPerS table.Opt[float64] `col:"processed_rows_per_s"`
	BandwidthBytes    int64              `col:"bandwidth_bytes_per_s"`
	App               string             `col:"app"`
	Name              table.Str          `col:"name"`
}

// Widths declares table width.
var Widths = table.New[Width](table.Meta{
	Name: "width", Layer: layer, Grain: "one row per streaming query and rule of ownership", Key: []string{"app", "query", "rule"}, Order: []string{"app", "query", "rule"},
	Doc: "What a change of the number of workers moves, and how long nothing is processed. docs/streaming.md has the formulas.",
},
	table.Text("query", "", "streaming query", func(r *Width) string { return r.Query }),
	table.Text("rule", "", "engine, modulo, key-groups or consistent", func(r *Width) string { return r.Rule }),
	table.Int("from_workers", "", "", "workers before", func(r *Width) int64 { return r.FromWorkers }),
	table.Int("to_workers", "", "", "workers after", func(r *Width) int64 { return r.ToWorkers }),
	number("moved_share", "share", "", "keys that change owner", func(r *Width) float64 { return r.MovedShare }),
	table.OptInt("state_bytes", "bytes", "", "size of the state", "no report tells", func(r *Width) table.I64 { return r.StateBytes }),
	table.OptInt("moved_bytes", "bytes", "moved_share * state_bytes", "of that, what moves", "no report tells the size", func(r *Width) table.I64 { return r.MovedBytes }),
	table.OptInt("quiesce_ms", "ms", "", "until the running batch is done, in the mean", "no report tells", func(r *Width) table.I64 { return r.QuiesceMs }),
	table.OptInt("transfer_ms", "ms", "moved_bytes / bandwidth", "moving it", "no report tells the size", func(r *Width) table.I64 { return r.TransferMs }),
	table.OptInt("startup_ms", "ms", "", "until work goes on at full speed", "there is one batch, and none was stated", func(r *Width) table.I64 { return r.StartupMs }),
	table.OptInt("pause_ms", "ms", "quiesce_ms + transfer_ms + startup_ms", "time in which no new row is taken up", "a part of it is not known", func(r *Width) table.I64 { return r.PauseMs }),
	table.OptInt("backlog_rows", "", "input_rows_per_s * pause", "rows that pile up meanwhile", "the pause or the rate is not known", func(r *Width) table.I64 { return r.BacklogRows }),
	table.OptInt("catch_up_ms", "ms", "backlog_rows / (processed_rows_per_s - input_rows_per_s)", "working them off beside what arrives", "not known, or never: rows arrive as fast as they are worked off", func(r *Width) table.I64 { return r.CatchUpMs }),
	table.OptInt("partitions", "", "", "units of ownership: state partitions under engine, groups under key-groups", "keys move one by one, or not known", func(r *Width) table.I64 { return r.Partitions }),
	table.OptInt("moved_partitions", "", "", "of these, how many change owner", "keys move one by one, or not known", func(r *Width) table.I64 { return r.MovedPartitions }),
	table.OptFloat("input_rows_per_s", "1/s", "", "rows arriving", "no report tells", func(r *Width) table.Opt[float64] { return r.InputRowsPerS }),
	table.OptFloat("processed_rows_per_s", "1/s", "", "rows worked off", "no report tells", func(r *Width) table.Opt[float64] { return r.ProcessedRowsPerS }),
	table.Int("bandwidth_bytes_per_s", "bytes/s", "", "stated, of all links together", func(r *Width) int64 { return r.BandwidthBytes }),
	table.Text("app", "", "application", func(r *Width) string { return r.App }),
	table.OptText("name", "", "name of the query", "none given", func(r *Width) table.Str { return r.Name }),
)
