package plots

import (
	"fmt"
	"html"
	"image"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"tracereplay/internal/human"
)

// svgCanvas is a vg.Canvas that writes SVG: gonum's own has neither classes nor
// titles. One unit of length is one pixel. Coordinates are written with one
// decimal, already transformed, so that the text of a drawing can be compared.
type svgCanvas struct {
	w, h  vg.Length
	body  strings.Builder
	state svgState
	stack []svgState
	full  map[string]string // whole text of labels that were cut
	hover []string          // title of the next path, escaped lines
}

// svgState is what Push saves.
type svgState struct {
	color color.Color
	width vg.Length
	dash  []vg.Length
	a     affine
}

// affine maps a point: x' = xx*x + xy*y + x0, y' = yx*x + yy*y + y0.
type affine struct{ xx, xy, x0, yx, yy, y0 float64 }

func (m affine) apply(p vg.Point) (x, y float64) {
	px, py := float64(p.X), float64(p.Y)
	return m.xx*px + m.xy*py + m.x0, m.yx*px + m.yy*py + m.y0
}

// then is first n, then m.
func (m affine) then(n affine) affine {
	return affine{
		m.xx*n.xx + m.xy*n.yx, m.xx*n.xy + m.xy*n.yy, m.xx*n.x0 + m.xy*n.y0 + m.x0,
		m.yx*n.xx + m.yy*n.yx, m.yx*n.xy + m.yy*n.yy, m.yx*n.x0 + m.yy*n.y0 + m.y0,
	}
}

// newSVG begins a drawing. SVG counts y from the top, vg from the bottom.
func newSVG(w, h vg.Length, full map[string]string) *svgCanvas {
	c := &svgCanvas{w: w, h: h, full: full}
	c.state.a = affine{xx: 1, yy: -1, y0: float64(h)}
	vg.Initialize(c)
	return c
}

// Hover gives the next path that is drawn a title, which readers see when they
// point at it.
func (c *svgCanvas) Hover(lines ...string) {
	c.hover = c.hover[:0]
	for _, line := range lines {
		c.hover = append(c.hover, escape(line))
	}
}

// HoverArea is an area that cannot be seen, only pointed at.
func (c *svgCanvas) HoverArea(p vg.Path, lines ...string) {
	c.Hover(lines...)
	c.path(` class="h"`, p)
}

func (c *svgCanvas) Size() (w, h vg.Length)                 { return c.w, c.h }
func (c *svgCanvas) SetLineWidth(w vg.Length)               { c.state.width = w }
func (c *svgCanvas) SetColor(clr color.Color)               { c.state.color = clr }
func (c *svgCanvas) SetLineDash(d []vg.Length, _ vg.Length) { c.state.dash = d }

func (c *svgCanvas) Rotate(rad float64) {
	sin, cos := math.Sincos(rad)
	c.state.a = c.state.a.then(affine{xx: cos, xy: -sin, yx: sin, yy: cos})
}

func (c *svgCanvas) Translate(p vg.Point) {
	c.state.a = c.state.a.then(affine{xx: 1, yy: 1, x0: float64(p.X), y0: float64(p.Y)})
}

func (c *svgCanvas) Scale(x, y float64) {
	c.state.a = c.state.a.then(affine{xx: x, yy: y})
}

func (c *svgCanvas) Push() { c.stack = append(c.stack, c.state) }

func (c *svgCanvas) Pop() {
	c.state = c.stack[len(c.stack)-1]
	c.stack = c.stack[:len(c.stack)-1]
}

func (c *svgCanvas) Stroke(p vg.Path) {
	if c.state.width <= 0 {
		return
	}
	attrs := c.paint("s-", "stroke")
	if c.state.width != 1 {
		attrs += ` stroke-width="` + dec(float64(c.state.width)) + `"`
	}
	if len(c.state.dash) > 0 {
		parts := make([]string, len(c.state.dash))
		for i, d := range c.state.dash {
			parts[i] = dec(float64(d))
		}
		attrs += ` stroke-dasharray="` + strings.Join(parts, " ") + `"`
	}
	c.path(attrs, p)
}

func (c *svgCanvas) Fill(p vg.Path) { c.path(c.paint("f-", "fill"), p) }

// paint is the attribute that gives the current colour.
func (c *svgCanvas) paint(class, property string) string {
	if t, ok := c.state.color.(Tone); ok {
		return ` class="` + class + t.name() + `"`
	}
	clr := c.state.color
	if clr == nil {
		clr = color.Black
	}
	n := color.NRGBAModel.Convert(clr).(color.NRGBA)
	s := fmt.Sprintf(` %s="#%02x%02x%02x"`, property, n.R, n.G, n.B)
	if n.A != 0xff {
		s += fmt.Sprintf(` %s-opacity="%s"`, property, strconv.FormatFloat(float64(n.A)/0xff, 'g', 2, 64))
	}
	if property == "stroke" {
		s += ` fill="none"`
	}
	return s
}

