package curve

import (
	"math/big"
	"slices"
)

// Mean is the mean over the units that are alive at an instant.
type Mean struct {
	AtMs, Units int64
	Ms          float64
}

// Means are the means over a kind of unit at n instants, equally far from each
// other, at which one is alive.
func (s *Set) Means(kind string, n int64) []Mean {
	type total struct{ units, ms int64 }
	at := make([]total, n)
	s.sample(kind, n, func(nth, ms int64) {
		at[nth].units++
		at[nth].ms += ms
	})
	var out []Mean
	for nth := int64(0); nth < n; nth++ {
		sum, ms := at[nth], s.instant(nth, n)
		for ; nth+1 < n && s.instant(nth+1, n) == ms; nth++ { // more instants than ms
			sum.units += at[nth+1].units
			sum.ms += at[nth+1].ms
		}
		if sum.units > 0 {
			out = append(out, Mean{ms, sum.units, mean(sum.ms, sum.units)})
		}
	}
	return out
}

// mean divides with the 64 bits in which DuckDB takes averages.
func mean(sum, n int64) float64 {
	x := new(big.Float).SetPrec(64).SetInt64(sum)
	out, _ := x.Quo(x, new(big.Float).SetPrec(64).SetInt64(n)).Float64()
	return out
}

// Percentiles are the costs below or at which so many of a hundred samples are,
// taken of all units of a kind at n instants; none without a sample.
func (s *Set) Percentiles(kind string, n int64, percents []int64) []int64 {
	var all []int64
	s.sample(kind, n, func(_, ms int64) { all = append(all, ms) })
	if len(all) == 0 {
		return nil
	}
	slices.Sort(all)
	out := make([]int64, len(percents))
	for i, p := range percents {
		out[i] = all[max((int64(len(all))*p+99)/100, 1)-1]
	}
	return out
}

// instant is the nth of n instants: (2 nth + 1) / 2 n of the run.
func (s *Set) instant(nth, n int64) int64 {
	return s.FromMs + (2*nth+1)*s.lengthMs()/(2*n)
}

func (s *Set) lengthMs() int64 { return max(s.ToMs-s.FromMs, 1) }

// sample tells what each unit of a kind costs at each of n instants at which it is
// alive. An interval takes part with those that it holds, from the first that is
// not before it to the last that is before its end: most hold none.
func (s *Set) sample(kind string, n int64, do func(nth, ms int64)) {
	length := s.lengthMs()
	from := func(ms int64) int64 { // the first instant that is not before it
		return (max(2*n*(ms-s.FromMs)-length, 0) + 2*length - 1) / (2 * length)
	}
	for i := range s.Curves {
		c := &s.Curves[i]
		if c.Kind != kind || c.IsCoordinator {
			continue
		}
		for j := range c.Intervals {
			v := &c.Intervals[j]
			for nth := from(v.FromMs); nth < min(from(v.ToMs), n); nth++ {
				ms, _ := v.at(s.instant(nth, n))
				do(nth, ms)
			}
		}
	}
}
