// Package curve works out what losing each unit costs over time, from the jumps
// of that cost, and draws means, quantiles and samples from it.
//
// A cost grows evenly between jumps, by a ms a ms for every attempt in flight.
// As SQL (replay/sql/loss/curve.sql, which stays for queries that need the curve
// as a table) this was half of what a policy took: docs/performance.md. It has no
// database: package replay loads.
package curve

import (
	"cmp"
	"slices"
)

// Unit is a worker, machine or service that can be lost, while it is alive.
type Unit struct {
	Kind, Name    string
	FromMs, ToMs  int64
	IsCoordinator bool // the coordinator runs there too: in no mean
}

// Jump is what comes to the cost of losing a unit at an instant. Tasks and
// StartMs: attempts in flight, and their starts, from the start of the run on, added up.
type Jump struct {
	AtMs, Tasks, StartMs             int64
	OwedMs, ClimbMs, CachedMs, LowMs int64
}

// Interval is a time without a jump: just after FromMs the cost is Ms, and LowMs
// at least, and both grow by Tasks a ms.
type Interval struct{ FromMs, ToMs, Tasks, Ms, LowMs int64 }

// supremum is the cost just before the end.
func (i *Interval) supremum() int64 { return i.Ms + i.Tasks*(i.ToMs-i.FromMs) }

// at is the cost at an instant, and at least.
func (i *Interval) at(ms int64) (high, low int64) {
	more := i.Tasks * (ms - i.FromMs)
	return i.Ms + more, i.LowMs + more
}

// Curve is what losing a unit costs, in the order of time.
type Curve struct {
	Unit
	Intervals           []Interval
	owed, climb, cached wide // integrals over its life
}

// Set are the curves of units, in their order, in a run that starts at FromMs
// and ends at ToMs.
type Set struct {
	FromMs, ToMs int64
	Curves       []Curve

	named map[[2]string]*Curve // by kind and name, made when first asked
}

// New works out the curve of each unit from its jumps, which may be in any order
// and which it sorts.
func New(fromMs, toMs int64, units []Unit, jumps [][]Jump) *Set {
	s := &Set{FromMs: fromMs, ToMs: toMs, Curves: make([]Curve, len(units))}
	for i := range units {
		slices.SortFunc(jumps[i], func(a, b Jump) int { return cmp.Compare(a.AtMs, b.AtMs) })
		s.Curves[i] = curveOf(fromMs, &units[i], jumps[i])
	}
	return s
}

func curveOf(startMs int64, u *Unit, jumps []Jump) Curve {
	c := Curve{Unit: *u, Intervals: make([]Interval, 0, len(jumps)+1)}
	var sum Jump
	from := u.FromMs
	upTo := func(ms int64) {
		if from < ms {
			flight := sum.Tasks*(from-startMs) - sum.StartMs
			c.Intervals = append(c.Intervals, Interval{from, ms, sum.Tasks, flight + sum.OwedMs + sum.ClimbMs + sum.CachedMs, flight + sum.LowMs})
		}
		from = ms
	}
	for i := range jumps {
		j := &jumps[i]
		upTo(j.AtMs)
		sum.Tasks += j.Tasks
		sum.StartMs += j.StartMs
		sum.OwedMs += j.OwedMs
		sum.ClimbMs += j.ClimbMs
		sum.CachedMs += j.CachedMs
		sum.LowMs += j.LowMs
		c.owed = c.owed.plus(product(j.OwedMs, u.ToMs-j.AtMs))
		c.climb = c.climb.plus(product(j.ClimbMs, u.ToMs-j.AtMs))
		c.cached = c.cached.plus(product(j.CachedMs, u.ToMs-j.AtMs))
	}
	upTo(u.ToMs)
	return c
}

// Find is the curve of a unit, nil if there is no such unit. A run may have lost
// tens of thousands, and each is asked for.
func (s *Set) Find(kind, name string) *Curve {
	if s.named == nil {
		s.named = make(map[[2]string]*Curve, len(s.Curves))
		for i := range s.Curves {
			c := &s.Curves[i]
			s.named[[2]string{c.Kind, c.Name}] = c
		}
	}
	return s.named[[2]string{kind, name}]
}

// Before is what losing the unit costs just before an instant, at most and at
// least; false where it is not alive then.
func (c *Curve) Before(ms int64) (high, low int64, isAlive bool) {
	i, _ := slices.BinarySearchFunc(c.Intervals, ms, func(i Interval, ms int64) int { return cmp.Compare(i.ToMs, ms) })
	if i == len(c.Intervals) || c.Intervals[i].FromMs >= ms {
		return 0, 0, false
	}
	high, low = c.Intervals[i].at(ms)
	return high, low, true
}

// kinds are the kinds of the units that means are of, each with its curves, both
// in order.
func (s *Set) kinds() (names []string, of map[string][]*Curve) {
	of = map[string][]*Curve{}
	for i := range s.Curves {
		c := &s.Curves[i]
		if c.IsCoordinator {
			continue
		}
		if of[c.Kind] == nil {
			names = append(names, c.Kind)
		}
		of[c.Kind] = append(of[c.Kind], c)
	}
	slices.Sort(names)
	return names, of
}
