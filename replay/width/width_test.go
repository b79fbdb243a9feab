package width_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"tracereplay/replay/width"
)

// The figures that everybody quotes.
func TestKnown(t *testing.T) {
	for _, c := range []struct {
		name string
		got  width.Share
		want float64
	}{
		{"modulo 8 to 9", width.ModuloMoved(8, 9), 8.0 / 9},
		{"modulo 8 to 16", width.ModuloMoved(8, 16), 1.0 / 2},
		{"modulo 9 to 8", width.ModuloMoved(9, 8), 8.0 / 9},
		{"modulo 6 to 4", width.ModuloMoved(6, 4), 4.0 / 6},
		{"consistent 8 to 9", width.ConsistentMoved(8, 9), 1.0 / 9},
		{"consistent 8 to 4", width.ConsistentMoved(8, 4), 1.0 / 2},
		{"16 partitions 8 to 9", width.PartitionsMoved(16, 8, 9), 1.0 / 16},
		{"16 partitions 8 to 4", width.PartitionsMoved(16, 8, 4), 8.0 / 16},
		{"16 partitions 4 to 8", width.PartitionsMoved(16, 4, 8), 8.0 / 16},
		{"16 partitions 8 to 32", width.PartitionsMoved(16, 8, 32), 8.0 / 16},
		{"16 partitions 32 to 64", width.PartitionsMoved(16, 32, 64), 0},
		// Ranges of 4 to 2 workers: {0,1} {2,3} become {0,1,2,3}, so worker 0 keeps 2 of 8, and worker 1 none of its {2,3}.
		{"8 groups 4 to 2", width.GroupsMoved(8, 4, 2), 6.0 / 8},
	} {
		if math.Abs(c.got.Float()-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
	for p, want := range map[int64]int64{1: 128, 8: 128, 85: 128, 86: 256, 100: 256, 30000: 32768} {
		if got := width.Groups(p); got != want {
			t.Errorf("Groups(%d) = %d, want %d", p, got, want)
		}
	}
}

// Under modulo, hashes repeat after lcm(p, q) <= p*q of them.
func TestModuloByCounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := rapid.Int64Range(1, 60).Draw(t, "p"), rapid.Int64Range(1, 60).Draw(t, "q")
		var moved int64
		for h := range p * q {
			if width.ModuloOwner(uint64(h), p) != width.ModuloOwner(uint64(h), q) {
				moved++
			}
		}
		if s := width.ModuloMoved(p, q); s.Part*p*q != moved*s.Of {
			t.Fatalf("%d to %d: %v, counted %d of %d", p, q, s, moved, p*q)
		}
	})
}

func TestGroupsByCounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := rapid.Int64Range(1, 300).Draw(t, "groups")
		p, q := rapid.Int64Range(1, 320).Draw(t, "p"), rapid.Int64Range(1, 320).Draw(t, "q")
		var moved int64
		for i := range g {
			if width.GroupOwner(i, g, p) != width.GroupOwner(i, g, q) {
				moved++
			}
		}
		if s := width.GroupsMoved(g, p, q); s != (width.Share{Part: moved, Of: g}) {
			t.Fatalf("%d groups, %d to %d: %v, counted %d", g, p, q, s, moved)
		}
	})
}

// The share under consistent hashing is a mean: counted over n keys it lies
// within five standard deviations. A key that moves has its old or its new
// worker among those that come or go.
func TestConsistentByCounting(t *testing.T) {
	const n = 4000
	rapid.Check(t, func(t *rapid.T) {
		p, q := rapid.Int64Range(1, 24).Draw(t, "p"), rapid.Int64Range(1, 24).Draw(t, "q")
		seed := rapid.Uint64().Draw(t, "seed")
		moved := 0
		for i := range uint64(n) {
			a, b := width.ConsistentOwner(seed+i, p), width.ConsistentOwner(seed+i, q)
			if a == b {
				continue
			}
			moved++
			if max(a, b) < min(p, q) {
				t.Fatalf("%d to %d: a key moved between workers that stay", p, q)
			}
		}
		want := width.ConsistentMoved(p, q).Float()
		if d := math.Abs(float64(moved)/n - want); d > 5*math.Sqrt(want*(1-want)/n)+1e-9 {
			t.Fatalf("%d to %d: counted %d of %d, want %v", p, q, moved, n, want)
		}
	})
}

// fewest finds the fewest moves by trying every even layout over q workers, and
// every choice of the workers that stay.
func fewest(n, p, q int64) int64 {
	before := make([]int64, n) // partition i is on worker i mod p: evenly
	for i := range before {
		before[i] = int64(i) % p
	}
	best := n
	after := make([]int64, n)
	load := make([]int64, q)
	names := namings(p, q)
	var place func(i int64)
	place = func(i int64) {
		if i == n {
			for w := range load {
				if load[w] < n/q || load[w] > (n+q-1)/q {
					return
				}
			}
			for _, name := range names {
				var moved int64
				for j := range after {
					if name[after[j]] != before[j] {
						moved++
					}
				}
				best = min(best, moved)
			}
			return
		}
		for w := range q {
			if load[w] < (n+q-1)/q {
				load[w]++
				after[i] = w
				place(i + 1)
				load[w]--
			}
		}
	}
	place(0)
	return best
}

// namings are all ways in which min(p, q) workers stay: of growing, the old
// ones; of shrinking, any q of them. A new worker has a name beyond p.
func namings(p, q int64) [][]int64 {
	if q >= p {
		name := make([]int64, q)
		for i := range name {
			name[i] = int64(i)
		}
		return [][]int64{name}
	}
	var out [][]int64
	var pick func(from int64, chosen []int64)
	pick = func(from int64, chosen []int64) {
		if int64(len(chosen)) == q {
			out = append(out, append([]int64(nil), chosen...))
			return
		}
		for w := from; w < p; w++ {
			pick(w+1, append(chosen, w))
		}
	}
	pick(0, nil)
	return out
}

func TestPartitionsByTrying(t *testing.T) {
	for n := range int64(7) {
		for p := int64(1); p <= 5; p++ {
			for q := int64(1); q <= 5; q++ {
				if got, want := width.PartitionsMoved(n, p, q).Part, fewest(n, p, q); got != want {
					t.Errorf("%d partitions, %d to %d workers: %d, by trying %d", n, p, q, got, want)
				}
			}
		}
	}
}

// A change back moves as much, and no change moves nothing.
func TestThereAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, 500).Draw(t, "n")
		p, q := rapid.Int64Range(1, 100).Draw(t, "p"), rapid.Int64Range(1, 100).Draw(t, "q")
		for _, f := range []func(p, q int64) width.Share{
			func(p, q int64) width.Share { return width.PartitionsMoved(n, p, q) },
			func(p, q int64) width.Share { return width.GroupsMoved(n, p, q) },
			width.ModuloMoved, width.ConsistentMoved,
		} {
			if f(p, q) != f(q, p) {
				t.Fatalf("%d and %d: %v there, %v back", p, q, f(p, q), f(q, p))
			}
			if f(p, p).Part != 0 {
				t.Fatalf("%d to %d moves %v", p, p, f(p, p))
			}
			if s := f(p, q); s.Part < 0 || s.Part > s.Of {
				t.Fatalf("%v", s)
			}
		}
	})
}
