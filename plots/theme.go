package plots

import (
	"unicode/utf8"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"tracereplay/internal/human"
)

// Sizes, in pixels of the SVG.
const (
	figureWidth = 960
	leftMargin  = 132 // room for names of machines and rounds
	rightMargin = 28

	titleSize = 17
	textSize  = 12
	smallSize = 11
)

// face is the one font of all figures; its widths are those of Arial.
func face(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// words is a style of text.
func words(t Tone, size vg.Length, x text.XAlignment, y text.YAlignment) text.Style {
	return text.Style{Color: t, Font: face(size), XAlign: x, YAlign: y, Handler: plot.DefaultTextHandler}
}

// fit cuts text in its middle so that it is no wider than there is room.
func fit(s string, style text.Style, room vg.Length) string {
	for n := utf8.RuneCountInString(s); n > 4; n-- {
		if short := human.CutMiddle(s, n); style.Width(short) <= room {
			return short
		}
	}
	return human.CutMiddle(s, 4)
}

// middle is where text stands that is centered between two heights: on its
// letters, not on the box of its font.
func middle(s text.Style, top, bottom vg.Length) vg.Length {
	return (top+bottom)/2 + s.FontExtents().Descent*0.8
}

// stroke is a style of line; dash is nil for a solid one.
func stroke(t Tone, width vg.Length, dash ...vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: t, Width: width, Dashes: dash}
}

// newPlot is an empty plot in our style.
func newPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil // the figure paints the ground
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Color = Muted
		a.Width = 0.8
		a.Padding = 0
		a.Label.Padding = 4
		a.Label.TextStyle = words(Muted, smallSize, text.XCenter, text.YBottom)
		a.Tick.LineStyle = stroke(Muted, 0.8)
		a.Tick.Length = 4
	}
	p.X.Tick.Label = words(Muted, smallSize, text.XCenter, text.YTop)
	p.Y.Tick.Label = words(Muted, smallSize, text.XRight, text.YCenter)
	p.Y.Width = 0 // the grid carries the eye
	p.Y.Tick.Width = 0
	return p
}
