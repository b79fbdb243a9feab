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

// Rounds draws jobs and stages over time.
func Rounds(r analysis.Rounds) Figure {
	f := Figure{
		Name: "rounds", Title: "Rounds and jobs over time", Note: roundsNote(r),
		Empty: r.Empty,
	}
	if f.Empty != "" {
		return f
	}
	f.Key = append([]Entry{{FirstRun, Box, "first runs"}, {Rerun, Box, "share of tasks that ran again"}, {Failed, Frame, "failed"}}, removalKey(r.Marks)...)
	if len(r.Jobs) > 0 {
		f.Panels = append(f.Panels, lanesPanel(r, r.Jobs, "jobs", true))
	}
	f.Panels = append(f.Panels, lanesPanel(r, r.Stages, "stages", len(r.Jobs) == 0))
	last := &f.Panels[len(f.Panels)-1]
	onTime(last.Plot, r.Axis, true)
	last.Height += axisHeight - 8
	return f
}

func roundsNote(r analysis.Rounds) string {
	note := human.Counted(int64(r.JobsTotal), "job", "jobs")
	if r.JobsShown < r.JobsTotal {
		note += fmt.Sprintf(", of which %s found room", human.Count(int64(r.JobsShown)))
	}
	note += "; each bar is one attempt of a stage, labelled stage.attempt; " + human.Counted(int64(r.Total), "attempt", "attempts")
	if r.Shown < r.Total {
		note += fmt.Sprintf(", of which %s found room", human.Count(int64(r.Shown)))
	}
	return note
}

const (
	laneHeight = 15
	laneGap    = 1
)

func lanesPanel(r analysis.Rounds, l []analysis.Lane, name string, named bool) Panel {
	p := newPlot()
	labels := make([]rowLabel, len(l))
	labels[0] = rowLabel{name, name}
	onRows(p, labels, map[string]string{})
	onTime(p, r.Axis, false)
	p.Add(lanes(l), removals{r.Marks, named, ""})
	panel := Panel{Plot: p, Height: vg.Length(len(l)*laneHeight + 14)}
	if named {
		panel.Top = nameRoom
		panel.Height += nameRoom
	}
	return panel
}

type lanes []analysis.Lane

func (l lanes) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i, lane := range l {
		top, bottom := y(float64(len(l)-i))-laneGap, y(float64(len(l)-1-i))+laneGap
		for _, b := range lane {
			drawBar(c, x, b, top, bottom)
		}
	}
}

// drawBar draws a bar at least a pixel wide; what ran again is its lower part.
func drawBar(c draw.Canvas, x func(float64) vg.Length, b analysis.Bar, top, bottom vg.Length) {
	x0, x1 := cellEdges(c, x, b.FromMs, b.ToMs)
	if x0 >= c.Max.X || x1 <= c.Min.X && b.ToMs > b.FromMs {
		return
	}
	if x1-x0 > 3 {
		x1-- // bars that follow each other are two
	}
	x1 = max(x1, x0+1)
	hover(c, b.Full...)
	fillRect(c, FirstRun, x0, bottom, x1, top)
	if b.Rerun > 0 {
		hover(c, b.Full...)
		fillRect(c, Rerun, x0, bottom, x1, bottom+max(2, (top-bottom)*vg.Length(b.Rerun)))
	}
	if b.IsFailed {
		strokeRect(c, stroke(Failed, 1.6), x0, bottom, x1, top)
	}
	style := words(Paper, smallSize-1, text.XLeft, text.YCenter)
	if style.Width(b.Label)+6 < x1-x0 {
		c.FillText(style, vg.Point{X: x0 + 3, Y: middle(style, top, bottom)}, b.Label)
	}
}
