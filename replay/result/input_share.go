package result

import "tracereplay/internal/table"

// InputShare is how much of a stage's input one unit holds.
type InputShare struct {
	Stage          int64              `col:"stage"`
	StageAttempt   int64              `col:"stage_attempt"`
	InstantMs      int64              `col:"instant_ms"`
	UnitKind       table.Str          `col:"unit_kind"`
	Unit           table.Str          `col:"unit"`
	HeldOutputs    int64              `col:"held_outputs"`
	Outputs        int64              `col:"outputs"`
	HeldBytes      int64              `col:"held_bytes"`
	Bytes          int64              `col:"bytes"`
	ShareOfOutputs table.Opt[float64] `col:"share_of_outputs"`
	ShareOfBytes   table.Opt[float64] `col:"share_of_bytes"`
}

// InputShares declares table input_share.
var InputShares = table.New[InputShare](table.Meta{
	Name: "input_share", Layer: layer, Grain: "one row per stage attempt that reads", Key: []string{"stage", "stage_attempt"}, Order: []string{"instant_ms", "stage", "stage_attempt"},
	Doc: "When the attempt was submitted, of what stood anywhere then; the unit holds the only copies.",
},
	table.Int("stage", "", "", "reading stage", func(r *InputShare) int64 { return r.Stage }),
	table.Int("stage_attempt", "", "", "attempt", func(r *InputShare) int64 { return r.StageAttempt }),
	table.Int("instant_ms", "ms", "", "submitted", func(r *InputShare) int64 { return r.InstantMs }),
	table.OptText("unit_kind", "", "worker, machine or service", "no unit holds any of it alone", func(r *InputShare) table.Str { return r.UnitKind }),
	table.OptText("unit", "", "the unit that holds most", "no unit holds any of it alone", func(r *InputShare) table.Str { return r.Unit }),
	table.Int("held_outputs", "", "", "outputs that it holds", func(r *InputShare) int64 { return r.HeldOutputs }),
	table.Int("outputs", "", "", "outputs that the attempt may read", func(r *InputShare) int64 { return r.Outputs }),
	table.Int("held_bytes", "bytes", "", "size of those it holds", func(r *InputShare) int64 { return r.HeldBytes }),
	table.Int("bytes", "bytes", "", "size of all", func(r *InputShare) int64 { return r.Bytes }),
	table.OptFloat("share_of_outputs", "1", "", "held / all", "there are none", func(r *InputShare) table.Opt[float64] { return r.ShareOfOutputs }),
	table.OptFloat("share_of_bytes", "1", "", "held / all", "sizes are not known", func(r *InputShare) table.Opt[float64] { return r.ShareOfBytes }),
)
