package plots

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"tracereplay/analysis"
	"tracereplay/internal/human"
)

// Chain draws the climb: readers above, what they waited for below them, then
// what that was made from. First runs stand at the left of the loss, second
// runs at its right, the repair goes from the lowest row up.
func Chain(ch analysis.Chain) Figure {
	f := Figure{Name: "chain", Title: "The way back: why finished work ran again", Note: chainNote(ch), Empty: ch.Empty, Full: map[string]string{}}
	if f.Empty != "" {
		return f
	}
	f.Key = []Entry{
		{FirstRun, Box, "finished, the first time"}, {Rerun, Box, "run again"}, {Removal, Frame, "readers wait"}, {Removal, Dashes, "the loss"}, {Ink, Line, "made from"},
	}
	for i, r := range ch.Removals {
		f.Panels = append(f.Panels, chainPanel(r, f.Full, i == len(ch.Removals)-1))
	}
	return f
}

func chainNote(ch analysis.Chain) string {
	note := "read downwards: each row could only run again after the row that it is made from; repair goes upwards"
	if ch.More > 0 {
		note += "; " + human.Counted(int64(ch.More), "cheaper removal is", "cheaper removals are") + " left out"
	}
	return note
}

const chainRow = 40

func chainPanel(r analysis.ChainRemoval, full map[string]string, isLast bool) Panel {
	p := newPlot()
	labels := make([]rowLabel, len(r.Rows))
	for i, row := range r.Rows {
		labels[i] = rowLabel{row.Label, row.Label}
	}
	onRows(p, labels, full)
	onTime(p, r.Axis, true)
	if !isLast {
		p.X.Label.Text = ""
	}
	name := r.Title
	if r.More > 0 {
		name += " (" + human.Counted(int64(r.More), "deeper row is", "deeper rows are") + " left out)"
	}
	p.Add(chainRows{r}, removals{[]analysis.Mark{r.Mark}, false, ""}, chainWords{r})
	return Panel{Plot: p, Height: vg.Length(len(r.Rows)*chainRow) + axisHeight + 20, Name: name, Top: 20}
}

type chainRows struct{ analysis.ChainRemoval }

func (r chainRows) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i, row := range r.Rows {
		top, bottom := rowEdges(y, len(r.Rows), i)
		if i%2 == 1 {
			fillRect(c, Void, c.Min.X, bottom, c.Max.X, top)
		}
		r.bars(c, x, row, bottom+6, bottom+17)
		if r.Rows[i].For < i {
			r.arrow(c, x, y, i)
		}
	}
}

func (r chainRows) bars(c draw.Canvas, x func(float64) vg.Length, row analysis.ChainRow, bottom, top vg.Length) {
	from, to := wide(c, x, row.FromMs, row.ToMs)
	hover(c, row.Hover...)
	if row.IsReader {
		fillRect(c, Paper, from, bottom, to, top)
		strokeRect(c, stroke(Removal, 1.4), from, bottom, to, top)
		return
	}
	fillRect(c, Rerun, from, bottom, to, top)
	strokeRect(c, stroke(Ink, 1), from+0.5, bottom+0.5, to-0.5, top-0.5)
	made, madeTo := wide(c, x, row.MadeFrom, row.MadeTo)
	hover(c, row.Hover...)
	fillRect(c, FirstRun, made, bottom, madeTo, top)
}

// chainWords tell each row, over the line of the loss.
type chainWords struct{ analysis.ChainRemoval }

func (r chainWords) Plot(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	style := words(Ink, smallSize, text.XLeft, text.YCenter)
	for i, row := range r.Rows {
		top, _ := rowEdges(y, len(r.Rows), i)
		told := fit(row.Words, style, c.Max.X-c.Min.X-8)
		at := vg.Point{X: c.Min.X + 4, Y: middle(style, top-10, top-10)}
		ground := Paper
		if i%2 == 1 {
			ground = Void
		}
		fillRect(c, ground, at.X-2, top-17, at.X+style.Width(told)+3, top-2)
		c.FillText(style, at, told)
	}
}

// wide are the sides of a bar that can be seen.
func wide(c draw.Canvas, x func(float64) vg.Length, from, to int64) (x0, x1 vg.Length) {
	x0, x1 = cellEdges(c, x, from, to)
	return x0, max(x1, min(x0+3, c.Max.X))
}

// arrow leads from the second runs of a row up to what is made from them.
func (r chainRows) arrow(c draw.Canvas, x, y func(float64) vg.Length, i int) {
	_, from := wide(c, x, r.Rows[i].FromMs, r.Rows[i].ToMs)
	_, bottom := rowEdges(y, len(r.Rows), i)
	_, above := rowEdges(y, len(r.Rows), r.Rows[i].For)
	at := min(from-1, c.Max.X-4)
	tip := above + 6
	c.StrokeLine2(stroke(Ink, 1), at, bottom+17, at, tip)
	c.StrokeLine2(stroke(Ink, 1), at, tip, at-3, tip-4)
	c.StrokeLine2(stroke(Ink, 1), at, tip, at+3, tip-4)
}
