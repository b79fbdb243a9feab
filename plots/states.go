package plots

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"tracereplay/analysis"
	"tracereplay/internal/human"
)

// States draws what the workers did: idle is not finished, and only free ones
// can be released without harm.
func States(s analysis.States) Figure {
	f := Figure{
		Name: "workers", Title: "What the workers did", Note: "workers, by what releasing them would have cost",
		Empty: s.Empty,
	}
	if f.Empty != "" {
		return f
	}
	f.Key = append([]Entry{
		{Busy, Box, "busy"}, {IdleOwing, Box, "idle, but holds what somebody needs"}, {IdleCaching, Box, "idle, but holds cached blocks"}, {Free, Box, "free to go"},
	}, removalKey(s.Marks)...)
	var most float64
	l := layers{tones: []Tone{Busy, IdleOwing, IdleCaching, Free}}
	for _, b := range s.Steps {
		most = max(most, b.Busy+b.IdleOwing+b.IdleCaching+b.Free)
		l.bins = append(l.bins, layerBin{float64(b.FromMs), float64(b.ToMs), []float64{b.Busy, b.IdleOwing, b.IdleCaching, b.Free}})
	}
	p := newPlot()
	onAmount(&p.Y, most, amount{1, ""}, 4)
	p.Y.Label.Text = "workers"
	onTime(p, s.Axis, true)
	p.Add(grid{}, stack{l}, statesHover{s}, removals{s.Marks, true, ""})
	f.Panels = []Panel{{Plot: p, Height: 190, Top: nameRoom}}
	return f
}

type statesHover struct{ analysis.States }

func (h statesHover) Plot(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	clock := h.Axis.Clock
	for _, s := range h.Steps {
		if x0, x1 := cellEdges(c, x, s.FromMs, s.ToMs); x1 > x0 {
			hoverArea(c, x0, c.Min.Y, x1, c.Max.Y, clock.Time(s.FromMs)+" to "+clock.Time(s.ToMs)+" "+clock.Zone(),
				human.Number(s.Busy)+" busy", human.Number(s.IdleOwing)+" idle, owing", human.Number(s.IdleCaching)+" idle, caching", human.Number(s.Free)+" free")
		}
	}
}
