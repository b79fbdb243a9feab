package analysis

import "tracereplay/internal/human"

// Note is a word of the report, what it means, and how it is known.
type Note struct {
	Word, Meaning, Known string
}

// Notes explain the words, in the order in which a reader meets them.
func Notes() []Note {
	return []Note{
		{"slot time", "Time that one task place was occupied. Two tasks of one minute are two minutes of slot time, side by side or one after the other.", "Logged: finish minus launch of each task."},
		{"share of the run", "Slot time divided by that of all task attempts of the run, first and repeated ones.", "Derived from logged times."},
		{"in flight", "Attempts that run on the unit when it is lost; each loses the time it has run.", "Logged."},
		{"owed", "Finished outputs of shuffles that somebody may still read. One reader that must fetch is enough: all missing pieces of that shuffle are then made again.", "Where outputs stand, and who reads them, is derived from the stages' datasets. Reads are known per shuffle and reader, not per piece."},
		{"climb", "Finished outputs that everybody had read, but that must exist again to make something owed: damage that climbs back to earlier rounds.", "Derived; complete caches and checkpoints cut the climb."},
		{"cached", "Cached blocks that are read later or that a re-run needs.", "Logged where block updates are in the log, otherwise inferred from where the tasks ran, and then only in high figures."},
		{"at least", "The low bound: counted only where the reader had surely not fetched yet. The figure without these words is the high bound. In real runs with dense shuffles the high bound is what ran again.", "Bounds; which of the two is true the log does not say."},
		{"finished work", "Owed, climb and cached: what had been reported finished before the loss.", "Derived."},
		{"expected cost of a removal", "The cost averaged over all units of a kind and all instants of their lives.", "An exact integral of the curve, no sample."},
		{"safe progress", "What had been reported finished, less the most that losing any one unit would have undone at that moment.", "Derived."},
		{"risk", "Slot time that an output took, times how long it waited for its last reader.", "Derived."},
		{"gone by", "The first sign of the loss in the log. The unit may have been gone earlier, without a sign.", "A bound."},
	}
}

// Assumptions are what the figures rest on, for this log.
func (r *Report) Assumptions() []string {
	a := []string{
		"Losses are of one unit at a time, seen from the run as it was recorded, its re-runs included.",
		"A machine's loss takes all of its workers, and what stands on its disks.",
		"The engine makes all missing pieces of a shuffle again as soon as one reader must fetch from it.",
	}
	for _, s := range r.In.Storage {
		if s.Outputs == 0 && s.Blocks == 0 {
			continue
		}
		line := human.Counted(s.Outputs, "output", "outputs") + " and " + human.Counted(s.Blocks, "cached block", "cached blocks") + " are lost " + withWhat(s.DiesWith)
		if s.Evidence != "" {
			line += ": " + human.Cut(s.Evidence, 300)
		}
		a = append(a, line+".")
	}
	return a
}

func withWhat(diesWith string) string {
	switch diesWith {
	case Worker:
		return "with the worker that made them"
	case Machine:
		return "with the machine (a shuffle service on it keeps them)"
	case Service:
		return "with a server of the remote shuffle service"
	default:
		return "with no worker or machine"
	}
}

// Limits are what the report does not say.
func (r *Report) Limits() []string {
	l := []string{
		"Costs are slot time to redo, not delay: how much later the run would have ended is simulated, and said where it is.",
		"Outputs that the engine deletes silently when nobody can read them any more are not logged; they count as standing, which matters to bytes and not to costs.",
		"Sizes are known per output, not per reader of it.",
	}
	return append(l, fidelityWords(r.In))
}
