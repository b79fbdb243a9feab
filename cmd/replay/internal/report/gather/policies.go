package gather

import (
	"context"
	"fmt"

	"tracereplay/analysis/policies"
	"tracereplay/replay"
)

// policyBins is at how many instants policies are drawn.
const policyBins = 240

// policies compares policies, and keeps only what applies: a policy that does
// not is told of in one line. It comes last: it rewrites the world.
func (g *gatherer) policies(ctx context.Context) error {
	if len(g.opt.Policies) == 0 || g.w == nil || len(g.in.Units) == 0 {
		return nil
	}
	answer, err := replay.WhatIf(ctx, g.w, replay.WhatIfOptions{
		Policies: g.opt.Policies, Rate: g.opt.Rate, Price: g.opt.Price, CurveKind: g.in.Kind, CurveBins: policyBins,
	})
	if err != nil {
		return err
	}
	in := &policies.Inputs{Kind: g.in.Kind, Outcomes: answer.Outcomes, Remarks: map[string]policies.Remarks{}}
	for _, chain := range g.opt.Policies {
		for _, x := range append([]replay.Chain{chain}, chain.Apart()...) {
			in.Remarks[x.String()] = policies.Remarks{Caveats: x.Caveats(), Unknowns: x.Unknowns()}
		}
	}
	for _, c := range answer.Curves {
		drawn := policies.Curve{Policy: c.Policy}
		for _, p := range c.Means {
			drawn.Points = append(drawn.Points, policies.Point{AtMs: p.InstantMs, MeanMs: p.MeanMs})
		}
		for _, p := range c.Parts {
			drawn.Parts = append(drawn.Parts, float64(p.Ms))
		}
		in.Curves = append(in.Curves, drawn)
	}
	for _, n := range answer.Notes {
		in.Notes = append(in.Notes, fmt.Sprintf("%s: %s", n.Policy, n.Text))
	}
	g.in.Policies = in
	return nil
}
