package result

import "tracereplay/internal/table"

// StreamUsual is what the batches of a streaming query are like, as far as
// policies change it.
type StreamUsual struct {
	Query           string             `col:"query"`
	UnitKind        string             `col:"unit_kind"`
	Batches         int64              `col:"batches"`
	CycleMs         table.Opt[float64] `col:"cycle_ms"`
	AddMs           table.Opt[float64] `col:"add_ms"`
	UpdatedShare    table.Opt[float64] `col:"updated_share"`
	MeanRecomputeMs table.Opt[float64] `col:"mean_recompute_ms"`
	MeanPartitions  float64            `col:"mean_partitions"`
	Units           int64              `col:"units"`
	Store           string             `col:"store"`
	SnapshotBatches int64              `col:"snapshot_batches"`
}

// StreamPolicy is what a policy changes for a streaming query, under one end
// of what is assumed.
type StreamPolicy struct {
	App               string             `col:"app"`
	Query             string             `col:"query"`
	Policy            string             `col:"policy"`
	Assumption        string             `col:"assumption"`
	Applies           bool               `col:"applies"`
	Why               string             `col:"why"`
	UnitKind          string             `col:"unit_kind"`
	CycleMs           table.I64          `col:"cycle_ms"`
	BatchMs           table.I64          `col:"batch_ms"`
	BusyShare         table.Opt[float64] `col:"busy_share"`
	MeanRecomputeMs   table.I64          `col:"mean_recompute_ms"`
	RestartRows       table.I64          `col:"restart_rows"`
	QuiesceMs         table.I64          `col:"quiesce_ms"`
	LostPartitions    table.Opt[float64] `col:"lost_partitions"`
	LoadBytes         table.I64          `col:"load_bytes"`
	LoadMs            table.I64          `col:"load_ms"`
	TransferMs        table.I64          `col:"transfer_ms"`
	WrittenPerHour    table.I64          `col:"written_bytes_per_hour"`
	SentPerHour       table.I64          `col:"sent_bytes_per_hour"`
	MemoryBytes       table.I64          `col:"memory_bytes"`
	StateFilesPerHour table.I64          `col:"state_files_per_hour"`
	BandwidthBytes    int64              `col:"bandwidth_bytes_per_s"`
}

// StreamPolicies declares table stream_policy.
var StreamPolicies = table.New[StreamPolicy](table.Meta{
	Name: "stream_policy", Layer: layer, Grain: "one row per streaming query, policy and end of what is assumed", Key: []string{"app", "query", "policy", "assumption"}, Order: []string{"query"},
	Doc: "What losing one machine (or worker) at a random moment costs a streaming query, and what it costs not to. docs/streaming.md has the formulas and what each end assumes.",
},
	table.Text("app", "", "application", func(r *StreamPolicy) string { return r.App }),
	table.Text("query", "", "streaming query", func(r *StreamPolicy) string { return r.Query }),
	table.Text("policy", "", "recorded, trigger=D, snapshots=N, changelog or standby=N", func(r *StreamPolicy) string { return r.Policy }),
	table.Text("assumption", "", "low: what favours the policy; high: what speaks against it", func(r *StreamPolicy) string { return r.Assumption }),
	table.Bool("applies", "", "false: the query does not have what the policy changes, and the figures are those recorded", func(r *StreamPolicy) bool { return r.Applies }),
	table.Text("why", "", "why it does not apply, or what to know; empty: nothing", func(r *StreamPolicy) string { return r.Why }),
	table.Text("unit_kind", "", "kind of unit that is lost: machine, where the log knows machines", func(r *StreamPolicy) string { return r.UnitKind }),
	table.OptInt("cycle_ms", "ms", "", "from the start of one batch to the next", "no batch was reported", func(r *StreamPolicy) table.I64 { return r.CycleMs }),
	table.OptInt("batch_ms", "ms", "", "duration of a batch", "not known, or it never keeps up", func(r *StreamPolicy) table.I64 { return r.BatchMs }),
	table.OptFloat("busy_share", "share", "batch_ms / cycle_ms", "time in which a batch runs", "not known", func(r *StreamPolicy) table.Opt[float64] { return r.BusyShare }),
	table.OptInt("mean_recompute_ms", "slot ms", "", "what a loss at a random moment redoes, in the mean over units", "not known", func(r *StreamPolicy) table.I64 { return r.MeanRecomputeMs }),
	table.OptInt("restart_rows", "", "", "rows of a batch: those that a restart of the coordinator within it reads again", "not known", func(r *StreamPolicy) table.I64 { return r.RestartRows }),
	table.OptInt("quiesce_ms", "ms", "batch_ms^2 / (2 cycle_ms)", "rest of the running batch at a random moment", "not known", func(r *StreamPolicy) table.I64 { return r.QuiesceMs }),
	table.OptFloat("lost_partitions", "", "", "partitions of state that stand on one unit, in the mean", "no unit that can be lost", func(r *StreamPolicy) table.Opt[float64] { return r.LostPartitions }),
	table.OptInt("load_bytes", "bytes", "", "read from the checkpoint to have them again", "no size was reported", func(r *StreamPolicy) table.I64 { return r.LoadBytes }),
	table.OptInt("load_ms", "slot ms", "", "loading them, at most", "the state store tells no load times, or none was loaded", func(r *StreamPolicy) table.I64 { return r.LoadMs }),
	table.OptInt("transfer_ms", "ms", "load_bytes / bandwidth", "reading them at the stated bandwidth", "no size was reported", func(r *StreamPolicy) table.I64 { return r.TransferMs }),
	table.OptInt("written_bytes_per_hour", "bytes", "", "written to the checkpoint", "not known", func(r *StreamPolicy) table.I64 { return r.WrittenPerHour }),
	table.OptInt("sent_bytes_per_hour", "bytes", "", "sent to standby copies", "not known", func(r *StreamPolicy) table.I64 { return r.SentPerHour }),
	table.OptInt("memory_bytes", "bytes", "", "further memory (or disk) of workers for standby copies", "not known", func(r *StreamPolicy) table.I64 { return r.MemoryBytes }),
	table.OptInt("state_files_per_hour", "", "", "partitions committed: each is at least one file", "not known", func(r *StreamPolicy) table.I64 { return r.StateFilesPerHour }),
	table.Int("bandwidth_bytes_per_s", "bytes/s", "", "stated", func(r *StreamPolicy) int64 { return r.BandwidthBytes }),
)
