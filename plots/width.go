package plots

import (
	"fmt"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"tracereplay/analysis/streaming"
	"tracereplay/internal/human"
)

// Width draws how long a change of the number of workers stops a streaming
// query: over the number of workers, and over the size of its state.
func Width(c streaming.WidthCurves) Figure {
	f := Figure{
		Name: "width", Title: "Pause of a change of the number of workers",
		Note:  widthNote(c),
		Empty: c.Empty,
	}
	if f.Empty != "" {
		return f
	}
	for _, l := range c.BySize {
		f.Key = append(f.Key, Entry{ruleTone(l.Rule), ruleShape(l.Rule), l.Rule})
	}
	f.Panels = []Panel{pauseByWidth(c), pauseBySize(c)}
	return f
}

func widthNote(c streaming.WidthCurves) string {
	s := fmt.Sprintf("query %s, %s now; rest of the running batch + transfer at %s a second", c.Query,
		human.Counted(c.FromWorkers, "worker", "workers"), human.Bytes(c.Bandwidth))
	if c.StartupKnown {
		return s + " + start-up"
	}
	return s + "; the start-up is not known and left out"
}

func ruleTone(rule string) Tone {
	switch rule {
	case "engine":
		return Ink
	case "modulo":
		return Machine
	case "key-groups":
		return Worker
	default:
		return Safe
	}
}

// ruleShape: two rules are dashed, since lines that lie on each other must both
// be seen.
func ruleShape(rule string) Shape {
	if rule == "key-groups" || rule == "engine" {
		return Dashes
	}
	return Line
}

// ruleStroke is the line of a rule; a thin one is of a state that was smaller.
func ruleStroke(rule string, thin bool) draw.LineStyle {
	s := stroke(ruleTone(rule), 2.2)
	if thin {
		s.Width = 0.9
	}
	if ruleShape(rule) == Dashes {
		s.Dashes = []vg.Length{5, 3}
	}
	if rule == "engine" {
		s.Dashes = []vg.Length{2, 4}
	}
	return s
}

// drawOrder draws the engine's own rule last, over the others.
func drawOrder[T any](all []T, rule func(*T) string) []*T {
	var first, last []*T
	for i := range all {
		if rule(&all[i]) == "engine" {
			last = append(last, &all[i])
		} else {
			first = append(first, &all[i])
		}
	}
	return append(first, last...)
}

// withoutTransfer draws what the pause is whatever moves.
func withoutTransfer(c draw.Canvas, y func(float64) vg.Length, ms int64) {
	at := y(float64(ms))
	c.StrokeLine2(stroke(Muted, 1, 1, 3), c.Min.X, at, c.Max.X, at)
	style, below := words(Muted, smallSize, text.XRight, text.YTop), vg.Length(-3)
	if at-c.Min.Y < 18 { // no room between it and the axis
		style.YAlign, below = text.YBottom, 3
	}
	c.FillText(style, vg.Point{X: c.Max.X - 4, Y: at + below}, "without any transfer: "+human.Duration(ms))
}

func pauseByWidth(c streaming.WidthCurves) Panel {
	p := newPlot()
	unit := durationUnit(c.MostMs)
	onAmount(&p.Y, c.MostMs*1.05, unit, 5)
	p.Y.Label.Text = "pause (" + unit.name + ")"
	last := 2*c.FromWorkers + 2
	p.X.Min, p.X.Max = 0.5, float64(last)+0.5
	step := max(int64(roundStep(float64(last)/16)), 1)
	var ticks []plot.Tick
	for n := step; n <= last; n += step {
		ticks = append(ticks, plot.Tick{Value: float64(n), Label: strconv.FormatInt(n, 10)})
	}
	p.X.Tick.Marker = plot.ConstantTicks(ticks)
	p.X.Label.Text = "workers after the change"
	p.Add(grid{}, widthCurves{c})
	size := c.Sizes[len(c.Sizes)-1]
	name := "by the number of workers, with the state at the end (" + human.Bytes(size.Bytes) + ")"
	if len(c.Sizes) > 1 {
		name += fmt.Sprintf("; thin: after batch %d (%s) and batch %d (%s)", c.Sizes[0].Batch, human.Bytes(c.Sizes[0].Bytes), c.Sizes[1].Batch, human.Bytes(c.Sizes[1].Bytes))
	}
	if most := int64(c.MostMs) - c.QuiesceStartMs; most*50 < c.QuiesceStartMs {
		name += "; moving it takes " + human.Duration(most) + " at most"
	}
	return Panel{Plot: p, Height: 240, Top: 18, Name: name}
}

