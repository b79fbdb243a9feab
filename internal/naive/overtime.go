package naive

// What follows is "Over time" of docs/model.md.

// Span is one step of a unit's curve: between two breakpoints nothing jumps.
type Span struct {
	From, Until int64
	At          Figures // at From
	SupremumMs  int64   // of recompute in the span: the limit at Until
}

// Spans goes through a unit's life.
func (w *World) Spans(u Unit) []Span {
	var out []Span
	points := w.Breakpoints(u)
	for i, from := range points {
		until := u.To
		if i+1 < len(points) {
			until = points[i+1]
		}
		if until <= from {
			continue
		}
		f := w.At(u, from)
		out = append(out, Span{from, until, f, f.RecomputeMs + f.InFlightTasks*(until-from)})
	}
	return out
}

// Worst is the step with the highest recompute, the first of several.
func (w *World) Worst(u Unit) (Span, bool) {
	var worst Span
	found := false
	for _, s := range w.Spans(u) {
		if !found || s.SupremumMs > worst.SupremumMs {
			worst, found = s, true
		}
	}
	return worst, found
}

// ExpectedMs is the recompute of one removal of a unit of a kind, at an instant
// drawn from all their lives; false without any life. A machine that carries the
// coordinator does not count.
func (w *World) ExpectedMs(kind Kind) (float64, bool) {
	integral, lives := 0.0, 0.0
	for _, u := range w.Units(kind) {
		if u.Coordinator {
			continue
		}
		for _, s := range w.Spans(u) {
			d := float64(s.Until - s.From)
			integral += float64(s.At.RecomputeMs)*d + float64(s.At.InFlightTasks)*d*d/2
			lives += d
		}
	}
	return integral / lives, lives > 0
}
