package policies

import (
	"cmp"
	"slices"

	"tracereplay/replay/result"
)

// Ranked is a policy in its place.
type Ranked struct {
	Rank      int // equal for policies that cannot be told apart
	Policy    string
	Low, High float64 // what a run is expected to cost, at both ends of what is assumed
	Note      string  // what is not in the figure
}

// Ranking orders policies by what a run is expected to cost.
type Ranking struct {
	UnitKind string
	IsPrice  bool // in money, else in slot ms
	Policies []Ranked
	Refused  []Ranked // those that do not apply, with why
}

// Rank orders policies for losses of one kind at a rate. Two policies whose
// intervals overlap share a rank, and so does whatever lies between.
func Rank(all []result.Outcome, kind string) Ranking {
	r := Ranking{UnitKind: kind}
	for _, group := range byPolicy(all) {
		var ends []result.Outcome
		for _, o := range group {
			if o.UnitKind == kind {
				ends = append(ends, o)
			}
		}
		switch {
		case len(ends) == 0:
		case !ends[0].Applies:
			r.Refused = append(r.Refused, Ranked{Policy: ends[0].Policy, Note: ends[0].Why})
		case ends[0].PerRunMs.OK:
			r.IsPrice = r.IsPrice || ends[0].Price.OK
			r.Policies = append(r.Policies, interval(ends))
		}
	}
	slices.SortStableFunc(r.Policies, func(a, b Ranked) int {
		return cmp.Or(cmp.Compare(a.Low+a.High, b.Low+b.High), cmp.Compare(a.Policy, b.Policy))
	})
	number(r.Policies)
	return r
}

// number gives ranks: a policy begins a new one when it is surely dearer than
// all before it.
func number(sorted []Ranked) {
	reach := 0.0
	for i := range sorted {
		switch {
		case i == 0 || sorted[i].Low > reach*(1+same/10):
			sorted[i].Rank = i + 1
		default:
			sorted[i].Rank = sorted[i-1].Rank
		}
		reach = max(reach, sorted[i].High)
	}
}

func interval(ends []result.Outcome) Ranked {
	r := Ranked{Policy: ends[0].Policy}
	for i := range ends {
		v := cost(&ends[i])
		if i == 0 {
			r.Low, r.High = v, v
		}
		r.Low, r.High = min(r.Low, v), max(r.High, v)
	}
	o := &ends[0]
	switch {
	case o.Of("machine_ms") != 0 && !o.Price.OK:
		r.Note = "without the price of machines bought on demand: give --price"
	case o.Of("bytes") != 0 || o.Of("bytes_per_removal") != 0:
		r.Note = "bytes have no price here"
	}
	if o.IsStatic {
		r.Note = join(r.Note, "static")
	}
	return r
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// cost is what a run costs at the rate asked for: in money, else in slot ms with
// what the policy itself takes of them.
func cost(o *result.Outcome) float64 {
	if o.Price.OK {
		return o.Price.V
	}
	removals := 0.0
	if o.PerRate.V > 0 {
		removals = o.PerRunMs.V / o.PerRate.V * float64(o.LifeMs) / 3_600_000
	}
	return o.PerRunMs.V + o.Of("slot_ms") + removals*o.Of("slot_ms_per_removal")
}
