package curve

import (
	"cmp"
	"slices"
)

// Quantiles is what a removal of a kind of unit costs at a random instant of a
// random unit's life: the median, the 95 % quantile, and the worst, with where its
// interval starts.
type Quantiles struct {
	Kind                string
	P50Ms, P95Ms, MaxMs int64
	MaxUnit             string
	MaxInstantMs        int64
}

// Quantiles are those of each kind of unit that has any.
//
// Over an interval the cost runs evenly from c to c + n l, so the time spent below
// x is d (x - c), with d = 1 / n, between these two, and l from there on; l at once
// when nothing is in flight. Added up, the time spent below x is D x - E + J: D, E
// and J are running sums of d, d c and l over the corners up to x. These are first
// summed up by ranges of x, then corner by corner in the range that the quantile
// is in, so that few corners are sorted. Times are counted in parts of 2^20 and
// whole numbers, so that no order of adding changes a digit.
func (s *Set) Quantiles() []Quantiles {
	var out []Quantiles
	names, of := s.kinds()
	for _, kind := range names {
		q := worst(kind, of[kind])
		d := newDistribution(of[kind], q.MaxMs)
		isFound := [2]bool{}
		q.P50Ms, isFound[0] = d.quantile(50)
		q.P95Ms, isFound[1] = d.quantile(95)
		if isFound[0] && isFound[1] {
			out = append(out, q)
		}
	}
	return out
}

// worst finds the highest cost, the first unit by name that has it, and the first
// instant.
func worst(kind string, curves []*Curve) Quantiles {
	q := Quantiles{Kind: kind, MaxMs: -1}
	for _, c := range curves {
		for i := range c.Intervals {
			v := &c.Intervals[i]
			if ms := v.supremum(); ms > q.MaxMs || ms == q.MaxMs && c.Name < q.MaxUnit {
				q.MaxMs, q.MaxUnit, q.MaxInstantMs = ms, c.Name, v.FromMs
			}
		}
	}
	return q
}

const (
	ranges = 4096
	part   = 1 << 20  // of a ms
	slack  = 4 * part // a few ms, which rounding d may lose
)

// corner is where the time spent below a cost x turns (by d) or jumps.
type corner struct{ cost, d, jump int64 }

// sums are the running sums of corners.
type sums struct {
	d    int64
	e, j wide
}

func (s *sums) add(c corner) {
	s.d += c.d
	s.e = s.e.plus(product(c.d, c.cost))
	s.j = s.j.plus(wide{0, uint64(c.jump)})
}

// below is the time spent below a cost.
func (s *sums) below(cost int64) wide { return product(s.d, cost).minus(s.e).plus(s.j) }

type distribution struct {
	curves  []*Curve
	width   int64 // of a range of costs
	lifeMs  int64
	byRange [ranges]sums
	isUsed  [ranges]bool
}

func newDistribution(curves []*Curve, maxMs int64) *distribution {
	d := &distribution{curves: curves, width: maxMs/ranges + 1}
	d.corners(func(c corner) {
		d.byRange[c.cost/d.width].add(c)
		d.isUsed[c.cost/d.width] = true
	})
	for _, c := range curves {
		d.lifeMs += c.ToMs - c.FromMs
	}
	return d
}

// corners are those of all intervals.
func (d *distribution) corners(do func(corner)) {
	for _, c := range d.curves {
		for i := range c.Intervals {
			v := &c.Intervals[i]
			length, end := (v.ToMs-v.FromMs)*part, v.supremum()
			if end == v.Ms {
				do(corner{v.Ms, 0, length})
				continue
			}
			slope := length / (end - v.Ms)
			do(corner{v.Ms, slope, 0})
			do(corner{end, -slope, 0})
		}
	}
}

// quantile is the cost below which so many of a hundred parts of the time are
// spent; false where nothing is alive.
func (d *distribution) quantile(percent int64) (int64, bool) {
	at := product(d.lifeMs*percent, part).over(100)
	var before sums
	for r := range d.byRange {
		if !d.isUsed[r] {
			continue
		}
		after, end := before, (int64(r)+1)*d.width-1
		after.d += d.byRange[r].d
		after.e = after.e.plus(d.byRange[r].e)
		after.j = after.j.plus(d.byRange[r].j)
		if isReached(&after, end, at) {
			return d.within(int64(r), before, end, at)
		}
		before = after
	}
	return 0, false
}

// isReached tells whether so much time is spent below a cost, or nearly so.
func isReached(s *sums, cost int64, at wide) bool {
	return !s.below(cost).less(at.minus(wide{0, slack}))
}

// within finds the quantile in a range of costs, given the sums before it: in the
// first piece between two corners that reaches it.
func (d *distribution) within(r int64, s sums, end int64, at wide) (int64, bool) {
	var all []corner
	d.corners(func(c corner) {
		if c.cost/d.width == r {
			all = append(all, c)
		}
	})
	slices.SortFunc(all, func(a, b corner) int { return cmp.Compare(a.cost, b.cost) })
	from := int64(0)
	for i := 0; ; {
		to := end
		if i < len(all) {
			to = all[i].cost
		}
		if isReached(&s, to, at) && (from > 0 || s.d > 0 || !s.j.less(at)) {
			return s.reach(at, from, to), true
		}
		if i == len(all) {
			return 0, false
		}
		for from = to; i < len(all) && all[i].cost == from; i++ {
			s.add(all[i])
		}
	}
}

// reach is the cost between two below which so much time is spent.
func (s *sums) reach(at wide, from, to int64) int64 {
	if s.d <= 0 || !s.below(from).less(at) {
		return from
	}
	cost := at.plus(s.e).minus(s.j).over(s.d)
	if cost.hi > 0 || cost.lo > uint64(to) {
		return to
	}
	return max(int64(cost.lo), from)
}