type widthCurves struct{ streaming.WidthCurves }

func (w widthCurves) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	now := x(float64(w.FromWorkers))
	c.StrokeLine2(stroke(Muted, 1, 2, 2), now, c.Min.Y, now, c.Max.Y)
	style := words(Muted, smallSize, text.XLeft, text.YTop)
	c.FillText(style, vg.Point{X: now + 4, Y: c.Max.Y - 2}, "now")
	withoutTransfer(c, y, w.QuiesceStartMs)
	for _, l := range drawOrder(w.ByWidth, func(l *streaming.WidthLine) string { return l.Rule }) {
		var pts []vg.Point
		for i, at := range l.Points {
			if i > 0 && l.Points[i-1].Workers < w.FromWorkers && at.Workers > w.FromWorkers {
				c.StrokeLines(ruleStroke(l.Rule, !l.IsLast), pts) // no pause without a change
				pts = nil
			}
			pts = append(pts, vg.Point{X: x(float64(at.Workers)), Y: y(float64(at.PauseMs))})
		}
		c.StrokeLines(ruleStroke(l.Rule, !l.IsLast), pts)
		if !l.IsLast {
			continue
		}
		for _, at := range l.Points {
			px, py := x(float64(at.Workers)), y(float64(at.PauseMs))
			hover(c, l.Rule+": to "+human.Counted(at.Workers, "worker", "workers"),
				human.Share(at.MovedShare)+" of the keys move, "+human.Bytes(at.MovedBytes), "a pause of "+human.Duration(at.PauseMs))
			fillRect(c, ruleTone(l.Rule), px-2.5, py-2.5, px+2.5, py+2.5)
		}
	}
}

func pauseBySize(c streaming.WidthCurves) Panel {
	p := newPlot()
	unit := durationUnit(c.MostBySizeMs)
	onAmount(&p.Y, c.MostBySizeMs*1.05, unit, 4)
	p.Y.Label.Text = "pause (" + unit.name + ")"
	bytes := byteUnit(c.MostBytes)
	onAmount(&p.X, c.MostBytes, bytes, 8)
	p.X.Label.Text = "size of the state (" + bytes.name + ")"
	p.Add(grid{vertical: true}, sizeCurves{c})
	return Panel{
		Plot: p, Height: 210, Top: 18,
		Name: fmt.Sprintf("by the size of the state, from %s to %d; now at the left mark", human.Counted(c.FromWorkers, "worker", "workers"), c.ToWorkers),
	}
}

type sizeCurves struct{ streaming.WidthCurves }

func (s sizeCurves) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	withoutTransfer(c, y, s.QuiesceStartMs)
	for _, l := range drawOrder(s.BySize, func(l *streaming.SizeLine) string { return l.Rule }) {
		var pts []vg.Point
		for _, at := range l.Points {
			pts = append(pts, vg.Point{X: x(float64(at.Bytes)), Y: y(float64(at.PauseMs))})
		}
		c.StrokeLines(ruleStroke(l.Rule, false), pts)
	}
	for _, size := range s.Sizes {
		at := x(float64(size.Bytes))
		hover(c, fmt.Sprintf("after batch %d: %s", size.Batch, human.Bytes(size.Bytes)))
		fillRect(c, Muted, at-1, c.Min.Y, at+1, c.Min.Y+8)
	}
}
