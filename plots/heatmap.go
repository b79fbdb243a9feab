package plots

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"tracereplay/analysis"
	"tracereplay/internal/human"
)

// HeatMap draws units against time; a cell is the worst that losing the unit
// within it costs.
func HeatMap(h analysis.HeatMap) Figure {
	f := Figure{
		Name: "heatmap", Title: "What losing each " + h.Kind + " would have cost, over time",
		Note:  fmt.Sprintf("slot time that would be redone; %s, each cell its worst instant", human.Counted(int64(h.Units), h.Kind, h.Kind+"s")),
		Empty: h.Empty, Full: map[string]string{},
	}
	if f.Empty != "" {
		return f
	}
	f.Scale = heatScale(h.MaxMs, human.Duration, "nothing")
	if h.HasWorst {
		f.Key = append(f.Key, Entry{Ink, Frame, "worst"})
	}
	f.Key = append(f.Key, removalKey(h.Marks)...)
	labels := make([]rowLabel, len(h.Rows))
	for i, r := range h.Rows {
		labels[i] = rowLabel{r.Label, r.Full}
	}
	p := newPlot()
	p.Add(heatCells{h}, removals{h.Marks, true, ""})
	onRows(p, labels, f.Full)
	onTime(p, h.Axis, true)
	f.Panels = []Panel{{Plot: p, Height: rowsHeight(len(labels)), Top: nameRoom}}
	return f
}

// heatScale says what the steps of a scale from nothing to most stand for.
func heatScale(most float64, words func(int64) string, zero string) *Scale {
	s := &Scale{Zero: zero}
	s.Texts[0] = "> 0"
	s.Texts[HeatSteps] = words(int64(math.Ceil(most)))
	return s
}

// heatStep is the colour of a value above nothing.
func heatStep(v, most float64) Tone {
	step := int(math.Ceil(v/most*HeatSteps)) - 1
	return Heat0 + Tone(min(max(step, 0), HeatSteps-1))
}

const (
	rowHeight  = 15
	axisHeight = 40
)

func rowsHeight(rows int) vg.Length {
	return vg.Length(max(rows, 2)*rowHeight + axisHeight + nameRoom)
}

// rowLabel names a row.
type rowLabel struct{ text, full string }

// onRows makes the Y axis name rows, the first at the top. What does not fit is
// cut, and noted in full.
func onRows(p *plot.Plot, labels []rowLabel, full map[string]string) {
	style := words(Ink, smallSize, text.XRight, text.YCenter)
	ticks := make([]plot.Tick, len(labels))
	for i, l := range labels {
		short := fit(l.text, style, leftMargin-14)
		if l.full != short {
			full[short] = l.full
		}
		ticks[i] = plot.Tick{Value: float64(len(labels)-1-i) + 0.5, Label: short}
	}
	p.Y.Min, p.Y.Max = 0, float64(max(len(labels), 1))
	p.Y.Tick.Marker = plot.ConstantTicks(ticks)
	p.Y.Tick.Label = style
}

type heatCells struct{ analysis.HeatMap }

func (h heatCells) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	fillRect(c, Void, c.Min.X, c.Min.Y, c.Max.X, c.Max.Y)
	for i, r := range h.Rows {
		top, bottom := rowEdges(y, len(h.Rows), i)
		h.drawRow(c, x, r, top, bottom)
	}
	if h.HasWorst {
		top, bottom := rowEdges(y, len(h.Rows), h.Worst.Row)
		x0, x1 := cellEdges(c, x, h.Worst.Cell.FromMs, h.Worst.Cell.ToMs)
		frameSpot(c, x0, bottom, x1, top)
	}
}

// frameSpot frames a cell so that it is seen at a glance even if it is narrow.
func frameSpot(c draw.Canvas, x0, y0, x1, y1 vg.Length) {
	if w := x1 - x0; w < 7 {
		x0, x1 = x0-(7-w)/2, x1+(7-w)/2
	}
	strokeRect(c, stroke(Paper, 4), x0-1, y0-1, x1+1, y1+1)
	strokeRect(c, stroke(Ink, 2), x0-1, y0-1, x1+1, y1+1)
}

func rowEdges(y func(float64) vg.Length, rows, i int) (top, bottom vg.Length) {
	return y(float64(rows-i)) - 0.5, y(float64(rows-1-i)) + 0.5
}

// snap moves an edge to the nearest half pixel, so that cells that touch leave
// no line between them.
func snap(v vg.Length) vg.Length { return vg.Length(math.Round(2*float64(v)) / 2) }

// cellEdges are the sides of a bin inside the canvas.
func cellEdges(c draw.Canvas, x func(float64) vg.Length, from, to int64) (x0, x1 vg.Length) {
	at := func(ms int64) vg.Length {
		return snap(min(max(x(float64(ms)), c.Min.X), c.Max.X))
	}
	return at(from), at(to)
}

// drawRow draws one row: cells with the same colour that cost nothing are one.
func (h heatCells) drawRow(c draw.Canvas, x func(float64) vg.Length, r analysis.HeatRow, top, bottom vg.Length) {
	for i := 0; i < len(r.Cells); i++ {
		cell := r.Cells[i]
		to := cell.ToMs
		if cell.Parts.Sum() <= 0 {
			for i+1 < len(r.Cells) && r.Cells[i+1].Parts.Sum() <= 0 && r.Cells[i+1].FromMs == to {
				i++
				to = r.Cells[i].ToMs
			}
		}
		x0, x1 := cellEdges(c, x, cell.FromMs, to)
		if x1 <= x0 {
			continue
		}
		if sum := cell.Parts.Sum(); sum > 0 {
			hover(c, h.words(cell)...)
			fillRect(c, heatStep(sum, h.MaxMs), x0, bottom, x1, top)
			continue
		}
		hover(c, r.Full, h.Axis.Clock.Time(cell.FromMs)+" to "+h.Axis.Clock.Time(to)+" "+h.Axis.Clock.Zone(), "nothing to redo")
		fillRect(c, Paper, x0, bottom, x1, top)
	}
}

// words tell a cell's numbers.
func (h heatCells) words(cell analysis.HeatCell) []string {
	clock := h.Axis.Clock
	cost := human.Duration(int64(cell.Parts.Sum())) + " to redo"
	switch {
	case cell.LowMs <= 0:
		cost += ", or nothing"
	case cell.LowMs < cell.Parts.Sum():
		cost += ", at least " + human.Duration(int64(cell.LowMs))
	}
	return []string{
		h.Kind + " " + cell.Unit + ", " + clock.Time(cell.AtMs) + " " + clock.Zone(), cost, strings.Join(partWords(cell.Parts), ", "),
	}
}

// partWords list the parts of a loss that are there.
func partWords(p analysis.Parts) []string {
	var lines []string
	for _, part := range []struct {
		ms   float64
		name string
	}{{p.InFlight, "in flight"}, {p.Owed, "owed"}, {p.Climb, "climb"}, {p.Cached, "cached"}} {
		if part.ms > 0 {
			lines = append(lines, part.name+" "+human.Duration(int64(part.ms+0.5)))
		}
	}
	return lines
}
