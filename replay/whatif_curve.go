package replay

import "context"

// PolicyCurve is what losing a unit costs over time under one policy, and how
// that is distributed: for figures.
type PolicyCurve struct {
	Policy   string
	UnitKind string
	Means    []MeanAt
	Parts    []Percentile
}

// MeanAt is the mean over the units that are alive at an instant.
type MeanAt struct {
	InstantMs int64   `col:"instant_ms"`
	Units     int64   `col:"units"`
	MeanMs    float64 `col:"mean_ms"`
}

// Percentile of what a removal costs.
type Percentile struct {
	Percentile int64 `col:"percentile"`
	Ms         int64 `col:"ms"`
}

// percentileInstants is at how many instants a distribution is sampled.
const percentileInstants = 1000

// drawCurve draws the curve of a policy, for the kind that figures are of; none
// where there is no such kind.
func (a *asker) drawCurve(ctx context.Context, p Chain) (*PolicyCurve, error) {
	kind := a.opt.CurveKind
	if kind == "" {
		return nil, nil
	}
	means, err := rows[MeanAt](ctx, a.w.db, "whatif/over_time", kind, int64(a.opt.CurveBins))
	if err != nil {
		return nil, err
	}
	parts, err := rows[Percentile](ctx, a.w.db, "whatif/percentiles", kind, int64(percentileInstants))
	return &PolicyCurve{p.String(), kind, means, parts}, err
}
