package result

import "tracereplay/internal/table"

// Curve is what the removal of a unit costs over an interval in which nothing jumps.
type Curve struct {
	UnitKind       string `col:"unit_kind"`
	Unit           string `col:"unit"`
	IsCoordinator  bool   `col:"is_coordinator"`
	InstantMs      int64  `col:"instant_ms"`
	UntilMs        int64  `col:"until_ms"`
	InFlightTasks  int64  `col:"in_flight_tasks"`
	RecomputeMs    int64  `col:"recompute_ms"`
	RecomputeLowMs int64  `col:"recompute_low_ms"`
	SupremumMs     int64  `col:"supremum_ms"`
}

// Curves declares table curve.
var Curves = table.New[Curve](table.Meta{
	Name: "curve", Layer: layer, Grain: "one row per unit and interval in which nothing jumps", Key: []string{"unit_kind", "unit", "instant_ms"}, Order: []string{"unit_kind", "unit", "instant_ms"},
	Doc: "Just after instant_ms; from there costs grow by in_flight_tasks a ms.",
},
	table.Text("unit_kind", "", "worker, machine or service", func(r *Curve) string { return r.UnitKind }),
	table.Text("unit", "", "what is removed", func(r *Curve) string { return r.Unit }),
	table.Bool("is_coordinator", "", "the coordinator runs on it too: in no mean", func(r *Curve) bool { return r.IsCoordinator }),
	table.Int("instant_ms", "ms", "", "the interval starts", func(r *Curve) int64 { return r.InstantMs }),
	table.Int("until_ms", "ms", "", "and ends", func(r *Curve) int64 { return r.UntilMs }),
	table.Int("in_flight_tasks", "", "", "attempts that run on the unit", func(r *Curve) int64 { return r.InFlightTasks }),
	table.Int("recompute_ms", "slot ms", "", "what is redone at most", func(r *Curve) int64 { return r.RecomputeMs }),
	table.Int("recompute_low_ms", "slot ms", "", "what is redone at least", func(r *Curve) int64 { return r.RecomputeLowMs }),
	table.Int("supremum_ms", "slot ms", "", "recompute_ms just before until_ms", func(r *Curve) int64 { return r.SupremumMs }),
)
