package result

import "tracereplay/internal/table"

// Quantile is a quantile of the cost of a removal.
type Quantile struct {
	Quantile    float64 `col:"quantile"`
	RecomputeMs float64 `col:"recompute_ms"`
}

// Distributions declares table distribution.
var Distributions = table.New[Quantile](table.Meta{
	Name: "distribution", Layer: layer, Grain: "one row per quantile", Key: []string{"quantile"}, Order: []string{"quantile"},
	Doc: "Over a random instant of the life of a random unit, units with longer lives more often.",
},
	number("quantile", "1", "", "share of the time that costs no more", func(r *Quantile) float64 { return r.Quantile }),
	number("recompute_ms", "slot ms", "", "what is redone at most", func(r *Quantile) float64 { return r.RecomputeMs }),
)
