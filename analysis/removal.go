package analysis

import (
	"cmp"
	"slices"

	"tracereplay/internal/human"
)

// AtMs is the moment that a removal is said to have happened: the first sign
// of loss, or when the engine gave the worker up.
func (r Removal) AtMs() int64 {
	if r.GoneHighMs.OK {
		return min(r.GoneHighMs.V, r.DetectedMs)
	}
	return r.DetectedMs
}

// verb says what happened to the unit.
func (r Removal) verb() string {
	switch {
	case r.Kind == "withdrawal":
		return "was withdrawn"
	case r.Kind == "release" && r.Cause == "idle":
		return "was released after being idle"
	case r.Kind == "release":
		return "was released"
	case r.Cause == "out_of_memory":
		return "was killed for its use of memory"
	case r.Cause == "killed":
		return "was killed"
	case r.Kind == "exit":
		return "exited"
	default:
		return "was lost (the log does not say whether the worker died or its machine was withdrawn)"
	}
}

// removalWords is a removal in one line, for a mark.
func removalWords(r Removal, c human.Clock) string {
	return r.UnitKind + " " + human.Cut(r.Unit, 80) + " " + r.verb() + " at " + c.Full(r.AtMs())
}

// destroyed tells whether a removal took finished work that was still needed,
// or made finished work run again.
func (r Removal) destroyed() bool { return r.NeededOutputs > 0 || r.RerunTasks > 0 }

// costliest are the removals that destroyed something, the costliest first.
func costliest(all []Removal) []Removal {
	var out []Removal
	for _, r := range all {
		if r.destroyed() {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b Removal) int {
		return cmp.Or(cmp.Compare(b.RerunMs, a.RerunMs), cmp.Compare(b.NeededOutputs, a.NeededOutputs))
	})
	return out
}
