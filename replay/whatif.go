package replay

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"tracereplay/internal/table"
	"tracereplay/replay/curve"
	"tracereplay/replay/result"
)

// WhatIfOptions say what to compare. The zero value compares nothing.
type WhatIfOptions struct {
	Policies []Chain
	UnitKind string             // "" every kind
	Rate     table.Opt[float64] // removals of each unit an hour
	Price    table.Opt[Price]
	Time     *SimRun // lays policies out in time; nil: they are not
	Cores    int     // how many policies may be measured at the same time; 0 as many as there are cores

	// Curves over time are kept for units of this kind, at so many instants; "" none.
	CurveKind string
	CurveBins int
}

// Price is what an hour of a machine costs.
type Price struct{ OnDemand, Spot float64 }

// WhatIfAnswer is what policies come to.
type WhatIfAnswer struct {
	Outcomes []result.Outcome // by policy, question, kind of unit and assumption
	Notes    []PolicyNote
	Removals []RecordedRemoval
	Curves   []PolicyCurve // of policies that apply to that kind
}

// PolicyNote is what a policy had to say of this run.
type PolicyNote struct {
	Policy string
	Text   string
}

// RecordedRemoval is a removal that the log tells of.
type RecordedRemoval struct {
	Removal  int64  `col:"removal"`
	Kind     string `col:"kind"`
	UnitKind string `col:"unit_kind"`
	Unit     string `col:"unit"`
	GoneMs   int64  `col:"gone_ms"`
}

// anyLoss is the question about every unit and instant.
const anyLoss = "any"

// WhatIf asks two questions of each policy: what a removal of any unit at any
// instant costs under it, from the undisturbed world; and what each recorded
// removal would have cost. Policy recorded is always among the answers, first.
// The world is the recorded one, and is so again afterwards; where worlds of
// their own are asked at the same time (whatif_beside.go), it is left alone.
func WhatIf(ctx context.Context, w *World, opt WhatIfOptions) (_ *WhatIfAnswer, err error) {
	c := &comparison{app: w.app, opt: opt, answer: &WhatIfAnswer{}, layout: newLayout(opt.Time), base: map[string]float64{}}
	policies := c.policies()
	askers, err := askersOf(ctx, w, &c.opt, len(policies))
	defer func() {
		for _, a := range askers {
			err = errors.Join(err, a.close(context.WithoutCancel(ctx)))
		}
	}()
	if err != nil {
		return nil, err
	}
	c.size, c.answer.Removals = askers[0].size, askers[0].removals
	if c.parts, err = askAll(ctx, askers, policies); err != nil {
		return nil, err
	}
	c.conclude()
	return c.answer, nil
}

// The worlds that a comparison starts from.
const (
	recordedWorld    = "recorded"
	undisturbedWorld = "undisturbed"
)

// comparison is a WhatIf under way.
type comparison struct {
	app    string
	opt    WhatIfOptions
	answer *WhatIfAnswer
	size   clusterSize
	layout *layout
	base   map[string]float64 // means of policy recorded, by question and kind
	parts  []*measured
	at     *measured // what conclusions are drawn from now
}

// measured is a policy at one end of what it assumes, or at both where only its
// costs differ: what was asked of it, and what that comes to.
type measured struct {
	policy  Chain
	end     End
	ends    []End
	applied []*Applied // to the undisturbed world
	isBoth  bool       // the world itself differs at the other end

	expected  []result.Expected
	quantiles []curve.Quantiles
	curve     *PolicyCurve
	again     []*Applied   // to the recorded world
	lost      [][]unitCost // with each recorded removal

	any   []result.Outcome
	these []result.Outcome
	notes []PolicyNote
}

func (m *measured) outcomes() []result.Outcome { return slices.Concat(m.any, m.these) }

type clusterSize struct {
	MachineMs int64 `col:"machine_ms"`
	SlotMs    int64 `col:"slot_ms"`
}

// policies are those that were asked for, each once, recorded first, each
// followed by its settings that are shown apart.
func (c *comparison) policies() []Chain {
	recorded := Chain{{Policy: &Policy{Name: recordedWorld}}}
	var all []Chain
	seen := map[string]bool{}
	add := func(p Chain) {
		if !seen[p.String()] {
			seen[p.String()] = true
			all = append(all, p)
		}
	}
	add(recorded)
	for _, p := range c.opt.Policies {
		add(p)
		for _, part := range p.Apart() {
			add(part)
		}
	}
	return all
}

