package analysis

import (
	"cmp"

	"tracereplay/internal/human"
	"tracereplay/replay/result"
)

// Worst is the most that losing a unit costs at any instant: the supremum over
// the interval that begins at AtMs.
type Worst struct {
	Kind, Unit    string
	AtMs, UntilMs int64
	MomentMs      int64 // where the supremum is: AtMs, or just before UntilMs
	Parts         Parts
	LowMs         int64 // surely redone
	Outputs       int64 // finished outputs that are made again
	Blocks        int64 // cached blocks that are
	InFlight      int64 // attempts that are killed
	OldestMs      any   // how long before that moment the oldest had been reported finished; nil if there is none
	Rounds        int64
	Known         string
	Coordinator   bool
}

// worstOf reads a row. In flight grows to the end of its interval, where the
// supremum is; the rest is the same all over it.
func worstOf(b *result.Blast) Worst {
	grown, moment, age := max(0, b.SupremumMs-b.RecomputeMs), b.InstantMs, b.OldestLostAgeMs
	if grown > 0 {
		moment = b.UntilMs
		age.V += b.UntilMs - b.InstantMs
	}
	return Worst{
		Kind: b.UnitKind, Unit: b.Unit, AtMs: b.InstantMs, UntilMs: b.UntilMs, MomentMs: moment,
		Parts: Parts{
			InFlight: float64(b.InFlightMs + grown), Owed: float64(b.OwedMs),
			Climb: float64(b.ClimbMs), Cached: float64(b.CachedMs),
		},
		LowMs: b.RecomputeLowMs + grown, Outputs: b.OwedOutputs + b.ClimbOutputs, Blocks: b.CachedBlocks,
		InFlight: b.InFlightTasks, OldestMs: opt(age),
		Rounds: b.RoundsLive, Known: b.Known, Coordinator: b.IsCoordinatorsHost,
	}
}

// worst picks the worst of a kind. The coordinator's machine is apart: losing
// it ends the job. Ties go to the earlier instant, then to the lesser name.
func worst(rows []result.Blast, kind string) (Worst, bool) {
	var best Worst
	found := false
	for i := range rows {
		if rows[i].UnitKind != kind || rows[i].IsCoordinatorsHost {
			continue
		}
		if w := worstOf(&rows[i]); !found || compareWorst(w, best) < 0 {
			best, found = w, true
		}
	}
	return best, found
}

// compareWorst orders the worse first.
func compareWorst(a, b Worst) int {
	return cmp.Or(
		cmp.Compare(b.Parts.Sum(), a.Parts.Sum()),
		cmp.Compare(a.AtMs, b.AtMs),
		human.Compare(a.Unit, b.Unit),
	)
}
