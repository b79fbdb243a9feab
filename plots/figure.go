package plots

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Figure is a drawing: panels above one another that share their margins.
type Figure struct {
	Name   string // as in `replay plot NAME`
	Title  string // one line, what is shown
	Note   string // one line, units and n
	Panels []Panel
	Key    []Entry
	Scale  *Scale            // of a heat map
	Empty  string            // why there is nothing to show; "" otherwise
	Full   map[string]string // whole text of labels that were cut
}

// Panel is one plot of a figure and its height in pixels, axes included.
type Panel struct {
	Plot   *plot.Plot
	Height vg.Length
	Name   string    // above the panel, at its left
	Top    vg.Length // room above the data
}

// Entry is a line of the key.
type Entry struct {
	Tone  Tone
	Shape Shape
	Text  string
}

// Shape is how an entry of the key is drawn: as the thing it stands for.
type Shape uint8

// The shapes.
const (
	Box Shape = iota
	Line
	Dashes
	Frame
	Tick
	Hatch
)

// Scale is the key of a heat map: what each of its colours stands for.
type Scale struct {
	Texts [HeatSteps + 1]string // limits of the steps; the first is what is just above nothing
	Zero  string                // what an empty cell means
}

const (
	titleHeight = 24
	noteHeight  = 18
	keyHeight   = 22
	emptyHeight = 40
)

// height of the figure; titled says whether it carries its title itself.
func (f Figure) height(titled bool) vg.Length {
	var h vg.Length
	if titled {
		h += titleHeight + noteHeight
	}
	if len(f.Key) > 0 || f.Scale != nil {
		h += keyHeight
	}
	if f.Empty != "" {
		return h + emptyHeight
	}
	for _, p := range f.Panels {
		h += p.Height
	}
	return h
}

// draw draws the figure on a canvas of its size.
func (f Figure) draw(c draw.Canvas, titled bool) {
	c.SetColor(Paper)
	c.Fill(c.Rectangle.Path())
	if titled {
		c.FillText(words(Ink, titleSize, text.XLeft, text.YTop), vg.Point{X: c.Min.X + 8, Y: c.Max.Y - 4}, f.Title)
		c.Max.Y -= titleHeight
		c.FillText(words(Muted, smallSize, text.XLeft, text.YTop), vg.Point{X: c.Min.X + 8, Y: c.Max.Y - 2}, f.Note)
		c.Max.Y -= noteHeight
	}
	if f.Empty != "" {
		c.FillText(words(Muted, textSize, text.XCenter, text.YCenter), c.Center(), f.Empty)
		return
	}
	if len(f.Key) > 0 || f.Scale != nil {
		f.drawKey(c)
		c.Max.Y -= keyHeight
	}
	for _, p := range f.Panels {
		area := c
		area.Min.Y = c.Max.Y - p.Height
		if p.Name != "" {
			c.FillText(words(Ink, textSize, text.XLeft, text.YTop), vg.Point{X: c.Min.X + leftMargin, Y: c.Max.Y - 1}, p.Name)
		}
		area.Max.Y -= p.Top
		p.draw(area)
		c.Max.Y = area.Min.Y
	}
}

// draw draws a panel so that its data stand between the common margins,
// however wide the labels of its axes are.
func (p Panel) draw(c draw.Canvas) {
	var left, right vg.Length
	for range 3 { // how far a label hangs over depends a little on where it stands
		data := p.Plot.DataCanvas(draw.Crop(c, left, -right, 0, 0))
		left += leftMargin - (data.Min.X - c.Min.X)
		right += rightMargin - (c.Max.X - data.Max.X)
	}
	p.Plot.Draw(draw.Crop(c, left, -right, 0, 0))
}

// drawKey draws the entries in one line from the left margin on.
func (f Figure) drawKey(c draw.Canvas) {
	at := vg.Point{X: c.Min.X + leftMargin, Y: c.Max.Y - keyHeight/2}
	if f.Scale != nil {
		at.X = f.Scale.draw(c, at) + 22
	}
	style := words(Ink, smallSize, text.XLeft, text.YCenter)
	for _, e := range f.Key {
		e.draw(c, at)
		c.FillText(style, vg.Point{X: at.X + 22, Y: middle(style, at.Y, at.Y)}, e.Text)
		at.X += 22 + style.Width(e.Text) + 18
	}
}

// draw draws the sign of an entry, 16 pixels wide.
func (e Entry) draw(c draw.Canvas, at vg.Point) {
	switch e.Shape {
	case Box:
		fillRect(c, e.Tone, at.X, at.Y-5, at.X+16, at.Y+5)
	case Line:
		c.StrokeLine2(stroke(e.Tone, 2.2), at.X, at.Y, at.X+16, at.Y)
	case Dashes:
		c.StrokeLine2(stroke(e.Tone, 1.6, 4, 2), at.X, at.Y, at.X+16, at.Y)
	case Tick:
		c.StrokeLine2(stroke(e.Tone, 1.2), at.X+8, at.Y-4, at.X+8, at.Y+4)
	case Hatch:
		fillRect(c, Void, at.X, at.Y-5, at.X+16, at.Y+5)
		hatchRect(c, at.X, at.Y-5, at.X+16, at.Y+5, 5)
	case Frame:
		strokeRect(c, stroke(e.Tone, 1.8), at.X+2, at.Y-5, at.X+14, at.Y+5)
	}
}

// draw draws the steps of a scale and returns where it ends.
func (s Scale) draw(c draw.Canvas, at vg.Point) vg.Length {
	style := words(Muted, smallSize, text.XLeft, text.YCenter)
	strokeRect(c, stroke(Grid, 1), at.X, at.Y-5, at.X+16, at.Y+5)
	y := middle(style, at.Y, at.Y)
	c.FillText(style, vg.Point{X: at.X + 21, Y: y}, s.Zero)
	at.X += 21 + style.Width(s.Zero) + 16
	c.FillText(style, vg.Point{X: at.X, Y: y}, s.Texts[0])
	at.X += style.Width(s.Texts[0]) + 5
	for i := range HeatSteps {
		fillRect(c, Heat0+Tone(i), at.X, at.Y-5, at.X+16, at.Y+5)
		at.X += 16
	}
	last := s.Texts[HeatSteps]
	c.FillText(style, vg.Point{X: at.X + 5, Y: y}, last)
	return at.X + 5 + style.Width(last)
}
