package plots

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"tracereplay/analysis"
	"tracereplay/internal/human"
)

// Residence draws where the bytes stood: all together, and at each place.
func Residence(r analysis.Residence) Figure {
	f := Figure{
		Name: "residence", Title: "Where the bytes stood",
		Note:  "outputs and cached blocks whose size the log tells; " + human.Counted(int64(r.Places), "place", "places"),
		Empty: r.Empty, Full: map[string]string{},
	}
	if f.Empty != "" {
		return f
	}
	f.Key = append([]Entry{
		{Owed, Box, "somebody still has to read it"}, {Done, Box, "nobody reads it any more"}, {Cached, Box, "cached"},
	}, removalKey(r.Marks)...)
	f.Panels = []Panel{totalPanel(r), placesPanel(r, f.Full)}
	return f
}

func totalPanel(r analysis.Residence) Panel {
	var most float64
	l := layers{tones: []Tone{Owed, Cached, Done}}
	for _, b := range r.Total {
		most = max(most, b.Sum())
		l.bins = append(l.bins, layerBin{float64(b.FromMs), float64(b.ToMs), []float64{b.Needed, b.Cached, b.Done}})
	}
	unit := byteUnit(most)
	p := newPlot()
	onAmount(&p.Y, most, unit, 4)
	p.Y.Label.Text = unit.name
	onTime(p, r.Axis, false)
	p.Add(grid{}, stack{l}, totalHover{r}, removals{r.Marks, true, "all together"})
	return Panel{Plot: p, Height: 160, Name: "all together", Top: 18}
}

func placesPanel(r analysis.Residence, full map[string]string) Panel {
	labels := make([]rowLabel, len(r.Rows))
	for i, row := range r.Rows {
		labels[i] = rowLabel{row.Label, row.Full}
	}
	p := newPlot()
	p.Add(bytesCells{r}, removals{r.Marks, false, ""})
	onRows(p, labels, full)
	onTime(p, r.Axis, true)
	return Panel{
		Plot: p, Height: rowsHeight(len(labels)), Top: 18,
		Name: "each place: the stronger the colour, the more stood there (strongest: " + human.Bytes(int64(r.MaxBytes)) + ")",
	}
}

type totalHover struct{ analysis.Residence }

func (h totalHover) Plot(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	for _, b := range h.Total {
		if x0, x1 := cellEdges(c, x, b.FromMs, b.ToMs); x1 > x0 {
			hoverArea(c, x0, c.Min.Y, x1, c.Max.Y, bytesWords(h.Axis.Clock, b)...)
		}
	}
}

func bytesWords(clock human.Clock, b analysis.Bytes) []string {
	lines := []string{clock.Time(b.FromMs) + " to " + clock.Time(b.ToMs) + " " + clock.Zone()}
	for _, part := range []struct {
		bytes float64
		name  string
	}{{b.Needed, "still to be read"}, {b.Cached, "cached"}, {b.Done, "not read any more"}} {
		if part.bytes > 0 {
			lines = append(lines, human.Bytes(int64(part.bytes+0.5))+" "+part.name)
		}
	}
	return lines
}

type bytesCells struct{ analysis.Residence }

func (b bytesCells) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	fillRect(c, Void, c.Min.X, c.Min.Y, c.Max.X, c.Max.Y)
	for i, row := range b.Rows {
		top, bottom := rowEdges(y, len(b.Rows), i)
		for j := 0; j < len(row.Cells); j++ {
			cell := row.Cells[j]
			for j+1 < len(row.Cells) && sameBytes(cell, row.Cells[j+1]) {
				j++
				cell.ToMs = row.Cells[j].ToMs
			}
			x0, x1 := cellEdges(c, x, cell.FromMs, cell.ToMs)
			if x1 <= x0 || cell.Sum() <= 0 {
				continue
			}
			hover(c, append([]string{cell.Place}, bytesWords(b.Axis.Clock, cell.Bytes)...)...)
			fillRect(c, heatStep(cell.Sum(), b.MaxBytes), x0, bottom, x1, top)
		}
	}
}

// sameBytes tells whether nothing changed from one cell to the next.
func sameBytes(a, b analysis.BytesCell) bool {
	return a.Place == b.Place && a.ToMs == b.FromMs && a.Needed == b.Needed && a.Done == b.Done && a.Cached == b.Cached
}
