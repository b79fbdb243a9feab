package plots

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"tracereplay/analysis"
	"tracereplay/internal/human"
)

// Progress draws what the engine says is done against what no single removal
// could undo.
func Progress(g analysis.ProgressCurve) Figure {
	f := Figure{
		Name: "progress", Title: "Reported progress against safe progress",
		Note:  "share of the run's slot time; safe = what losing no single " + g.Kind + " could undo",
		Empty: g.Empty,
	}
	if f.Empty != "" {
		return f
	}
	f.Key = append([]Entry{
		{Reported, Line, "reported as done"},
		{AtRisk, Box, "done, but one " + g.Kind + " could take it"},
		{Safe, Line, "safe"},
	}, removalKey(g.Marks)...)
	name := widestWords(g)
	p := newPlot()
	onShare(&p.Y)
	p.Y.Label.Text = "of the run's work"
	onTime(p, g.Axis, true)
	p.Add(grid{}, progressCurves{g}, removals{g.Marks, true, name})
	f.Panels = []Panel{{Plot: p, Height: 250, Top: 18, Name: name}}
	return f
}

// widestWords tell the moment when most of what was done could be undone.
func widestWords(g analysis.ProgressCurve) string {
	w := g.Widest
	if w.Reported-w.Safe <= 0 {
		return "at no moment could one " + g.Kind + " take anything that was done"
	}
	clock := g.Axis.Clock
	return "widest at " + clock.Time(w.AtMs) + " " + clock.Zone() + ": " + human.Share(w.Reported) + " reported, " + human.Share(w.Safe) + " safe"
}

type progressCurves struct{ analysis.ProgressCurve }

func (g progressCurves) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	reported := g.line(x, y, func(at analysis.Progress) float64 { return at.Reported })
	safe := g.line(x, y, func(at analysis.Progress) float64 { return at.Safe })
	g.fillBetween(c, reported, safe)
	c.StrokeLines(stroke(Safe, 2.2), safe)
	c.StrokeLines(stroke(Reported, 2.2), reported)
	g.markWidest(c, x, y)
	g.hovers(c, x)
}

func (g progressCurves) line(x, y func(float64) vg.Length, of func(analysis.Progress) float64) []vg.Point {
	pts := make([]vg.Point, len(g.Points))
	for i, at := range g.Points {
		pts[i] = vg.Point{X: x(float64(at.AtMs)), Y: y(of(at))}
	}
	return pts
}

func (g progressCurves) fillBetween(c draw.Canvas, upper, lower []vg.Point) {
	var path vg.Path
	for i, pt := range upper {
		if i == 0 {
			path.Move(pt)
			continue
		}
		path.Line(pt)
	}
	for i := len(lower) - 1; i >= 0; i-- {
		path.Line(lower[i])
	}
	path.Close()
	c.SetColor(AtRisk)
	c.Fill(path)
}

// markWidest draws the widest gap.
func (g progressCurves) markWidest(c draw.Canvas, x, y func(float64) vg.Length) {
	w := g.Widest
	if w.Reported-w.Safe <= 0 {
		return
	}
	at := x(float64(w.AtMs))
	c.StrokeLine2(stroke(Ink, 1.4), at, y(w.Safe), at, y(w.Reported))
}

func (g progressCurves) hovers(c draw.Canvas, x func(float64) vg.Length) {
	clock := g.Axis.Clock
	for i := 0; i+1 < len(g.Points); i++ {
		at := g.Points[i]
		x0, x1 := cellEdges(c, x, at.AtMs, g.Points[i+1].AtMs)
		if x1 > x0 {
			hoverArea(c, x0, c.Min.Y, x1, c.Max.Y, clock.Time(at.AtMs)+" "+clock.Zone(),
				human.Share(at.Reported)+" reported as done", human.Share(at.Safe)+" safe")
		}
	}
}
