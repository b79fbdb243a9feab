package plots

import (
	"bytes"
	"fmt"
	"io"
	"regexp"

	"golang.org/x/text/encoding/charmap"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
)

// Formats are the endings of files that Write can write.
func Formats() []string { return []string{".svg", ".png", ".pdf"} }

// Write writes the figure as a file of its own, in the format of an ending.
func (f Figure) Write(w io.Writer, ending string) error {
	switch ending {
	case ".svg":
		return f.WriteSVG(w)
	case ".png":
		return f.WritePNG(w)
	case ".pdf":
		return f.WritePDF(w)
	}
	return fmt.Errorf("a plot is written as .svg, .png or .pdf, not as %q", ending)
}

// WriteSVG writes a file of its own: with title, and colours for light and dark.
func (f Figure) WriteSVG(w io.Writer) error { return f.svg(w, false) }

// InlineSVG writes an element for a page that says the title itself and holds
// the style of CSS.
func (f Figure) InlineSVG(w io.Writer) error { return f.svg(w, true) }

func (f Figure) svg(w io.Writer, inline bool) error {
	c := newSVG(figureWidth, f.height(!inline), f.Full)
	f.draw(draw.New(c), !inline)
	return c.writeTo(w, f.Title, inline)
}

// pngDPI is twice the resolution of a plain screen.
const pngDPI = 144

// WritePNG writes a picture on light paper.
func (f Figure) WritePNG(w io.Writer) error {
	c := vgimg.NewWith(vgimg.UseWH(figureWidth, f.height(true)), vgimg.UseDPI(pngDPI))
	f.draw(draw.New(c), true)
	_, err := vgimg.PngCanvas{Canvas: c}.WriteTo(w)
	return err
}

// pdfDate is where a PDF says when it was made. The same input must give the
// same bytes, so it says the same day each time.
var pdfDate = regexp.MustCompile(`/(CreationDate|ModDate) \(D:\d{14}`)

// WritePDF writes a document of one page, on light paper.
func (f Figure) WritePDF(w io.Writer) error {
	c := pdfCanvas{vgpdf.New(figureWidth, f.height(true))}
	f.draw(draw.New(c), true)
	var buf bytes.Buffer
	if _, err := c.WriteTo(&buf); err != nil {
		return err
	}
	_, err := w.Write(pdfDate.ReplaceAll(buf.Bytes(), []byte("/$1 (D:20000101000000")))
	return err
}

// pdfCanvas writes text in the one-byte encoding of its fonts, which gonum's
// canvas leaves to its caller. What the encoding lacks becomes a question mark.
type pdfCanvas struct{ *vgpdf.Canvas }

func (c pdfCanvas) FillString(f font.Face, at vg.Point, text string) {
	out := make([]byte, 0, len(text))
	for _, r := range text {
		b, ok := charmap.Windows1252.EncodeRune(r)
		if !ok {
			b = '?'
		}
		out = append(out, b)
	}
	c.Canvas.FillString(f, at, string(out))
}
