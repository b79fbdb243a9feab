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

// Exposure draws the datasets whose output carries most risk.
func Exposure(e analysis.Exposures) Figure {
	f := Figure{
		Name: "exposure", Title: "What to make durable first",
		Note:  fmt.Sprintf("slot time banked x how long it waited for its last reader; the first %d of %s", len(e.Rows), human.Counted(int64(e.Total), "shuffle or cache", "shuffles and caches")),
		Empty: e.Empty, Full: map[string]string{},
	}
	if f.Empty != "" {
		return f
	}
	labels := make([]rowLabel, len(e.Rows))
	for i, r := range e.Rows {
		labels[i] = rowLabel{exposureLabel(r), r.Name}
	}
	p := newPlot()
	onRows(p, labels, f.Full)
	onAmount(&p.X, e.Rows[0].Exposure/e.Sum, amount{0.01, "%"}, 6)
	p.X.Max *= 1.45 // room for the words behind the bars
	p.X.Label.Text = "share of all risk (%)"
	p.Add(exposureBars{e})
	f.Panels = []Panel{{Plot: p, Height: vg.Length(len(e.Rows)*20 + axisHeight), Top: 4}}
	return f
}

func exposureLabel(r analysis.Exposure) string {
	if r.Stage.OK {
		return fmt.Sprintf("stage %d (%s %d)", r.Stage.V, r.Kind, r.Dataset)
	}
	return fmt.Sprintf("%s %d", r.Kind, r.Dataset)
}

type exposureBars struct{ analysis.Exposures }

func (e exposureBars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := words(Muted, smallSize, text.XLeft, text.YCenter)
	for i, r := range e.Rows {
		top, bottom := rowEdges(y, len(e.Rows), i)
		end := x(r.Exposure / e.Sum)
		tone := Owed
		if r.Kind == "cache" {
			tone = Cached
		}
		hover(c, exposureLabel(r), r.Name, human.Share(r.Exposure/e.Sum)+" of all risk")
		fillRect(c, tone, c.Min.X, bottom+2, max(end, c.Min.X+1), top-2)
		note := human.Duration(r.SlotMs) + " of slot time, waited " + human.Duration(int64(r.HeldMs))
		c.FillText(style, vg.Point{X: end + 6, Y: middle(style, top, bottom)}, note)
	}
}
