package result

import "tracereplay/internal/table"

// Exposure is how much risk the outputs of one dataset carry.
type Exposure struct {
	Dataset           int64              `col:"dataset"`
	Kind              string             `col:"kind"`
	Name              string             `col:"name"`
	FirstStage        table.I64          `col:"first_stage"`
	Outputs           int64              `col:"outputs"`
	Bytes             int64              `col:"bytes"`
	CostMs            int64              `col:"cost_ms"`
	FirstMadeMs       int64              `col:"first_made_ms"`
	LastReadMs        table.I64          `col:"last_read_ms"`
	MeanWaitMs        table.Opt[float64] `col:"mean_wait_ms"`
	WaitedSlotMsHours float64            `col:"waited_slot_ms_hours"`
	RunRecomputeMs    float64            `col:"run_recompute_ms"`
}

// Exposures declares table exposure.
var Exposures = table.New[Exposure](table.Meta{
	Name: "exposure", Layer: layer, Grain: "one row per dataset of which an output was made", Key: []string{"dataset"}, Order: []string{"run_recompute_ms desc"},
	Doc: "What to make durable first.",
},
	table.Int("dataset", "", "", "dataset", func(r *Exposure) int64 { return r.Dataset }),
	table.Text("kind", "", "shuffle or cache", func(r *Exposure) string { return r.Kind }),
	table.Text("name", "", "call site of the stage that made it", func(r *Exposure) string { return r.Name }),
	table.OptInt("first_stage", "", "", "stage that made it first", "not known", func(r *Exposure) table.I64 { return r.FirstStage }),
	table.Int("outputs", "", "", "outputs that were made", func(r *Exposure) int64 { return r.Outputs }),
	table.Int("bytes", "bytes", "", "their size, as far as it is known", func(r *Exposure) int64 { return r.Bytes }),
	table.Int("cost_ms", "slot ms", "", "what making them took", func(r *Exposure) int64 { return r.CostMs }),
	table.Int("first_made_ms", "ms", "", "the first of them was made", func(r *Exposure) int64 { return r.FirstMadeMs }),
	table.OptInt("last_read_ms", "ms", "", "the last reader ended", "never read", func(r *Exposure) table.I64 { return r.LastReadMs }),
	table.OptFloat("mean_wait_ms", "ms", "", "from being made to the end of the last reader, weighted by cost", "never read, or it cost nothing", func(r *Exposure) table.Opt[float64] { return r.MeanWaitMs }),
	number("waited_slot_ms_hours", "slot ms x h", "cost x wait", "banked slot time times how long it waited", func(r *Exposure) float64 { return r.WaitedSlotMsHours }),
	number("run_recompute_ms", "slot ms", "", "what its loss adds to a run at one removal of each unit an hour", func(r *Exposure) float64 { return r.RunRecomputeMs }),
)
