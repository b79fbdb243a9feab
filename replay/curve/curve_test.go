package curve

import (
	"cmp"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"tracereplay/replay/result"
)

// hand is a run from 100 to 140 with two machines and the coordinator's. On a,
// alive all the time, a task runs from 110 to 120 and then owes 5 until 130. On b,
// alive from 120 on, nothing happens. All times are in so many ms.
//
//	a  100-110: 0   110-120: 0 to 10   120-130: 5   130-140: 0
//	b  120-140: 0
func hand(ms int64) *Set {
	units := []Unit{
		{Kind: "machine", Name: "a", FromMs: 100 * ms, ToMs: 140 * ms},
		{Kind: "machine", Name: "b", FromMs: 120 * ms, ToMs: 140 * ms},
		{Kind: "machine", Name: "c", FromMs: 100 * ms, ToMs: 140 * ms, IsCoordinator: true},
	}
	return New(100*ms, 140*ms, units, [][]Jump{
		{
			{AtMs: 130 * ms, OwedMs: -5 * ms, LowMs: -4 * ms},
			{AtMs: 110 * ms, Tasks: 1, StartMs: 10 * ms},
			{AtMs: 120 * ms, Tasks: -1, StartMs: -10 * ms},
			{AtMs: 120 * ms, OwedMs: 5 * ms, LowMs: 4 * ms},
		},
		nil,
		{{AtMs: 100 * ms, ClimbMs: 1_000_000, LowMs: 1_000_000}},
	})
}

func TestCurve(t *testing.T) {
	s := hand(1)
	want := []Interval{{100, 110, 0, 0, 0}, {110, 120, 1, 0, 0}, {120, 130, 0, 5, 4}, {130, 140, 0, 0, 0}}
	if d := gocmp.Diff(want, s.Curves[0].Intervals); d != "" {
		t.Error(d)
	}
	if d := gocmp.Diff([]Interval{{120, 140, 0, 0, 0}}, s.Curves[1].Intervals); d != "" {
		t.Error(d)
	}
	for _, c := range []struct {
		unit          int
		ms, high, low int64
		isAlive       bool
	}{
		{0, 100, 0, 0, false}, {0, 101, 0, 0, true}, {0, 120, 10, 10, true}, {0, 121, 5, 4, true}, {0, 130, 5, 4, true}, {0, 140, 0, 0, true}, {0, 141, 0, 0, false}, {1, 120, 0, 0, false},
	} {
		if high, low, isAlive := s.Curves[c.unit].Before(c.ms); high != c.high || low != c.low || isAlive != c.isAlive {
			t.Errorf("just before %d: %d, %d, %v", c.ms, high, low, isAlive)
		}
	}
}

// Over 60 ms of life: 50 in flight (10 ms of 0 to 10), 50 owed (40 at least).
// Squared: 1000/3, and 250.
func TestExpected(t *testing.T) {
	square := 250.0 + 1000.0/3
	want := []result.Expected{{
		UnitKind: "machine", Units: 2, LifeMs: 60, RecomputeMs: 100.0 / 60, RecomputeLowMs: 90.0 / 60,
		SdRecomputeMs: math.Sqrt(square/60 - 100.0/60*100/60), InFlightMs: 50.0 / 60, OwedMs: 50.0 / 60, WorstMs: 10,
		RunRecomputeMs: 100.0 / 3_600_000, RunRecomputeLowMs: 90.0 / 3_600_000, RunVarianceMs2: square / 3_600_000,
	}}
	near := gocmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Abs(a) })
	if d := gocmp.Diff(want, hand(1).Expected(), near); d != "" {
		t.Error(d)
	}
}

// Of 60 s 40 are at 0, 5 below 5, 10 at 5, 5 up to 10. 95 % are 57 s: 2 s into
// the last part.
func TestQuantiles(t *testing.T) {
	want := []Quantiles{{Kind: "machine", P50Ms: 0, P95Ms: 7_000, MaxMs: 10_000, MaxUnit: "a", MaxInstantMs: 110_000}}
	if d := gocmp.Diff(want, hand(1000).Quantiles()); d != "" {
		t.Error(d)
	}
}

// Four instants: 105, 115, 125, 135. Machine b is there at the last two.
func TestSamples(t *testing.T) {
	s := hand(1)
	if d := gocmp.Diff([]Mean{{105, 1, 0}, {115, 1, 5}, {125, 2, 2.5}, {135, 2, 0}}, s.Means("machine", 4)); d != "" {
		t.Error(d)
	}
	if d := gocmp.Diff([]int64{0, 0, 5, 5}, s.Percentiles("machine", 4, []int64{5, 50, 75, 100})); d != "" {
		t.Error(d)
	}
	if means, parts := s.Means("service", 4), s.Percentiles("service", 4, []int64{50}); means != nil || parts != nil {
		t.Errorf("of no unit: %v, %v", means, parts)
	}
	all := s.Means("machine", 1000) // more than there are ms
	for i := range all {
		if i > 0 && all[i].AtMs <= all[i-1].AtMs {
			t.Fatalf("instants %d and %d", all[i-1].AtMs, all[i].AtMs)
		}
	}
	if len(all) != 40 {
		t.Errorf("%d instants", len(all))
	}
}

