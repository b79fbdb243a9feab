package plots_test

import (
	"bytes"
	"math"
	"path/filepath"
	"testing"

	"tracereplay/analysis/policies"
	"tracereplay/internal/table"
	"tracereplay/plots"
	"tracereplay/replay/result"
)

// comparison is a small view: the run as it was rises and falls; one policy halves it, one leaves what is in flight, one makes it worse.
func comparison() *policies.View {
	r := small()
	axis := r.Banked.Axis
	in := &policies.Inputs{Kind: "machine"}
	add := func(policy string, factor, add float64, static bool, costs ...result.PolicyCost) {
		c := policies.Curve{Policy: policy}
		for i := range int64(60) {
			at := axis.FromMs + (axis.ToMs-axis.FromMs)*i/60
			c.Points = append(c.Points, policies.Point{AtMs: at, MeanMs: factor*8000*math.Abs(math.Sin(float64(i)/9)) + add})
		}
		for _, p := range []float64{0, 2000, 5000, 7000, 8000, 9000} {
			c.Parts = append(c.Parts, factor*p+add)
		}
		in.Curves = append(in.Curves, c)
		mean := factor*5000 + add
		in.Outcomes = append(in.Outcomes, result.Outcome{
			App: "app", Policy: policy, Question: "any", UnitKind: "machine", Applies: true, IsStatic: static, MeanMs: table.Some(mean), MeanLowMs: table.Some(mean),
			InFlightMs: table.Some(400.0), MaxMs: table.Some(int64(2 * mean)), Units: 4, LifeMs: 4000, PerRate: table.Some(mean), VariancePer: table.Some(mean * mean), Costs: costs,
		})
	}
	add("recorded", 1, 500, false)
	add("detached-shuffle=remote", 0, 500, false, result.PolicyCost{Kind: "shuffle_over_network", Value: 3 << 30, Unit: "bytes"}, result.PolicyCost{Kind: "slower_tasks", Value: -9000, Unit: "slot_ms"})
	add("drain=30s", 0.9, 100, true, result.PolicyCost{Kind: "held_idle", Value: 700, Unit: "slot_ms_per_removal"})
	add("smaller-workers=2,detached-shuffle=node:memory=2GiB", 1, 500, false, result.PolicyCost{Kind: "process_memory", Value: 1 << 30, Unit: "bytes"})
	add("redo=round", 1.6, 500, false)
	return policies.New(in)
}

func policyFigures(v *policies.View) []plots.Figure {
	return []plots.Figure{plots.PoliciesOverTime(v, small().Banked.Axis), plots.PoliciesSpread(v), plots.PoliciesTrade(v)}
}

func TestPolicyGolden(t *testing.T) {
	for _, f := range policyFigures(comparison()) {
		t.Run(f.Name, func(t *testing.T) {
			var got bytes.Buffer
			if err := f.InlineSVG(&got); err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join("testdata", f.Name+".svg"), got.Bytes())
		})
	}
}

// Without a comparison there is nothing to draw, and the figures say so.
func TestNoPolicies(t *testing.T) {
	for _, f := range policyFigures(nil) {
		if f.Empty == "" || f.Name == "" || f.Title == "" {
			t.Errorf("%+v", f)
		}
	}
}
