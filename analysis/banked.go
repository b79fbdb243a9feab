package analysis

import (
	"cmp"
	"slices"
)

// Banked is what stands at risk over time: in the mean over the units of a
// kind, and on the worst of them.
type Banked struct {
	Axis  Axis
	Kind  string
	Unit  string // the one unit that Worst is of, "" all
	Mean  []Step
	Worst []Step
	Marks []Mark
	Empty string
}

// Step is a bin of time and what a loss costs there.
type Step struct {
	FromMs, ToMs int64
	Parts        Parts
	Unit         string  // the worst unit; "" in a mean
	Units        float64 // over which the mean goes
}

func banked(in *Inputs) Banked {
	b := Banked{Axis: axis(in), Kind: in.Kind, Unit: in.Unit, Marks: marks(in)}
	for _, bin := range in.Bins {
		if bin.Kind == b.Kind {
			b.Mean = append(b.Mean, Step{FromMs: bin.FromMs, ToMs: bin.ToMs, Parts: bin.Mean, Units: bin.Units})
		}
	}
	b.Worst = worstSteps(in.Cells)
	if len(b.Mean) == 0 {
		b.Empty = noUnits(in)
	}
	return b
}

// worstSteps are the worst cells of each bin, in order of time.
func worstSteps(cells []HeatCell) []Step {
	at := make(map[int64]int)
	var steps []Step
	for _, c := range cells {
		i, ok := at[c.FromMs]
		if !ok {
			at[c.FromMs] = len(steps)
			steps = append(steps, Step{FromMs: c.FromMs, ToMs: c.ToMs, Parts: c.Parts, Unit: c.Unit})
			continue
		}
		if c.Parts.Sum() > steps[i].Parts.Sum() {
			steps[i].Parts, steps[i].Unit = c.Parts, c.Unit
		}
	}
	sortSteps(steps)
	return steps
}

func sortSteps(steps []Step) {
	slices.SortFunc(steps, func(a, b Step) int { return cmp.Compare(a.FromMs, b.FromMs) })
}

// Largest is the largest cost among steps.
func Largest(steps []Step) Step {
	var best Step
	for _, s := range steps {
		if s.Parts.Sum() > best.Parts.Sum() {
			best = s
		}
	}
	return best
}