// conclude makes outcomes of what was measured.
func (c *comparison) conclude() {
	for _, m := range c.parts {
		c.at = m
		if m.end == LowEnd {
			c.note(m.policy, m.applied)
		}
		if !refusedAll(m.applied) {
			c.anyLoss(m)
		}
	}
	for _, m := range c.parts {
		c.at = m
		if !refusedAll(m.applied) {
			c.theseLosses(m)
		}
	}
	for _, m := range c.parts {
		if refusedAll(m.applied) {
			c.refuse(m)
		}
		c.answer.Outcomes = append(c.answer.Outcomes, m.outcomes()...)
		for _, n := range m.notes {
			if !slices.Contains(c.answer.Notes, n) {
				c.answer.Notes = append(c.answer.Notes, n)
			}
		}
		if m.curve != nil {
			c.answer.Curves = append(c.answer.Curves, *m.curve)
		}
	}
}

// ends are the assumptions that one measurement stands for: both, when only the
// costs differ.
func ends(p Chain, end End, needsBoth bool) []End {
	switch {
	case needsBoth:
		return []End{end}
	case p.Assumption(LowEnd) == "":
		return []End{LowEnd}
	default:
		return []End{LowEnd, HighEnd}
	}
}

func (c *comparison) note(p Chain, applied []*Applied) {
	for i, a := range applied {
		if why := a.Refused(); why != "" {
			c.at.notes = append(c.at.notes, PolicyNote{p.String(), p[i].Policy.Name + " does not apply: " + why})
			continue
		}
		for _, n := range a.Notes {
			c.at.notes = append(c.at.notes, PolicyNote{p.String(), n})
		}
	}
}

// refusedAll tells whether no policy of a chain applies to the run.
func refusedAll(applied []*Applied) bool {
	return !slices.ContainsFunc(applied, func(a *Applied) bool { return a.Refused() == "" })
}

// refuse answers every question that policy recorded answers with why not.
func (c *comparison) refuse(m *measured) {
	for _, o := range c.parts[0].outcomes() {
		m.these = append(m.these, c.outcome(m.policy, m.applied, o.Question, o.UnitKind, o.Removal, LowEnd))
	}
}

// refused tells why a chain does not apply to a kind of unit or to a removal,
// "" when it does. A chain applies when one of its policies does.
func refused(applied []*Applied, kind string, removal int64) string {
	why := ""
	for _, a := range applied {
		if why = a.unfitFor(kind, removal); why == "" {
			return ""
		}
	}
	return why
}

// anyLoss draws conclusions about every unit and instant.
func (c *comparison) anyLoss(m *measured) {
	byKind := map[string]*curve.Quantiles{}
	for i := range m.quantiles {
		byKind[m.quantiles[i].Kind] = &m.quantiles[i]
	}
	for _, e := range append(m.expected, c.none(m.expected)...) {
		for _, end := range m.ends {
			o := c.outcome(m.policy, m.applied, anyLoss, e.UnitKind, 0, end)
			o.Units, o.LifeMs = e.Units, e.LifeMs
			if o.Applies {
				c.fill(&o, &e, byKind[e.UnitKind])
				c.layOut(&o, m.policy, end, 0)
				c.rates(&o)
			}
			c.add(o)
		}
	}
}

// none are the kinds of units that the run as it was can lose and that are not
// there to be lost under a policy: none of them costs anything.
func (c *comparison) none(expected []result.Expected) []result.Expected {
	var out []result.Expected
	for _, o := range c.parts[0].any { // of policy recorded
		isThere := func(e result.Expected) bool { return e.UnitKind == o.UnitKind }
		if !slices.ContainsFunc(expected, isThere) {
			out = append(out, result.Expected{UnitKind: o.UnitKind})
		}
	}
	return out
}

// outcome begins an outcome with what does not need to be measured.
func (c *comparison) outcome(p Chain, applied []*Applied, question, kind string, removal int64, end End) result.Outcome {
	o := result.Outcome{
		App: c.app, Policy: p.String(), Question: question, Removal: removal, IsStatic: p.MovesWork(), UnitKind: kind, Assumption: p.Assumption(end), Checked: p.Checked(),
		MachineHours: hours(float64(c.size.MachineMs)), SlotHour: hours(float64(c.size.SlotMs)),
	}
	o.Why = refused(applied, kind, removal)
	o.Applies = o.Why == ""
	if !o.Applies {
		return o
	}
	for _, a := range applied {
		costs := a.Low
		if end == HighEnd {
			costs = a.High
		}
		if a.Refused() != "" {
			continue
		}
		for _, x := range costs {
			o.Costs = append(o.Costs, result.PolicyCost{Kind: x.Kind, Value: x.Value, Unit: x.Unit})
		}
	}
	return o
}

func hours(ms float64) float64 { return ms / 3_600_000 }

