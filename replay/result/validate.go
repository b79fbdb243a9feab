package result

import "tracereplay/internal/table"

// Validation is what was predicted of one removal against what came of it.
type Validation struct {
	Removal               int64              `col:"removal"`
	InFlightTasks         int64              `col:"in_flight_tasks"`
	PredictedLowTasks     int64              `col:"predicted_low_tasks"`
	PredictedHighTasks    int64              `col:"predicted_high_tasks"`
	ActualTasks           int64              `col:"actual_tasks"`
	BothLow               int64              `col:"both_low"`
	BothHigh              int64              `col:"both_high"`
	Precision             table.Opt[float64] `col:"precision"`
	Recall                table.Opt[float64] `col:"recall"`
	PredictedLowMs        int64              `col:"predicted_low_ms"`
	PredictedHighMs       int64              `col:"predicted_high_ms"`
	ActualMs              int64              `col:"actual_ms"`
	Base                  table.I64          `col:"base"`
	Alignment             table.Str          `col:"alignment"`
	PredictedDelayP10Ms   table.I64          `col:"predicted_delay_p10_ms"`
	PredictedDelayP50Ms   table.I64          `col:"predicted_delay_p50_ms"`
	PredictedDelayP90Ms   table.I64          `col:"predicted_delay_p90_ms"`
	ActualDelayMs         table.I64          `col:"actual_delay_ms"`
	NoiseMs               table.I64          `col:"noise_ms"`
	WarmRatio             table.Opt[float64] `col:"warm_ratio"`
	PredictedRecomputeP10 table.I64          `col:"predicted_recompute_p10_ms"`
	PredictedRecomputeP50 table.I64          `col:"predicted_recompute_p50_ms"`
	PredictedRecomputeP90 table.I64          `col:"predicted_recompute_p90_ms"`
	ActualRecomputeMs     int64              `col:"actual_recompute_ms"`
}

// Validations declares table validate.
var Validations = table.New[Validation](table.Meta{
	Name: "validate", Layer: layer, Grain: "one row per removal", Key: []string{"removal"}, Order: []string{"removal"},
	Doc: "Predicted from the log before its first line about the removal, and with --base from undisturbed runs of the same job. Tasks are distinct (shuffle, partition) that had succeeded before.",
},
	table.Int("removal", "", "", "number of the removal", func(r *Validation) int64 { return r.Removal }),
	table.Int("in_flight_tasks", "", "", "tasks that ran there", func(r *Validation) int64 { return r.InFlightTasks }),
	table.Int("predicted_low_tasks", "", "", "pieces that surely run again", func(r *Validation) int64 { return r.PredictedLowTasks }),
	table.Int("predicted_high_tasks", "", "", "pieces that run again at most", func(r *Validation) int64 { return r.PredictedHighTasks }),
	table.Int("actual_tasks", "", "", "pieces that ran again", func(r *Validation) int64 { return r.ActualTasks }),
	table.Int("both_low", "", "", "low and actual", func(r *Validation) int64 { return r.BothLow }),
	table.Int("both_high", "", "", "high and actual", func(r *Validation) int64 { return r.BothHigh }),
	table.OptFloat("precision", "1", "", "both_low / predicted_low", "nothing surely runs again", func(r *Validation) table.Opt[float64] { return r.Precision }),
	table.OptFloat("recall", "1", "", "both_high / actual", "nothing ran again", func(r *Validation) table.Opt[float64] { return r.Recall }),
	table.Int("predicted_low_ms", "slot ms", "", "what the first runs of the low pieces took", func(r *Validation) int64 { return r.PredictedLowMs }),
	table.Int("predicted_high_ms", "slot ms", "", "what the first runs of the high pieces took", func(r *Validation) int64 { return r.PredictedHighMs }),
	table.Int("actual_ms", "slot ms", "", "what the second runs took", func(r *Validation) int64 { return r.ActualMs }),
	table.OptInt("base", "", "", "undisturbed runs that the next columns rest on", "no --base", func(r *Validation) table.I64 { return r.Base }),
	table.OptText("alignment", "", "how the instant was found in them", "no --base", func(r *Validation) table.Str { return r.Alignment }),
	table.OptInt("predicted_delay_p10_ms", "ms", "", "10 % quantile, over undisturbed runs and units, of the delay that the losses of this run, all together, are predicted to bring", "no --base, or data that are not complete enough to simulate", func(r *Validation) table.I64 { return r.PredictedDelayP10Ms }),
	table.OptInt("predicted_delay_p50_ms", "ms", "", "median of it", "as above", func(r *Validation) table.I64 { return r.PredictedDelayP50Ms }),
	table.OptInt("predicted_delay_p90_ms", "ms", "", "90 % quantile of it", "as above", func(r *Validation) table.I64 { return r.PredictedDelayP90Ms }),
	table.OptInt("actual_delay_ms", "ms", "", "makespan minus the mean makespan of the undisturbed runs: the delay by all losses of this run together", "no --base", func(r *Validation) table.I64 { return r.ActualDelayMs }),
	table.OptInt("noise_ms", "ms", "", "standard deviation of the undisturbed runs' makespans", "less than two of them", func(r *Validation) table.I64 { return r.NoiseMs }),
	table.OptFloat("warm_ratio", "1", "", "slot time of second over first runs of the same pieces, start-up (of fresh workers, of stages new to a slot) taken out of both", "nothing ran again", func(r *Validation) table.Opt[float64] { return r.WarmRatio }),
	table.OptInt("predicted_recompute_p10_ms", "slot ms", "", "10 % quantile, over undisturbed runs and units, of what a loss at this progress costs without caches: in flight, owed and climb", "no --base", func(r *Validation) table.I64 { return r.PredictedRecomputeP10 }),
	table.OptInt("predicted_recompute_p50_ms", "slot ms", "", "median of it", "no --base", func(r *Validation) table.I64 { return r.PredictedRecomputeP50 }),
	table.OptInt("predicted_recompute_p90_ms", "slot ms", "", "90 % quantile of it", "no --base", func(r *Validation) table.I64 { return r.PredictedRecomputeP90 }),
	table.Int("actual_recompute_ms", "slot ms", "", "in flight, and first runs of the pieces that ran again: what the loss cost without caches, whose blocks are computed again inside their readers", func(r *Validation) int64 { return r.ActualRecomputeMs }),
)
