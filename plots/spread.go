package plots

import (
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"tracereplay/analysis"
	"tracereplay/internal/human"
)

// Spread draws how the cost of a removal at a random instant is distributed,
// machines against workers.
func Spread(s analysis.Spread) Figure {
	f := Figure{Name: "distribution", Title: "Cost of losing a unit at a random instant", Empty: s.Empty}
	if f.Empty != "" {
		return f
	}
	var n []string
	for _, q := range s.Curves {
		n = append(n, human.Counted(q.Units, q.Kind, q.Kind+"s"))
		f.Key = append(f.Key, Entry{kindTone(q.Kind), kindShape(q.Kind), q.Kind})
	}
	f.Note = "slot time that would be redone; all instants of the lives of " + strings.Join(n, " and ")
	unit := durationUnit(s.MaxMs)
	p := newPlot()
	onAmount(&p.X, s.MaxMs, unit, 8)
	p.X.Label.Text = "slot time to redo (" + unit.name + ")"
	onShare(&p.Y)
	p.Y.Label.Text = "of removals cost at most"
	p.Add(grid{vertical: true})
	for i, q := range s.Curves {
		p.Add(quantileCurve{q, i})
	}
	f.Panels = []Panel{{Plot: p, Height: 260, Top: 6}}
	return f
}

func kindTone(kind string) Tone {
	if kind == analysis.Worker {
		return Worker
	}
	return Machine
}

func kindShape(kind string) Shape {
	if kind == analysis.Worker {
		return Dashes
	}
	return Line
}

type quantileCurve struct {
	analysis.Quantiles
	place int // among the curves: labels keep out of each other's way
}

func (q quantileCurve) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	pts := []vg.Point{{X: x(0), Y: y(0)}}
	for i, v := range q.At {
		pts = append(pts, vg.Point{X: x(v), Y: y(float64(i) / 100)})
	}
	pts = append(pts, vg.Point{X: c.Max.X, Y: y(1)})
	style := stroke(kindTone(q.Kind), 2.2)
	if kindShape(q.Kind) == Dashes {
		style.Dashes = []vg.Length{5, 3}
	}
	c.StrokeLines(style, pts)
	for _, i := range []int{50, 95} {
		q.mark(c, x, y, i)
	}
}

// mark writes a quantile beside its place on the curve.
func (q quantileCurve) mark(c draw.Canvas, x, y func(float64) vg.Length, i int) {
	at := vg.Point{X: x(q.At[i]), Y: y(float64(i) / 100)}
	hover(c, human.Share(float64(i)/100)+" of removals of a "+q.Kind+" cost at most "+human.Duration(int64(q.At[i]))+" of slot time")
	fillRect(c, kindTone(q.Kind), at.X-3.5, at.Y-3.5, at.X+3.5, at.Y+3.5)
	label := human.Duration(int64(q.At[i]))
	style := words(Ink, smallSize, text.XLeft, text.YTop)
	at = at.Add(vg.Point{X: 7, Y: -3})
	switch {
	case q.place > 0:
		style.XAlign, style.YAlign = text.XRight, text.YBottom
		at = at.Add(vg.Point{X: -14, Y: 6})
	case at.X+style.Width(label) > c.Max.X:
		style.XAlign = text.XRight
		at = at.Add(vg.Point{X: -14, Y: -6})
	}
	if at.X-style.Width(label) < c.Min.X && style.XAlign == text.XRight {
		return
	}
	c.FillText(style, at, label)
}
