package gather

import (
	"context"
	"fmt"

	"tracereplay/analysis/policies"
	"tracereplay/replay"
)

// policyBins is at how many instants policies are drawn.
const policyBins = 240

// Of a run with more tasks than this, few of the usual policies are compared.
const (
	largeTasks    = 200_000
	largePolicies = 3
)

// policies compares policies, and keeps only what applies: a policy that does
// not is told of in one line. It comes last: it rewrites the world.
func (g *gatherer) policies(ctx context.Context) error {
	if len(g.opt.Policies) == 0 || g.w == nil || len(g.in.Units) == 0 {
		return nil
	}
	chains := g.opt.Policies
	if g.opt.IsUsual && g.in.App.Tasks > largeTasks && len(chains) > largePolicies {
		chains = chains[:largePolicies]
		g.in.Notes = append(g.in.Notes, fmt.Sprintf("Of a run of more than %d tasks the page compares %d policies, to be made in little time; replay whatif compares more.", largeTasks, largePolicies))
	}
	answer, err := replay.WhatIf(ctx, g.w, replay.WhatIfOptions{
		Policies: chains, Rate: g.opt.Rate, Price: g.opt.Price, CurveKind: g.in.Kind, CurveBins: policyBins,
	})
	if err != nil {
		return err
	}
	in := &policies.Inputs{Kind: g.in.Kind, Outcomes: answer.Outcomes, Remarks: map[string]policies.Remarks{}}
	for _, chain := range chains {
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
