package policies

import (
	"fmt"
	"math"

	"tracereplay/internal/human"
	"tracereplay/replay/result"
)

// Inputs are what package replay found of the policies that a report compares.
type Inputs struct {
	Kind     string // of the units that figures are of
	Outcomes []result.Outcome
	Curves   []Curve
	Remarks  map[string]Remarks
	Notes    []string
}

// Curve is what a removal costs under one policy, over time and distributed.
type Curve struct {
	Policy string
	Points []Point
	Parts  []float64 // the percentiles 5, 25, 50, 75, 95 and 100, slot ms; empty: no such unit is there
}

// Point is the mean over units at an instant.
type Point struct {
	AtMs   int64
	MeanMs float64
}

// View is what a report shows of policies.
type View struct {
	In        *Inputs
	Curves    []Drawn
	Trades    []Trade
	Sentences []Sentence
	MostMs    float64 // of the means over time
	MostPart  float64 // of the 95 % quantiles
}

// Drawn is the curve of a policy as figures show it.
type Drawn struct {
	Curve
	Label    string
	IsStatic bool
}

// Trade is what a policy saves of one removal, and what that costs.
type Trade struct {
	Label   string
	SavedMs float64 // below 0: more is redone
	Share   float64 // of what policy recorded costs
	Price   string  // what each slot-hour that is not redone costs
}

// New makes the view of a comparison; nil where there is none.
func New(in *Inputs) *View {
	if in == nil || len(in.Outcomes) == 0 {
		return nil
	}
	v := &View{In: in, Sentences: Sentences(in.Outcomes, in.Remarks)}
	of := map[string]Curve{}
	for _, c := range in.Curves {
		of[c.Policy] = c
	}
	base, _ := find(ofPolicy(in.Outcomes, in.Outcomes[0].App, recorded), in.Kind)
	for _, group := range byPolicy(in.Outcomes) {
		o, ok := find(group, in.Kind)
		if !ok {
			continue
		}
		if !o.Applies { // its sentence says so
			continue
		}
		v.add(&o, of[o.Policy])
		if o.Policy != recorded {
			v.Trades = append(v.Trades, trade(&o, &base))
		}
	}
	return v
}

func (v *View) add(o *result.Outcome, c Curve) {
	d := Drawn{Curve: c, Label: o.Policy, IsStatic: o.IsStatic}
	for _, p := range c.Points {
		v.MostMs = max(v.MostMs, p.MeanMs)
	}
	if len(c.Parts) > 4 {
		v.MostPart = max(v.MostPart, c.Parts[4])
	}
	v.Curves = append(v.Curves, d)
}

// trade compares a policy with the run as it was: one removal in a run.
func trade(o, base *result.Outcome) Trade {
	t := Trade{Label: o.Policy, SavedMs: base.MeanMs.V - o.MeanMs.V}
	if base.MeanMs.V > 0 {
		t.Share = t.SavedMs / base.MeanMs.V
	}
	if t.SavedMs <= same*base.MeanMs.V {
		t.Price = CostsOf(*o)
		return t
	}
	hours := t.SavedMs / 3_600_000
	for _, c := range o.Costs {
		if c.Value == 0 {
			continue
		}
		if t.Price != "" {
			t.Price += ", "
		}
		t.Price += perHour(c, hours)
	}
	if t.Price == "" {
		t.Price = "nothing"
	}
	return t
}

// perHour is a cost for each slot-hour that is not redone.
func perHour(c result.PolicyCost, hours float64) string {
	v := math.Abs(c.Value) / hours
	text := ""
	switch c.Unit {
	case "slot_ms", "slot_ms_per_removal":
		text = human.Number(v/3_600_000) + " slot h"
	case "machine_ms":
		text = human.Number(v/3_600_000) + " machine h"
	case "bytes", "bytes_per_removal":
		text = human.Bytes(int64(min(v, math.MaxInt64/2)))
	default:
		text = human.Number(v) + " " + c.Unit
	}
	if c.Value < 0 {
		text = "saves " + text
	}
	return fmt.Sprintf("%s (%s)", text, CostName(c))
}

// Costs are all costs of an outcome in a few words.
func (v *View) Costs(o *result.Outcome) string { return CostsOf(*o) }

// Checked tells whether a policy was compared with real runs.
func (v *View) Checked(policy string) string {
	for i := range v.In.Outcomes {
		if o := &v.In.Outcomes[i]; o.Policy == policy {
			return o.Checked
		}
	}
	return ""
}
