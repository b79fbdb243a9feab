package plots

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"tracereplay/analysis"
	"tracereplay/internal/human"
)

// Banked draws what stands at risk over time, on the worst unit and in the mean.
func Banked(b analysis.Banked) Figure {
	f := Figure{
		Name: "banked", Title: "Work that one removal would take, over time",
		Note:  "slot time that would be redone, by what it is; above the worst " + b.Kind + " of each moment, below the mean over all",
		Empty: b.Empty,
	}
	if f.Empty != "" {
		return f
	}
	f.Key = append(lossKey(), removalKey(b.Marks)...)
	unit := durationUnit(max(analysis.Largest(b.Worst).Parts.Sum(), analysis.Largest(b.Mean).Parts.Sum()))
	if len(b.Worst) > 0 {
		f.Panels = append(f.Panels, bankedPanel(b, b.Worst, unit, worstName(b), true))
	}
	f.Panels = append(f.Panels, bankedPanel(b, b.Mean, unit, "mean over the "+b.Kind+"s that are there", len(b.Worst) == 0))
	last := f.Panels[len(f.Panels)-1].Plot
	onTime(last, b.Axis, true)
	f.Panels[len(f.Panels)-1].Height += axisHeight - 8
	return f
}

// worstName says what the upper panel is about.
func worstName(b analysis.Banked) string {
	if b.Unit != "" {
		return b.Kind + " " + human.CutMiddle(b.Unit, 40)
	}
	return "worst " + b.Kind
}

// lossKey names the parts of a loss, in the order in which they are stacked.
func lossKey() []Entry {
	return []Entry{
		{InFlight, Box, "in flight (running)"},
		{Owed, Box, "owed (finished, still to be read)"},
		{Climb, Box, "climb (finished and read, needed again)"},
		{Cached, Box, "cached"},
	}
}

func bankedPanel(b analysis.Banked, steps []analysis.Step, unit amount, name string, named bool) Panel {
	p := newPlot()
	onAmount(&p.Y, analysis.Largest(steps).Parts.Sum(), unit, 4)
	p.Y.Label.Text = unit.name
	onTime(p, b.Axis, false)
	p.Add(grid{}, stack{lossLayers(steps)}, bankedHover{b, steps}, removals{b.Marks, named, name})
	return Panel{Plot: p, Height: 170, Name: name, Top: 18}
}

// layers are bins of time and what is stacked in each, from below.
type layers struct {
	tones []Tone
	bins  []layerBin
}

type layerBin struct {
	from, to float64
	values   []float64
}

func lossLayers(steps []analysis.Step) layers {
	l := layers{tones: []Tone{InFlight, Owed, Climb, Cached}}
	for _, s := range steps {
		l.bins = append(l.bins, layerBin{float64(s.FromMs), float64(s.ToMs), []float64{s.Parts.InFlight, s.Parts.Owed, s.Parts.Climb, s.Parts.Cached}})
	}
	return l
}

// stack draws layers above one another, as steps.
type stack struct{ layers }

func (s stack) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	below := make([]float64, len(s.bins))
	for i, tone := range s.tones {
		above := make([]float64, len(s.bins))
		any := false
		for j, b := range s.bins {
			above[j] = below[j] + b.values[i]
			any = any || b.values[i] > 0
		}
		if any {
			s.fillLayer(c, x, y, tone, below, above)
		}
		below = above
	}
}

// fillLayer fills between two edges, one polygon for each run of bins in which
// there is anything.
func (s stack) fillLayer(c draw.Canvas, x, y func(float64) vg.Length, tone Tone, below, above []float64) {
	for i := 0; i < len(s.bins); i++ {
		if above[i] <= below[i] {
			continue
		}
		j := i
		for j+1 < len(s.bins) && above[j+1] > below[j+1] && s.bins[j+1].from == s.bins[j].to {
			j++
		}
		var path vg.Path
		path.Move(vg.Point{X: x(s.bins[i].from), Y: y(below[i])})
		for k := i; k <= j; k++ {
			path.Line(vg.Point{X: x(s.bins[k].from), Y: y(above[k])})
			path.Line(vg.Point{X: x(s.bins[k].to), Y: y(above[k])})
		}
		for k := j; k >= i; k-- {
			path.Line(vg.Point{X: x(s.bins[k].to), Y: y(below[k])})
			path.Line(vg.Point{X: x(s.bins[k].from), Y: y(below[k])})
		}
		path.Close()
		c.SetColor(tone)
		c.Fill(path)
		i = j
	}
}

// bankedHover tells the numbers of each bin.
type bankedHover struct {
	analysis.Banked
	steps []analysis.Step
}

func (h bankedHover) Plot(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	clock := h.Axis.Clock
	for _, s := range h.steps {
		x0, x1 := cellEdges(c, x, s.FromMs, s.ToMs)
		if x1 <= x0 {
			continue
		}
		lines := []string{clock.Time(s.FromMs) + " to " + clock.Time(s.ToMs) + " " + clock.Zone()}
		if s.Unit != "" {
			lines = append(lines, h.Kind+" "+s.Unit)
		} else {
			lines = append(lines, "mean over "+human.Number(s.Units)+" "+h.Kind+"s")
		}
		lines = append(lines, human.Duration(int64(s.Parts.Sum()+0.5))+" of slot time to redo")
		hoverArea(c, x0, c.Min.Y, x1, c.Max.Y, append(lines, partWords(s.Parts)...)...)
	}
}
