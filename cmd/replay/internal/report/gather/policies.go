package gather

import (
	"context"
	"fmt"
	"sync"

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

// comparison is what policies come to; nil in: none are compared.
type comparison struct {
	in   *policies.Inputs
	note string
}

// startPolicies begins to compare policies where that leaves the world alone, so
// that all else can be asked of it meanwhile.
func (g *gatherer) startPolicies(ctx context.Context) error {
	g.compare = sync.OnceValues(func() (*comparison, error) { return g.comparePolicies(ctx) })
	if len(g.opt.Policies) == 0 {
		return nil
	}
	var err error
	if g.isBeside, err = g.w.ComparesBeside(ctx, g.opt.Cores); g.isBeside {
		go g.compare()
	}
	return err
}

// policies keeps what was compared. It comes last: it may rewrite the world.
func (g *gatherer) policies(context.Context) error {
	c, err := g.compare()
	if err != nil {
		return err
	}
	g.in.Policies = c.in
	if c.note != "" {
		g.in.Notes = append(g.in.Notes, c.note)
	}
	return nil
}

// comparePolicies compares policies, and keeps only what applies: a policy that
// does not is told of in one line.
func (g *gatherer) comparePolicies(ctx context.Context) (*comparison, error) {
	out := &comparison{}
	if len(g.opt.Policies) == 0 || len(g.in.Units) == 0 {
		return out, nil
	}
	chains := g.opt.Policies
	if g.opt.IsUsual && g.in.App.Tasks > largeTasks && len(chains) > largePolicies {
		chains = chains[:largePolicies]
		out.note = fmt.Sprintf("Of a run of more than %d tasks the page compares %d policies, to be made in little time; replay whatif compares more.", largeTasks, largePolicies)
	}
	answer, err := replay.WhatIf(ctx, g.w, replay.WhatIfOptions{
		Policies: chains, Rate: g.opt.Rate, Price: g.opt.Price, CurveKind: g.in.Kind, CurveBins: policyBins, Cores: g.opt.Cores,
	})
	if err != nil {
		return nil, err
	}
	out.in = &policies.Inputs{Kind: g.in.Kind, Outcomes: answer.Outcomes, Remarks: map[string]policies.Remarks{}}
	for _, chain := range chains {
		for _, x := range append([]replay.Chain{chain}, chain.Apart()...) {
			out.in.Remarks[x.String()] = policies.Remarks{Caveats: x.Caveats(), Unknowns: x.Unknowns()}
		}
	}
	for _, c := range answer.Curves {
		drawn := policies.Curve{Policy: c.Policy}
		for _, p := range c.Means {
			drawn.Points = append(drawn.Points, policies.Point{AtMs: p.AtMs, MeanMs: p.Ms})
		}
		for _, ms := range c.Parts {
			drawn.Parts = append(drawn.Parts, float64(ms))
		}
		out.in.Curves = append(out.in.Curves, drawn)
	}
	for _, n := range answer.Notes {
		out.in.Notes = append(out.in.Notes, fmt.Sprintf("%s: %s", n.Policy, n.Text))
	}
	return out, nil
}
