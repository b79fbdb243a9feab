package sim

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Sample is what one of many runs came to: a Result without its lists.
type Sample struct {
	Run  int
	Seed uint64
	Totals
}

// Sample is the short form of a result.
func (r *Result) Sample(run int) Sample { return Sample{run, r.Seed, r.Totals} }

// Many simulates n runs with the seeds opt.Seed, opt.Seed+1, ... on as many
// goroutines as threads says (0: one a processor). The samples are in order of
// their seeds and the same whatever the number of threads; each run can be had
// again by its seed.
func Many(run *Run, opt Options, n, threads int) []Sample {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	out := make([]Sample, n)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(threads, n) {
		wg.Go(func() {
			s := New(run)
			mine := opt
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				mine.Seed = opt.Seed + uint64(i)
				out[i] = s.Simulate(&mine).Sample(i)
			}
		})
	}
	wg.Wait()
	return out
}

// Quantile is a quantile of a sample with its 95 % interval.
type Quantile struct {
	P         float64
	V         float64
	Low, High float64
	At        int // place in the sorted list
}

// Quantiles of a list, which it sorts. The interval is that of order
// statistics: the places between which the true quantile lies in 19 of 20
// samples. It needs no assumption about the distribution.
func Quantiles(list []float64, ps ...float64) []Quantile {
	slices.Sort(list)
	n := float64(len(list))
	if n == 0 {
		return nil
	}
	at := func(x float64) int { return min(max(int(x), 0), len(list)-1) }
	out := make([]Quantile, 0, len(ps))
	for _, p := range ps {
		half := 1.96 * math.Sqrt(n*p*(1-p))
		k := at(math.Ceil(n*p) - 1)
		out = append(out, Quantile{p, list[k], list[at(math.Floor(n*p-half)-1)], list[at(math.Ceil(n*p+half)-1)], k})
	}
	return out
}
