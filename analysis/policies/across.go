package policies

import (
	"math"

	"tracereplay/internal/table"
	"tracereplay/replay/result"
)

// Across adds outcomes about any loss up over applications: one a policy, kind
// of unit and end of what is assumed, with an empty App. A policy that does not
// apply to an application counts there as the run was.
func Across(all []result.Outcome) []result.Outcome {
	type key struct{ policy, kind, assumption string }
	var order []key
	sums := map[key]*sum{}
	base := map[string]result.Outcome{}
	for _, o := range all {
		if o.Question == "any" && o.Policy == recorded {
			base[o.App+" "+o.UnitKind] = o
		}
	}
	for _, o := range all {
		if o.Question != "any" {
			continue
		}
		k := key{o.Policy, o.UnitKind, o.Assumption}
		s, ok := sums[k]
		if !ok {
			s = &sum{Outcome: result.Outcome{Policy: o.Policy, Question: o.Question, IsStatic: o.IsStatic, UnitKind: o.UnitKind, Assumption: o.Assumption, Checked: o.Checked}}
			sums[k] = s
			order = append(order, k)
		}
		s.add(o, base[o.App+" "+o.UnitKind])
	}
	out := make([]result.Outcome, 0, len(order))
	for _, k := range order {
		out = append(out, sums[k].outcome(sums[key{recorded, k.kind, ""}]))
	}
	return out
}

// sum is an outcome that grows.
type sum struct {
	result.Outcome
	integral, low, flight float64 // slot ms x ms
	cached                float64
	costs                 map[result.PolicyCost]float64
	order                 []result.PolicyCost
}

func (s *sum) add(o, base result.Outcome) {
	if !o.Applies {
		s.Why = o.Why
		if !base.Applies {
			return
		}
		o = base
	} else {
		s.Applies = true
		s.addCosts(o)
	}
	life := float64(o.LifeMs)
	s.integral += o.MeanMs.V * life
	s.low += o.MeanLowMs.V * life
	s.flight += o.InFlightMs.V * life
	s.cached += o.CachedMs.V * life
	s.Units += o.Units
	s.LifeMs += o.LifeMs
	if o.MaxMs.V > s.MaxMs.V || !s.MaxMs.OK {
		s.MaxMs, s.MaxUnit, s.MaxInstantMs = o.MaxMs, o.MaxUnit, o.MaxInstantMs
	}
	s.MachineHours += o.MachineHours
	s.SlotHour += o.SlotHour
	s.PerRate, s.PerRateLow, s.VariancePer = plus(s.PerRate, o.PerRate), plus(s.PerRateLow, o.PerRateLow), plus(s.VariancePer, o.VariancePer)
	s.PerRunMs, s.Price = plus(s.PerRunMs, o.PerRunMs), plus(s.Price, o.Price)
	s.SdPerRunMs, s.SdPrice = beside(s.SdPerRunMs, o.SdPerRunMs), beside(s.SdPrice, o.SdPrice)
}

func (s *sum) addCosts(o result.Outcome) {
	if s.costs == nil {
		s.costs = map[result.PolicyCost]float64{}
	}
	for _, c := range o.Costs {
		k := result.PolicyCost{Kind: c.Kind, Unit: c.Unit}
		if _, ok := s.costs[k]; !ok {
			s.order = append(s.order, k)
		}
		s.costs[k] += c.Value
	}
}

// outcome is what the sum comes to, against that of policy recorded.
func (s *sum) outcome(base *sum) result.Outcome {
	o := s.Outcome
	if s.Applies {
		o.Why = ""
	}
	if s.LifeMs == 0 {
		return o
	}
	life := float64(s.LifeMs)
	o.MeanMs, o.MeanLowMs, o.InFlightMs = table.Some(s.integral/life), table.Some(s.low/life), table.Some(s.flight/life)
	o.CachedMs = table.Some(s.cached / life)
	if base != nil && base.LifeMs > 0 {
		o.DifferenceMs = table.Some(s.integral/life - base.integral/float64(base.LifeMs))
	}
	for _, k := range s.order {
		o.Costs = append(o.Costs, result.PolicyCost{Kind: k.Kind, Value: s.costs[k], Unit: k.Unit})
	}
	return o
}

func plus(a, b table.Opt[float64]) table.Opt[float64] {
	if !b.OK {
		return a
	}
	return table.Some(a.V + b.V)
}

// beside adds standard deviations of what is independent.
func beside(a, b table.Opt[float64]) table.Opt[float64] {
	if !b.OK {
		return a
	}
	return table.Some(math.Hypot(a.V, b.V))
}
