package plots

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"tracereplay/analysis"
	"tracereplay/internal/human"
)

// Delay draws how much later the run ends when a unit is lost, over the instant
// of the loss.
func Delay(g analysis.DelayCurve) Figure {
	f := Figure{Name: "delay", Title: "How much later the run would have ended", Note: delayNote(g), Empty: g.Empty}
	if f.Empty != "" {
		return f
	}
	f.Key = append([]Entry{
		{delayTone(g), Line, "in the mean of all units"},
		{AtRisk, Box, "from the least to the most harmful unit"},
	}, removalKey(g.Marks)...)
	most := int64(1)
	for _, p := range g.Simulation.Delays {
		most = max(most, p.HighMs)
	}
	u := durationUnit(float64(most))
	p := newPlot()
	onAmount(&p.Y, float64(most)*1.05, u, 5)
	p.Y.Label.Text = "later, " + u.name
	onTime(p, g.Axis, true)
	name := delayWords(g)
	p.Add(grid{}, delayBand{g}, removals{g.Marks, true, name})
	f.Panels = []Panel{{Plot: p, Height: 250, Top: 18, Name: name}}
	return f
}

func delayTone(g analysis.DelayCurve) Tone {
	if g.Simulation.Kind == analysis.Worker {
		return Worker
	}
	return Machine
}

func delayNote(g analysis.DelayCurve) string {
	s := g.Simulation
	if g.Empty != "" {
		return "simulated"
	}
	text := fmt.Sprintf("simulated at %d instants, the loss of each of %s, nothing in its place", len(s.Delays), human.Counted(s.Tried, s.Kind, s.Kind+"s"))
	if s.Tried < s.Units {
		text += fmt.Sprintf(" (of %s)", human.Count(s.Units))
	}
	if s.Resumed {
		return text + "; each from the state of the log"
	}
	return text + "; the run without its recorded losses, simulated from its start"
}

// delayWords tell when a loss delays the run most.
func delayWords(g analysis.DelayCurve) string {
	w := g.Worst
	if w.MeanMs <= 0 {
		return "no loss delays the run"
	}
	clock := g.Axis.Clock
	return "most at " + clock.Time(w.AtMs) + " " + clock.Zone() + ": " + human.Duration(w.MeanMs) + " in the mean, " + human.Duration(w.HighMs) + " at most"
}

type delayBand struct{ analysis.DelayCurve }

func (g delayBand) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	line := func(of func(analysis.DelayPoint) int64) []vg.Point {
		pts := make([]vg.Point, len(g.Simulation.Delays))
		for i, d := range g.Simulation.Delays {
			pts[i] = vg.Point{X: x(float64(d.AtMs)), Y: y(float64(max(of(d), 0)))}
		}
		return pts
	}
	high, low := line(func(d analysis.DelayPoint) int64 { return d.HighMs }), line(func(d analysis.DelayPoint) int64 { return d.LowMs })
	if len(high) > 1 {
		var band vg.Path
		band.Move(high[0])
		for _, pt := range high[1:] {
			band.Line(pt)
		}
		for i := len(low) - 1; i >= 0; i-- {
			band.Line(low[i])
		}
		band.Close()
		c.SetColor(AtRisk)
		c.Fill(band)
	}
	mean := line(func(d analysis.DelayPoint) int64 { return d.MeanMs })
	if len(mean) > 1 {
		c.StrokeLines(stroke(delayTone(g.DelayCurve), 2.2), mean)
	}
	for _, pt := range mean {
		fillRect(c, delayTone(g.DelayCurve), pt.X-1.8, pt.Y-1.8, pt.X+1.8, pt.Y+1.8)
	}
	g.hovers(c, mean)
}

func (g delayBand) hovers(c draw.Canvas, at []vg.Point) {
	clock := g.Axis.Clock
	for i, d := range g.Simulation.Delays {
		left, right := c.Min.X, c.Max.X
		if i > 0 {
			left = (at[i-1].X + at[i].X) / 2
		}
		if i+1 < len(at) {
			right = (at[i].X + at[i+1].X) / 2
		}
		lines := []string{
			clock.Time(d.AtMs) + " " + clock.Zone(), human.Duration(d.MeanMs) + " later in the mean",
			"from " + human.Duration(d.LowMs) + " to " + human.Duration(d.HighMs), human.Duration(d.RecomputeMs) + " of slot time redone",
		}
		if d.Unfinished > 0 {
			lines = append(lines, human.Counted(d.Unfinished, "loss", "losses")+" after which it does not end")
		}
		hoverArea(c, left, c.Min.Y, right, c.Max.Y, lines...)
	}
}