// randomSet is a run of 10,000 ms with a few units that jump at random.
func randomSet(seed uint64) *Set {
	r := rand.New(rand.NewPCG(seed, 1))
	units := make([]Unit, 1+r.IntN(5))
	jumps := make([][]Jump, len(units))
	scale := []int64{1, 100, 1_000_000, 10_000_000_000}[r.IntN(4)]
	for i := range units {
		from := r.Int64N(5000)
		units[i] = Unit{Kind: "worker", Name: string(rune('a' + i)), FromMs: from, ToMs: from + 1 + r.Int64N(5000)}
		length := units[i].ToMs - from
		for range r.IntN(30) {
			at, more := from+r.Int64N(length), r.Int64N(length)
			owed := r.Int64N(scale)
			jumps[i] = append(jumps[i], Jump{AtMs: at, Tasks: 1, StartMs: at, OwedMs: owed})
			if at+more < units[i].ToMs {
				jumps[i] = append(jumps[i], Jump{AtMs: at + more, Tasks: -1, StartMs: -at, OwedMs: -owed})
			}
		}
	}
	return New(0, 10_000, units, jumps)
}

// Quantiles agree with the costs at very many instants, sorted.
func TestQuantilesAgainstInstants(t *testing.T) {
	for seed := range uint64(300) {
		s := randomSet(seed)
		const steps = 16 // of a ms
		var all []int64
		for i := range s.Curves {
			for _, v := range s.Curves[i].Intervals {
				for k := range (v.ToMs - v.FromMs) * steps {
					all = append(all, steps*v.Ms+v.Tasks*k)
				}
			}
		}
		slices.Sort(all)
		q := s.Quantiles()[0]
		for _, c := range []struct{ got, percent int64 }{{q.P50Ms, 50}, {q.P95Ms, 95}} {
			// The cost itself may run on for the few ms that rounding may lose, at up to 30 a ms.
			at := int64(len(all)) * c.percent / 100
			low, high := all[max(at-8*steps, 0)]/steps-1, all[min(at+8*steps, int64(len(all))-1)]/steps+1
			if c.got < low || c.got > high {
				t.Errorf("seed %d: %d %%: %d, want %d to %d", seed, c.percent, c.got, low, high)
			}
		}
	}
}

// The order of jumps and of units is nothing to any figure.
func TestOrder(t *testing.T) {
	a, b := hand(1), hand(1)
	slices.SortFunc(b.Curves, func(x, y Curve) int { return -cmp.Compare(x.Name, y.Name) })
	if d := gocmp.Diff(a.Quantiles(), b.Quantiles()); d != "" {
		t.Error(d)
	}
	if d := gocmp.Diff(a.Means("machine", 7), b.Means("machine", 7)); d != "" {
		t.Error(d)
	}
}

func TestWide(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	number := func() int64 { return int64(r.Uint64()) >> r.IntN(64) }
	of := func(x wide) *big.Int {
		hi := new(big.Int).Lsh(big.NewInt(x.hi), 64)
		return hi.Add(hi, new(big.Int).SetUint64(x.lo))
	}
	for range 100_000 {
		a, b, c, d := number(), number(), number()>>1, number()>>1
		x, y := product(a, b), product(c, d)
		wantX, wantY := new(big.Int).Mul(big.NewInt(a), big.NewInt(b)), new(big.Int).Mul(big.NewInt(c), big.NewInt(d))
		if of(x).Cmp(wantX) != 0 {
			t.Fatalf("%d x %d", a, b)
		}
		if x.less(y) != (wantX.Cmp(wantY) < 0) {
			t.Fatalf("%v < %v", wantX, wantY)
		}
		x = product(a>>1, b)
		wantX.Mul(big.NewInt(a>>1), big.NewInt(b))
		if of(x.plus(y)).Cmp(new(big.Int).Add(wantX, wantY)) != 0 || of(x.minus(y)).Cmp(new(big.Int).Sub(wantX, wantY)) != 0 {
			t.Fatalf("%v + - %v", wantX, wantY)
		}
		if f, _ := new(big.Float).SetInt(wantX).Float64(); math.Abs(x.float()-f) > 1e-15*math.Abs(f) {
			t.Fatalf("%v: %v", wantX, x.float())
		}
		if n := b & math.MaxInt64; wantX.Sign() >= 0 && n > 0 && of(x.over(n)).Cmp(new(big.Int).Quo(wantX, big.NewInt(n))) != 0 {
			t.Fatalf("%v / %d", wantX, n)
		}
	}
}
