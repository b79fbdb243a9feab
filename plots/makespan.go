package plots

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"tracereplay/analysis"
	"tracereplay/internal/human"
)

// Makespan draws how long the run takes under each policy when losses are drawn.
func Makespan(m analysis.Makespans) Figure {
	f := Figure{Name: "makespan", Title: "How long the run takes when losses are drawn", Empty: m.Empty, Full: map[string]string{}}
	f.Note = fmt.Sprintf("%s of each policy with the same draws, %g removals of a machine an hour", human.Counted(m.Runs, "simulated run", "simulated runs"), m.RatePerHour)
	if f.Empty != "" {
		f.Note = "simulated"
		return f
	}
	f.Key = []Entry{{AtRisk, Box, "8 of 10 runs"}, {Ink, Tick, "half of them"}, {Removal, Tick, "99 of 100"}, {Muted, Dashes, "without a loss"}}
	labels := make([]rowLabel, len(m.Policies))
	most := m.QuietMs
	for i, p := range m.Policies {
		labels[i] = rowLabel{p.Policy, p.Policy}
		most = max(most, p.P99)
	}
	u := durationUnit(float64(most))
	p := newPlot()
	onRows(p, labels, f.Full)
	onAmount(&p.X, float64(most)*1.02, u, 6)
	p.X.Max *= 1.45 // room for the words behind
	p.X.Label.Text = "makespan, " + u.name
	p.Add(makespanBars{m})
	f.Panels = []Panel{{Plot: p, Height: vg.Length(len(m.Policies)*24 + axisHeight), Top: 4}}
	return f
}

type makespanBars struct{ analysis.Makespans }

func (m makespanBars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	quiet := x(float64(m.QuietMs))
	style := words(Muted, smallSize, text.XLeft, text.YCenter)
	for i, r := range m.Policies {
		top, bottom := rowEdges(y, len(m.Policies), i)
		if r.Why != "" || r.Done == 0 {
			why := r.Why
			if why == "" {
				why = "no run ends"
			}
			c.FillText(style, vg.Point{X: c.Min.X + 6, Y: middle(style, top, bottom)}, human.Cut(why, 100))
			continue
		}
		hover(c, r.Policy, human.Duration(r.P50)+" in the median", "8 of 10 runs from "+human.Duration(r.P10)+" to "+human.Duration(r.P90), "99 of 100 within "+human.Duration(r.P99))
		fillRect(c, AtRisk, x(float64(r.P10)), bottom+3, max(x(float64(r.P90)), x(float64(r.P10))+1), top-3)
		c.StrokeLine2(stroke(Ink, 2), x(float64(r.P50)), bottom+2, x(float64(r.P50)), top-2)
		c.StrokeLine2(stroke(Removal, 2), x(float64(r.P99)), bottom+2, x(float64(r.P99)), top-2)
		note := human.Duration(r.P50) + ", 99 %: " + human.Duration(r.P99)
		if r.Done < m.Runs {
			note += fmt.Sprintf(", %s of %s end", human.Count(r.Done), human.Count(m.Runs))
		}
		c.FillText(style, vg.Point{X: x(float64(max(r.P99, r.P90))) + 6, Y: middle(style, top, bottom)}, note)
	}
	c.StrokeLine2(stroke(Muted, 1.4, 4, 2), quiet, c.Min.Y, quiet, c.Max.Y)
}
