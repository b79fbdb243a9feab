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

// drawCurve keeps the curve of a policy, for the kind that figures are of. Where
// that kind of unit does not lose anything under the policy, it has none.
func (c *comparison) drawCurve(ctx context.Context, p Chain) error {
	kind := c.opt.CurveKind
	if kind == "" {
		return nil
	}
	means, err := rows[MeanAt](ctx, c.w.db, "whatif/over_time", kind, int64(c.opt.CurveBins))
	if err != nil {
		return err
	}
	parts, err := rows[Percentile](ctx, c.w.db, "whatif/percentiles", kind, int64(percentileInstants))
	c.answer.Curves = append(c.answer.Curves, PolicyCurve{p.String(), kind, means, parts})
	return err
}