func (c *svgCanvas) path(attrs string, p vg.Path) {
	c.body.WriteString("<path" + attrs + ` d="`)
	c.data(p)
	if len(c.hover) == 0 {
		c.body.WriteString("\"/>\n")
		return
	}
	c.body.WriteString(`"><title>` + strings.Join(c.hover, "\n") + "</title></path>\n")
	c.hover = c.hover[:0]
}

// data writes a path. Our figures have straight lines only, and gonum's glyphs
// full circles; other curves are drawn as short lines.
func (c *svgCanvas) data(p vg.Path) {
	var pen pen
	for _, comp := range p {
		switch comp.Type {
		case vg.MoveComp:
			pen.move(&c.body, c.state.a, comp.Pos)
		case vg.LineComp:
			pen.line(&c.body, c.state.a, comp.Pos)
		case vg.ArcComp:
			steps := max(2, int(math.Ceil(math.Abs(comp.Angle)/(math.Pi/12))))
			for i := range steps + 1 {
				sin, cos := math.Sincos(comp.Start + comp.Angle*float64(i)/float64(steps))
				at := vg.Point{X: comp.Pos.X + comp.Radius*vg.Length(cos), Y: comp.Pos.Y + comp.Radius*vg.Length(sin)}
				pen.line(&c.body, c.state.a, at)
			}
		case vg.CurveComp:
			pen.line(&c.body, c.state.a, comp.Pos)
		case vg.CloseComp:
			c.body.WriteByte('Z')
		}
	}
}

// pen writes the shortest command for each step of a path.
type pen struct {
	x, y string // where it stands, as written
	down bool
}

func (n *pen) move(b *strings.Builder, a affine, p vg.Point) {
	x, y := a.apply(p)
	n.x, n.y, n.down = dec(x), dec(y), true
	b.WriteString("M" + n.x + " " + n.y)
}

func (n *pen) line(b *strings.Builder, a affine, p vg.Point) {
	if !n.down {
		n.move(b, a, p)
		return
	}
	fx, fy := a.apply(p)
	x, y := dec(fx), dec(fy)
	switch {
	case x == n.x && y == n.y:
		return
	case y == n.y:
		b.WriteString("H" + x)
	case x == n.x:
		b.WriteString("V" + y)
	default:
		b.WriteString("L" + x + " " + y)
	}
	n.x, n.y = x, y
}

// FillString writes text. Its length is fixed to what the layout reckoned
// with, whatever font the reader has.
func (c *svgCanvas) FillString(f font.Face, p vg.Point, text string) {
	if f.Font.Size == 0 || text == "" {
		return
	}
	x, y := c.state.a.apply(p)
	fmt.Fprintf(&c.body, `<text%s x="%s" y="%s" font-size="%s" textLength="%s" lengthAdjust="spacingAndGlyphs"`,
		c.paint("f-", "fill"), dec(x), dec(y), dec(float64(f.Font.Size)), dec(float64(f.Width(text))))
	if rad := math.Atan2(c.state.a.yx, c.state.a.xx); math.Abs(rad) > 1e-9 {
		fmt.Fprintf(&c.body, ` transform="rotate(%s %s %s)"`, dec(rad*180/math.Pi), dec(x), dec(y))
	}
	c.body.WriteString(">" + escape(text))
	if full, ok := c.full[text]; ok {
		c.body.WriteString("<title>" + escape(full) + "</title>")
	}
	c.body.WriteString("</text>\n")
}

// DrawImage is there for the interface; no figure of ours has an image.
func (c *svgCanvas) DrawImage(vg.Rectangle, image.Image) {
	panic("plots: figures have no images")
}

// dec writes a coordinate with at most one decimal.
func dec(v float64) string {
	v = math.Round(v*10) / 10
	if v == 0 {
		return "0" // and not -0
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// maxHover is how much of a name a title tells. Names in logs can be a MB long.
const maxHover = 2000

// escape makes text of a log harmless inside SVG and HTML.
func escape(s string) string {
	return html.EscapeString(human.Cut(s, maxHover))
}

// writeTo writes the drawing; inline leaves out what only a file of its own
// needs. Name tells readers who do not see it what it is.
func (c *svgCanvas) writeTo(w io.Writer, name string, inline bool) error {
	var b strings.Builder
	size := fmt.Sprintf(`viewBox="0 0 %s %s"`, dec(float64(c.w)), dec(float64(c.h)))
	if !inline {
		size = fmt.Sprintf(`xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" `, dec(float64(c.w)), dec(float64(c.h))) + size
	}
	b.WriteString(`<svg class="plot" ` + size + ` role="img" aria-label="` + escape(name) + "\">\n")
	if !inline {
		b.WriteString("<style>" + css("svg.plot") + "</style>\n")
	}
	b.WriteString(c.body.String())
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}
