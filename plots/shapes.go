package plots

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// bottom is the canvas that is drawn on: gonum wraps it once for every crop.
func bottom(c draw.Canvas) vg.Canvas {
	v := c.Canvas
	for {
		inner, ok := v.(draw.Canvas)
		if !ok {
			return v
		}
		v = inner.Canvas
	}
}

// hover gives what is drawn next a text for readers who point at it, where the
// canvas can carry one.
func hover(c draw.Canvas, lines ...string) {
	if h, ok := bottom(c).(interface{ Hover(...string) }); ok {
		h.Hover(lines...)
	}
}

// hoverArea gives an area of the drawing a text for readers who point at it.
func hoverArea(c draw.Canvas, x0, y0, x1, y1 vg.Length, lines ...string) {
	if h, ok := bottom(c).(interface{ HoverArea(vg.Path, ...string) }); ok {
		h.HoverArea(rect(x0, y0, x1, y1), lines...)
	}
}

func rect(x0, y0, x1, y1 vg.Length) vg.Path {
	var p vg.Path
	p.Move(vg.Point{X: x0, Y: y1})
	p.Line(vg.Point{X: x1, Y: y1})
	p.Line(vg.Point{X: x1, Y: y0})
	p.Line(vg.Point{X: x0, Y: y0})
	p.Close()
	return p
}

func fillRect(c draw.Canvas, t Tone, x0, y0, x1, y1 vg.Length) {
	c.SetColor(t)
	c.Fill(rect(x0, y0, x1, y1))
}

func strokeRect(c draw.Canvas, s draw.LineStyle, x0, y0, x1, y1 vg.Length) {
	c.SetLineStyle(s)
	c.Stroke(rect(x0, y0, x1, y1))
}
