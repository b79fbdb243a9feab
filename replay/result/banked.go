package result

import "tracereplay/internal/table"

// Banked is what the average unit and the worst would lose at one instant.
type Banked struct {
	InstantMs          int64   `col:"instant_ms"`
	Units              int64   `col:"units"`
	MeanInFlightMs     float64 `col:"mean_in_flight_ms"`
	MeanOwedMs         float64 `col:"mean_owed_ms"`
	MeanClimbMs        float64 `col:"mean_climb_ms"`
	MeanCachedMs       float64 `col:"mean_cached_ms"`
	MeanRecomputeLowMs float64 `col:"mean_recompute_low_ms"`
	WorstUnit          string  `col:"worst_unit"`
	WorstInFlightMs    int64   `col:"worst_in_flight_ms"`
	WorstOwedMs        int64   `col:"worst_owed_ms"`
	WorstClimbMs       int64   `col:"worst_climb_ms"`
	WorstCachedMs      int64   `col:"worst_cached_ms"`
}

// Bankeds declares table banked.
var Bankeds = table.New[Banked](table.Meta{
	Name: "banked", Layer: layer, Grain: "one row per instant at which a unit is alive", Key: []string{"instant_ms"}, Order: []string{"instant_ms"},
},
	table.Int("instant_ms", "ms", "", "instant", func(r *Banked) int64 { return r.InstantMs }),
	table.Int("units", "", "", "alive then", func(r *Banked) int64 { return r.Units }),
	number("mean_in_flight_ms", "slot ms", "", "in flight, mean of the units", func(r *Banked) float64 { return r.MeanInFlightMs }),
	number("mean_owed_ms", "slot ms", "", "owed, mean of the units", func(r *Banked) float64 { return r.MeanOwedMs }),
	number("mean_climb_ms", "slot ms", "", "climb, mean of the units", func(r *Banked) float64 { return r.MeanClimbMs }),
	number("mean_cached_ms", "slot ms", "", "cached, mean of the units", func(r *Banked) float64 { return r.MeanCachedMs }),
	number("mean_recompute_low_ms", "slot ms", "", "in flight and what is surely redone, mean of the units", func(r *Banked) float64 { return r.MeanRecomputeLowMs }),
	table.Text("worst_unit", "", "the unit that costs most", func(r *Banked) string { return r.WorstUnit }),
	table.Int("worst_in_flight_ms", "slot ms", "", "in flight, of that unit", func(r *Banked) int64 { return r.WorstInFlightMs }),
	table.Int("worst_owed_ms", "slot ms", "", "owed, of that unit", func(r *Banked) int64 { return r.WorstOwedMs }),
	table.Int("worst_climb_ms", "slot ms", "", "climb, of that unit", func(r *Banked) int64 { return r.WorstClimbMs }),
	table.Int("worst_cached_ms", "slot ms", "", "cached, of that unit", func(r *Banked) int64 { return r.WorstCachedMs }),
)