// fill writes what was measured.
func (c *comparison) fill(o *result.Outcome, e *result.Expected, q *curve.Quantiles) {
	o.MeanMs, o.MeanLowMs, o.InFlightMs = table.Some(e.RecomputeMs), table.Some(e.RecomputeLowMs), table.Some(e.InFlightMs)
	o.CachedMs = table.Some(e.CachedMs)
	if q != nil {
		o.P50Ms, o.P95Ms, o.MaxMs = table.Some(q.P50Ms), table.Some(q.P95Ms), table.Some(q.MaxMs)
		o.MaxUnit, o.MaxInstantMs = table.Some(q.MaxUnit), table.Some(q.MaxInstantMs)
	}
	o.PerRate, o.PerRateLow, o.VariancePer = table.Some(e.RunRecomputeMs), table.Some(e.RunRecomputeLowMs), table.Some(e.RunVarianceMs2)
}

// layOut lays the policy out in time, if that is asked for and can be done.
func (c *comparison) layOut(o *result.Outcome, p Chain, end End, removal int64) {
	if c.layout == nil {
		return
	}
	t, err := c.layout.of(p.At(end).String(), o.UnitKind, removal)
	if err != nil {
		c.at.notes = append(c.at.notes, PolicyNote{p.String(), "not laid out in time: " + err.Error()})
		return
	}
	c.layout.fill(o, t)
}

// rates turns what a removal costs into what a run costs.
func (c *comparison) rates(o *result.Outcome) {
	if r := c.opt.Rate; r.OK {
		o.PerRunMs, o.SdPerRunMs = table.Some(r.V*o.PerRate.V), table.Some(math.Sqrt(r.V*o.VariancePer.V))
	}
	if c.opt.Price.OK {
		c.fillPrice(o)
	}
}

// theseLosses draws conclusions about the recorded removals.
func (c *comparison) theseLosses(m *measured) {
	for i, at := range m.lost {
		r := c.answer.Removals[i]
		if !c.opt.asksFor(r) {
			continue
		}
		for _, end := range m.ends {
			o := c.outcome(m.policy, m.again, fmt.Sprintf("removal:%d", r.Removal), r.UnitKind, r.Removal, end)
			o.Units = int64(len(at))
			if o.Applies {
				fillRemoval(&o, at, r)
				c.layOut(&o, m.policy, end, r.Removal)
			}
			c.add(o)
		}
	}
}

// asksFor tells whether a recorded removal is of a kind that is compared.
func (o *WhatIfOptions) asksFor(r RecordedRemoval) bool {
	return o.UnitKind == "" || o.UnitKind == r.UnitKind
}

// heirs follows a unit through the policies that divided it or joined it with
// others.
func heirs(applied []*Applied, kind, unit string) []string {
	units := []string{unit}
	for _, a := range applied {
		var next []string
		for _, u := range units {
			if of := a.heirsOf[[2]string{kind, u}]; len(of) > 0 && a.Refused() == "" {
				next = append(next, of...)
			} else {
				next = append(next, u)
			}
		}
		units = next
	}
	return units
}

// unitCost is what one unit's removal costs at an instant.
type unitCost struct {
	Unit      string
	Ms, LowMs int64
}

// fillRemoval writes the mean over a unit's heirs, each as likely as the
// others, and the worst of them. A unit that a policy had let go before loses
// nothing more.
func fillRemoval(o *result.Outcome, at []unitCost, r RecordedRemoval) {
	var sum, low float64
	worst := unitCost{Unit: r.Unit}
	for _, u := range at {
		sum += float64(u.Ms)
		low += float64(u.LowMs)
		if u.Ms > worst.Ms {
			worst = u
		}
	}
	n := float64(max(len(at), 1))
	o.MeanMs, o.MeanLowMs = table.Some(sum/n), table.Some(low/n)
	mean := table.Some(int64(math.Round(sum / n)))
	o.P50Ms, o.P95Ms, o.MaxMs = mean, mean, table.Some(worst.Ms)
	o.MaxUnit, o.MaxInstantMs = table.Some(worst.Unit), table.Some(r.GoneMs)
}

// add takes an outcome, with its difference to policy recorded.
func (c *comparison) add(o result.Outcome) {
	key := o.Question + " " + o.UnitKind
	if o.Policy == recordedWorld && o.MeanMs.OK {
		c.base[key] = o.MeanMs.V
	}
	if base, ok := c.base[key]; ok && o.MeanMs.OK && !o.IsSimulated {
		o.DifferenceMs = table.Some(o.MeanMs.V - base)
	}
	if o.Question == anyLoss {
		c.at.any = append(c.at.any, o)
	} else {
		c.at.these = append(c.at.these, o)
	}
}
