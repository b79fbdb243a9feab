package analysis

import "tracereplay/replay/result"

// expected is the row of a kind.
func expected(rows []result.Expected, kind string) (result.Expected, bool) {
	for _, e := range rows {
		if e.UnitKind == kind {
			return e, true
		}
	}
	return result.Expected{}, false
}

// finishedMs is the part of an expected cost that had been reported finished.
func finishedMs(e result.Expected) float64 { return e.OwedMs + e.ClimbMs + e.CachedMs }
