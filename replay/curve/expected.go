package curve

import (
	"math"

	"tracereplay/replay/result"
)

// Expected is what the removal of a unit at a random instant of its life costs,
// exactly, and what that makes of a run, by kind of unit.
//
// Over an interval of length l, with n attempts in flight and the cost c at its
// start, the cost has the integral c l + n l^2 / 2 and its square
// c^2 l + c n l^2 + n^2 l^3 / 3.
func (s *Set) Expected() []result.Expected {
	var out []result.Expected
	names, of := s.kinds()
	for _, kind := range names {
		out = append(out, expected(kind, of[kind]))
	}
	return out
}

func expected(kind string, curves []*Curve) result.Expected {
	e := result.Expected{UnitKind: kind, Units: int64(len(curves))}
	var high, low, owed, climb, cached wide // high and low: twice the integral
	square := 0.0
	for _, c := range curves {
		e.LifeMs += c.ToMs - c.FromMs
		owed, climb, cached = owed.plus(c.owed), climb.plus(c.climb), cached.plus(c.cached)
		for i := range c.Intervals {
			v := &c.Intervals[i]
			length := v.ToMs - v.FromMs
			growth := product(v.Tasks*length, length)
			high = high.plus(product(2*v.Ms, length)).plus(growth)
			low = low.plus(product(2*v.LowMs, length)).plus(growth)
			square += squared(float64(v.Ms), float64(v.Tasks), float64(length))
			e.WorstMs = max(e.WorstMs, v.supremum())
		}
	}
	all, allLow, life := high.float()/2, low.float()/2, float64(e.LifeMs)
	e.RecomputeMs, e.RecomputeLowMs = all/life, allLow/life
	e.SdRecomputeMs = math.Sqrt(max(square/life-math.Pow(e.RecomputeMs, 2), 0))
	e.InFlightMs = (all - owed.float() - climb.float() - cached.float()) / life
	e.OwedMs, e.ClimbMs, e.CachedMs = owed.float()/life, climb.float()/life, cached.float()/life
	e.RunRecomputeMs, e.RunRecomputeLowMs, e.RunVarianceMs2 = all/3_600_000, allLow/3_600_000, square/3_600_000
	return e
}

// squared is the integral of a squared cost. The conversions keep a product and
// a sum from becoming one operation, which on some processors rounds otherwise.
func squared(cost, tasks, length float64) float64 {
	return float64(float64(cost*cost*length)+float64(cost*tasks*length*length)) + float64(tasks*tasks*length*length*length/3)
}
