package analysis

import (
	"cmp"
	"fmt"
	"slices"

	"tracereplay/internal/human"
)

// MaxRows and MaxBins bound a heat map, so that a page stays small and its
// cells large enough to point at.
const (
	MaxRows = 48
	MaxBins = 200
)

// HeatMap is units against time.
type HeatMap struct {
	Axis     Axis
	Rows     []HeatRow
	Kind     string // of the units
	Units    int
	MaxMs    float64
	Worst    HeatSpot // ok when a cell costs anything
	HasWorst bool
	Marks    []Mark
	Empty    string // why there is no map
}

// HeatRow is one unit, or several that had to share a row.
type HeatRow struct {
	Label string // cut to fit
	Full  string
	Units int
	Cells []HeatCell // in order of time, at most one for each bin
}

// HeatSpot is a cell's place.
type HeatSpot struct {
	Row  int
	Cell HeatCell
}

// heatMap puts cells into their rows: in the order of the units' names where
// each has a row, else as they share them.
func heatMap(in *Inputs) HeatMap {
	h := HeatMap{Axis: axis(in), Kind: in.Kind, Marks: marks(in)}
	if len(in.Cells) == 0 {
		h.Empty = noUnits(in)
		return h
	}
	short := shortNames(slices.Concat(in.Rows...))
	for _, units := range in.Rows {
		h.Units += len(units)
		h.Rows = append(h.Rows, heatRow(units, in.Kind, short))
	}
	for _, c := range in.Cells {
		h.Rows[c.Row].Cells = append(h.Rows[c.Row].Cells, c)
	}
	if h.Units == len(h.Rows) {
		slices.SortFunc(h.Rows, func(a, b HeatRow) int { return human.Compare(a.Full, b.Full) })
	}
	for i := range h.Rows {
		slices.SortFunc(h.Rows[i].Cells, func(a, b HeatCell) int { return cmp.Compare(a.FromMs, b.FromMs) })
		h.findWorst(i)
	}
	return h
}

// groups cuts names into at most n groups of nearly the same size.
func groups(names []string, n int) [][]string {
	n = min(n, len(names))
	out := make([][]string, n)
	for i := range n {
		out[i] = names[i*len(names)/n : (i+1)*len(names)/n]
	}
	return out
}

// maxLabel is more than fits beside a row; the drawing cuts to what does.
const maxLabel = 30

func heatRow(group []string, kind string, short func(string) string) HeatRow {
	if len(group) == 1 {
		return HeatRow{Label: human.CutMiddle(short(group[0]), maxLabel), Full: kind + " " + group[0], Units: 1}
	}
	first, last := group[0], group[len(group)-1]
	return HeatRow{
		Label: human.CutMiddle(short(first), maxLabel/2) + fmt.Sprintf(" +%d", len(group)-1),
		Full:  fmt.Sprintf("%s to %s, the worst of %d %ss", human.Cut(first, 200), human.Cut(last, 200), len(group), kind),
		Units: len(group),
	}
}

func (h *HeatMap) findWorst(row int) {
	for _, c := range h.Rows[row].Cells {
		if sum := c.Parts.Sum(); sum > h.MaxMs {
			h.MaxMs, h.Worst, h.HasWorst = sum, HeatSpot{row, c}, true
		}
	}
}

// noUnits says why there is nothing to show.
func noUnits(in *Inputs) string {
	switch {
	case in.App.IsLocal:
		return "Local mode: the coordinator is the only worker."
	case countUnits(in.Units, Worker) > 0:
		return "The trace does not tell."
	default:
		return "No worker is in the log."
	}
}
