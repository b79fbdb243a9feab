package width

import "math/bits"

// Rule is a rule of ownership.
type Rule string

// The rules.
const (
	Engine     Rule = "engine"
	Modulo     Rule = "modulo"
	KeyGroups  Rule = "key-groups"
	Consistent Rule = "consistent"
)

// Rules are all rules, in the order in which they are shown.
func Rules() []Rule { return []Rule{Engine, Modulo, KeyGroups, Consistent} }

// Share is a part of a whole, exactly.
type Share struct{ Part, Of int64 }

// Float is the share as a number; that of an empty whole is 0.
func (s Share) Float() float64 {
	if s.Of == 0 {
		return 0
	}
	return float64(s.Part) / float64(s.Of)
}

// PartitionsMoved is how many of n partitions, spread evenly over p workers,
// must move so that they are spread evenly over q. Workers that are there
// before and after keep what they can: with fewest moves the lesser number of
// workers, a, keep what each of the larger number, b, has: n/b each, and one
// more for as many of them as there are in the rest.
func PartitionsMoved(n, p, q int64) Share {
	if n <= 0 || p <= 0 || q <= 0 {
		return Share{0, max(n, 0)}
	}
	a, b := min(p, q), max(p, q)
	kept := a*(n/b) + min(a, n%b)
	if a == b {
		kept = n
	}
	return Share{n - kept, n}
}

// ModuloMoved is the share of keys whose hash has another remainder by q than
// by p. Of lcm(p, q) hashes in a row, min(p, q) have the same one: 1 - gcd/max
// of all keys move.
func ModuloMoved(p, q int64) Share {
	if p <= 0 || q <= 0 {
		return Share{}
	}
	m := max(p, q)
	return Share{m - gcd(p, q), m}
}

// GroupsMoved is how many of g key groups change owner: all but the overlap of
// the ranges that a worker has before and after.
func GroupsMoved(g, p, q int64) Share {
	if g <= 0 || p <= 0 || q <= 0 {
		return Share{0, max(g, 0)}
	}
	var kept int64
	for i := range min(p, q) {
		from := max(groupStart(i, g, p), groupStart(i, g, q))
		to := min(groupStart(i+1, g, p), groupStart(i+1, g, q))
		kept += max(to-from, 0)
	}
	return Share{g - kept, g}
}

// groupStart is the first group of worker i, and the end of the one before it.
func groupStart(i, g, workers int64) int64 { return (i*g + workers - 1) / workers }

// ConsistentMoved is the share of keys that move in the mean when each key
// belongs to the worker that it likes best: those of the workers that come or go.
func ConsistentMoved(p, q int64) Share {
	if p <= 0 || q <= 0 {
		return Share{}
	}
	return Share{max(p, q) - min(p, q), max(p, q)}
}

// Groups is how many key groups Flink makes by default for a job that starts
// with p workers (parallelism): half again as many, up to the next power of
// two, at least 128 and at most 32768. The number stays for the life of the
// state.
func Groups(p int64) int64 {
	n := p + p/2
	if n < 2 {
		return 128
	}
	return min(max(int64(1)<<bits.Len64(uint64(n-1)), 128), 1<<15)
}

// ModuloOwner is the worker that owns a hash under modulo.
func ModuloOwner(hash uint64, workers int64) int64 { return int64(hash % uint64(workers)) }

// GroupOwner is the worker that owns a key group.
func GroupOwner(group, groups, workers int64) int64 { return group * workers / groups }

// ConsistentOwner is the worker that a hash likes best: the one with the
// highest score (rendezvous hashing).
func ConsistentOwner(hash uint64, workers int64) int64 {
	var best int64
	var most uint64
	for i := range workers {
		if s := mix(hash ^ mix(uint64(i)+1)); i == 0 || s > most {
			best, most = i, s
		}
	}
	return best
}

// mix spreads the bits of x (the finalizer of splitmix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
