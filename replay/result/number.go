package result

import "tracereplay/internal/table"

// number declares a float64 column that is never null.
func number[R any](name, unit, source, doc string, get func(*R) float64) table.Col[R] {
	return table.OptFloat(name, unit, source, doc, "never", func(r *R) table.Opt[float64] { return table.Some(get(r)) })
}

// Tables are the tables of this package, in the order of docs/tables.md.
func Tables() []*table.Spec {
	return []*table.Spec{
		&Blasts.Spec, &Curves.Spec, &Heats.Spec, &Bankeds.Spec, &Progresses.Spec, &Distributions.Spec, &Expecteds.Spec,
		&Exposures.Spec, &InputShares.Spec, &WorkerStates.Spec, &WhatIfs.Spec, &Idles.Spec,
	}
}
