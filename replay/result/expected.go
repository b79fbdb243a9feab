package result

import "tracereplay/internal/table"

// Expected is what removals of one kind of unit cost on average.
type Expected struct {
	UnitKind          string  `col:"unit_kind"`
	Units             int64   `col:"units"`
	LifeMs            int64   `col:"life_ms"`
	RecomputeMs       float64 `col:"recompute_ms"`
	RecomputeLowMs    float64 `col:"recompute_low_ms"`
	SdRecomputeMs     float64 `col:"sd_recompute_ms"`
	InFlightMs        float64 `col:"in_flight_ms"`
	OwedMs            float64 `col:"owed_ms"`
	ClimbMs           float64 `col:"climb_ms"`
	CachedMs          float64 `col:"cached_ms"`
	WorstMs           int64   `col:"worst_ms"`
	RunRecomputeMs    float64 `col:"run_recompute_ms"`
	RunRecomputeLowMs float64 `col:"run_recompute_low_ms"`
	RunVarianceMs2    float64 `col:"run_variance_ms2"`
}

// Expecteds declares table expected.
var Expecteds = table.New[Expected](table.Meta{
	Name: "expected", Layer: layer, Grain: "one row per kind of unit", Key: []string{"unit_kind"}, Order: []string{"unit_kind"},
	Doc: "Means over units and their lives, exact integrals of the curves; machines of the coordinator are left out. With r removals of each unit an hour, a run costs r x run_recompute_ms on average, with the standard deviation sqrt(r x run_variance_ms2).",
},
	table.Text("unit_kind", "", "worker, machine or service", func(r *Expected) string { return r.UnitKind }),
	table.Int("units", "", "", "how many", func(r *Expected) int64 { return r.Units }),
	table.Int("life_ms", "ms", "", "their lives added up", func(r *Expected) int64 { return r.LifeMs }),
	number("recompute_ms", "slot ms", "", "one removal, at most", func(r *Expected) float64 { return r.RecomputeMs }),
	number("recompute_low_ms", "slot ms", "", "one removal, at least", func(r *Expected) float64 { return r.RecomputeLowMs }),
	number("sd_recompute_ms", "slot ms", "", "standard deviation of one removal, at most", func(r *Expected) float64 { return r.SdRecomputeMs }),
	number("in_flight_ms", "slot ms", "", "of recompute_ms, in flight", func(r *Expected) float64 { return r.InFlightMs }),
	number("owed_ms", "slot ms", "", "of recompute_ms, owed", func(r *Expected) float64 { return r.OwedMs }),
	number("climb_ms", "slot ms", "", "of recompute_ms, climb", func(r *Expected) float64 { return r.ClimbMs }),
	number("cached_ms", "slot ms", "", "of recompute_ms, cached", func(r *Expected) float64 { return r.CachedMs }),
	table.Int("worst_ms", "slot ms", "", "the highest cost of any unit at any instant", func(r *Expected) int64 { return r.WorstMs }),
	number("run_recompute_ms", "slot ms", "", "a run at one removal of each unit an hour, at most", func(r *Expected) float64 { return r.RunRecomputeMs }),
	number("run_recompute_low_ms", "slot ms", "", "the same, at least", func(r *Expected) float64 { return r.RunRecomputeLowMs }),
	number("run_variance_ms2", "(slot ms)^2", "", "variance of a run at that rate", func(r *Expected) float64 { return r.RunVarianceMs2 }),
)
