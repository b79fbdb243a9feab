package result

import "tracereplay/internal/table"

// Heat is one cell of a map of units and time.
type Heat struct {
	HeatRow       int64  `col:"heat_row"`
	Bin           int64  `col:"bin"`
	FromMs        int64  `col:"from_ms"`
	ToMs          int64  `col:"to_ms"`
	UnitKind      string `col:"unit_kind"`
	Unit          string `col:"unit"`
	IsCoordinator bool   `col:"is_coordinator"`
	InstantMs     int64  `col:"instant_ms"`
	WorstMs       int64  `col:"worst_ms"`
}

// Heats declares table heat.
var Heats = table.New[Heat](table.Meta{
	Name: "heat", Layer: layer, Grain: "one row per row of the map and bin of time in which one of its units is alive", Key: []string{"heat_row", "bin"}, Order: []string{"heat_row", "bin"},
	Doc: "A cell keeps the worst of what it stands for, whatever the number of units and however long the run.",
},
	table.Int("heat_row", "", "", "units in order of their names, several to a row when there are many; the machine of the coordinator in a row of its own behind them", func(r *Heat) int64 { return r.HeatRow }),
	table.Int("bin", "", "", "bin of time, from 0", func(r *Heat) int64 { return r.Bin }),
	table.Int("from_ms", "ms", "", "the bin starts", func(r *Heat) int64 { return r.FromMs }),
	table.Int("to_ms", "ms", "", "and ends", func(r *Heat) int64 { return r.ToMs }),
	table.Text("unit_kind", "", "worker, machine or service", func(r *Heat) string { return r.UnitKind }),
	table.Text("unit", "", "the worst unit of the cell", func(r *Heat) string { return r.Unit }),
	table.Bool("is_coordinator", "", "the coordinator runs on it too", func(r *Heat) bool { return r.IsCoordinator }),
	table.Int("instant_ms", "ms", "", "where in the cell its cost is highest, or starts to grow to that", func(r *Heat) int64 { return r.InstantMs }),
	table.Int("worst_ms", "slot ms", "", "its supremum there", func(r *Heat) int64 { return r.WorstMs }),
)
