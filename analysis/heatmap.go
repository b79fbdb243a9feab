package analysis

import (
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

// heatMap puts cells into at most MaxRows rows. A row of several units keeps
// the worst cell of each bin, with the name of its unit.
func heatMap(in *Inputs) HeatMap {
	h := HeatMap{Axis: axis(in), Kind: in.Kind, Marks: marks(in)}
	names := unitNames(in.Cells)
	h.Units = len(names)
	if len(names) == 0 {
		h.Empty = noUnits(in)
		return h
	}
	rowOf := make(map[string]int)
	for i, group := range groups(names, MaxRows) {
		for _, name := range group {
			rowOf[name] = i
		}
		h.Rows = append(h.Rows, heatRow(group, in.Kind))
	}
	for _, c := range in.Cells {
		h.Rows[rowOf[c.Unit]].add(c)
	}
	for i := range h.Rows {
		slices.SortFunc(h.Rows[i].Cells, func(a, b HeatCell) int { return int(a.FromMs - b.FromMs) })
		h.findWorst(i)
	}
	return h
}

// unitNames are the units that have cells, as people order names.
func unitNames(cells []HeatCell) []string {
	seen := make(map[string]bool)
	var names []string
	for _, c := range cells {
		if !seen[c.Unit] {
			seen[c.Unit] = true
			names = append(names, c.Unit)
		}
	}
	slices.SortFunc(names, human.Compare)
	return names
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

func heatRow(group []string, kind string) HeatRow {
	if len(group) == 1 {
		return HeatRow{Label: human.CutMiddle(group[0], maxLabel), Full: kind + " " + group[0], Units: 1}
	}
	first, last := group[0], group[len(group)-1]
	return HeatRow{
		Label: human.CutMiddle(first, maxLabel/2) + fmt.Sprintf(" +%d", len(group)-1),
		Full:  fmt.Sprintf("%s to %s, the worst of %d %ss", human.Cut(first, 200), human.Cut(last, 200), len(group), kind),
		Units: len(group),
	}
}

// add keeps the worse of two cells of the same bin.
func (r *HeatRow) add(c HeatCell) {
	for i := len(r.Cells) - 1; i >= 0; i-- {
		if r.Cells[i].FromMs == c.FromMs {
			if c.Parts.Sum() > r.Cells[i].Parts.Sum() {
				r.Cells[i] = c
			}
			return
		}
	}
	r.Cells = append(r.Cells, c)
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
	default:
		return "No worker is in the log."
	}
}
