package analysis

import (
	"cmp"
	"slices"

	"tracereplay/internal/human"
	"tracereplay/replay/result"
)

// goneBy is the moment that a removal is said to have happened: the first sign
// of loss, or when the engine gave the worker up.
func goneBy(r result.Removal) int64 {
	if r.GoneHighMs.OK {
		return min(r.GoneHighMs.V, r.DetectedMs)
	}
	return r.DetectedMs
}

// againMs is the time of second runs of pieces that had been reported finished.
// What was cut off in flight or while reading is not among them.
func againMs(r result.Removal) int64 {
	return r.OwedMs + r.ClimbMs + r.UnneededMs + r.DuplicateMs + r.RollbackMs
}

// verb says what happened to the unit.
func verb(r result.Removal) string {
	switch {
	case r.Kind == "withdrawal":
		return "was withdrawn"
	case r.Kind == "release" && r.Cause == "idle":
		return "was released after being idle"
	case r.Kind == "release":
		return "was released"
	case r.Kind == "exit" && r.Cause == "out_of_memory":
		return "was killed for its use of memory"
	case r.Kind == "exit" && r.Cause == "killed":
		return "was killed"
	case r.Kind == "exit":
		return "exited"
	default:
		return "was lost (the log does not say whether it died alone or its machine was withdrawn)"
	}
}

// removalWords is a removal in one line, for a mark.
func removalWords(r result.Removal, c human.Clock) string {
	return r.UnitKind + " " + human.Cut(r.Unit, 80) + " " + verb(r) + " at " + c.Full(goneBy(r))
}

// destroyed tells whether a removal took finished work that was still needed,
// or made finished work run again.
func destroyed(r result.Removal) bool { return r.NeededOutputs > 0 || r.PiecesAgain > 0 }

// costliest are the removals that destroyed something, the costliest first.
func costliest(all []result.Removal) []result.Removal {
	var out []result.Removal
	for _, r := range all {
		if destroyed(r) {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, compareRemovals)
	return out
}

// compareRemovals orders the costlier first.
func compareRemovals(a, b result.Removal) int {
	return cmp.Or(cmp.Compare(againMs(b), againMs(a)), cmp.Compare(b.NeededOutputs, a.NeededOutputs), cmp.Compare(b.RerunMs, a.RerunMs))
}
