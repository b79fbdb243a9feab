package result

import "tracereplay/internal/table"

// Idle is what giving a worker back after a time of idleness would have saved,
// and what would have gone with it.
type Idle struct {
	App             string `col:"app"`
	Worker          string `col:"worker"`
	AfterMs         int64  `col:"after_ms"`
	Releases        int64  `col:"releases"`
	SavedMs         int64  `col:"saved_ms"`
	StoodOutputs    int64  `col:"stood_outputs"`
	StoodMs         int64  `col:"stood_ms"`
	StrandedOutputs int64  `col:"stranded_outputs"`
	StrandedMs      int64  `col:"stranded_ms"`
}

// Idles declares table idle.
var Idles = table.New[Idle](table.Meta{
	Name: "idle", Layer: layer, Grain: "one row per worker and time of idleness after which it would be given back", Key: []string{"app", "worker", "after_ms"}, Order: []string{"app", "worker", "after_ms"},
	Doc: "The naive rule, with no look at what stands on the worker. Worker is empty in rows over all workers. What must be there again to redo what went is not counted.",
},
	table.Text("app", "", "application", func(r *Idle) string { return r.App }),
	table.Text("worker", "", "worker; empty: all together", func(r *Idle) string { return r.Worker }),
	table.Int("after_ms", "ms", "", "idle for so long, it goes", func(r *Idle) int64 { return r.AfterMs }),
	table.Int("releases", "", "", "how often", func(r *Idle) int64 { return r.Releases }),
	table.Int("saved_ms", "slot ms", "", "from each release to the next task, or the end", func(r *Idle) int64 { return r.SavedMs }),
	table.Int("stood_outputs", "", "", "outputs and blocks that stood there and nowhere else", func(r *Idle) int64 { return r.StoodOutputs }),
	table.Int("stood_ms", "slot ms", "", "to make these again", func(r *Idle) int64 { return r.StoodMs }),
	table.Int("stranded_outputs", "", "", "of these, what someone still needed", func(r *Idle) int64 { return r.StrandedOutputs }),
	table.Int("stranded_ms", "slot ms", "", "to make these again", func(r *Idle) int64 { return r.StrandedMs }),
)
