package analysis

import "tracereplay/internal/human"

// Axis is the time that a figure spans, and the clock that labels it.
type Axis struct {
	FromMs, ToMs int64
	Clock        human.Clock
}

// Mark is a recorded removal on an axis.
type Mark struct {
	AtMs     int64
	Kind     string // of the unit
	Unit     string
	Words    string // what happened, in one line
	Harmless bool   // nothing was lost by it
}

// axis spans the view, else the run; a run without length gets a second.
func axis(in *Inputs) Axis {
	a := Axis{FromMs: in.App.FromMs, ToMs: in.App.ToMs, Clock: in.Clock}
	if in.View.ToMs > in.View.FromMs {
		a.FromMs, a.ToMs = in.View.FromMs, in.View.ToMs
	}
	if a.ToMs <= a.FromMs {
		a.ToMs = a.FromMs + 1000
	}
	return a
}

// marks are the removals that the figures over time show: all but releases
// that cost nothing.
func marks(in *Inputs) []Mark {
	var out []Mark
	for _, r := range in.Removals {
		if r.Kind == "release" && !destroyed(r) {
			continue
		}
		out = append(out, Mark{goneBy(r), r.UnitKind, r.Unit, removalWords(r, in.Clock), !destroyed(r) && r.InFlightMs == 0})
	}
	return out
}
