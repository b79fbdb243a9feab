package analysis

// ProgressCurve is what the engine's progress bar says is done against what no
// single removal could undo.
type ProgressCurve struct {
	Axis   Axis
	Kind   string // of the units whose removal is meant
	Points []Progress
	Widest Progress // where the two are farthest apart
	Marks  []Mark
	Empty  string
}

func progressCurve(in *Inputs) ProgressCurve {
	p := ProgressCurve{Axis: axis(in), Kind: in.Kind, Points: in.Progress, Marks: marks(in)}
	for _, at := range in.Progress {
		if at.Reported-at.Safe > p.Widest.Reported-p.Widest.Safe {
			p.Widest = at
		}
	}
	if len(in.Progress) == 0 {
		p.Empty = "No task is in the log."
	}
	return p
}
