package replay

import "tracereplay/replay/curve"

// PolicyCurve is what losing a unit costs over time under one policy, and how
// that is distributed: for figures.
type PolicyCurve struct {
	Policy   string
	UnitKind string
	Means    []curve.Mean
	Parts    []int64 // percentiles 5, 25, 50, 75, 95 and 100; none: no such unit is there
}

// percentileInstants is at how many instants a distribution is sampled.
const percentileInstants = 1000

// drawCurve draws the curve of a policy, for the kind that figures are of; none
// where there is no such kind.
func drawCurve(s *curve.Set, p Chain, opt *WhatIfOptions) *PolicyCurve {
	kind := opt.CurveKind
	if kind == "" {
		return nil
	}
	return &PolicyCurve{p.String(), kind, s.Means(kind, int64(opt.CurveBins)), s.Percentiles(kind, percentileInstants, []int64{5, 25, 50, 75, 95, 100})}
}
