package plots

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"tracereplay/analysis"
	"tracereplay/analysis/policies"
	"tracereplay/internal/human"
)

// noPolicies is why a figure of policies is empty.
const noPolicies = "No policies were compared."

// PoliciesOverTime draws the mean cost of a removal over time under each policy,
// one below the other on the same axes, and in each that of the run as it was.
func PoliciesOverTime(v *policies.View, axis analysis.Axis) Figure {
	f := Figure{Name: "policies", Title: "What a removal would have cost under each policy, over time"}
	if v == nil || len(v.Curves) == 0 {
		f.Empty = noPolicies
		return f
	}
	f.Note = "slot time to redo, mean over the " + v.In.Kind + "s; the line is the run as it was"
	f.Key = []Entry{{Owed, Box, "under the policy"}, {Ink, Line, "as it was"}}
	var base policies.Drawn
	for _, c := range v.Curves {
		if c.Policy == "recorded" {
			base = c
		}
	}
	unit := durationUnit(v.MostMs)
	for _, c := range v.Curves {
		if c.Policy == base.Policy {
			continue
		}
		p := newPlot()
		onAmount(&p.Y, v.MostMs*1.02, unit, 2)
		p.Y.Label.Text = unit.name
		onTime(p, axis, false)
		p.Add(grid{}, policyArea{c, base})
		f.Panels = append(f.Panels, Panel{Plot: p, Height: 84, Name: policyName(c), Top: 18})
	}
	if len(f.Panels) == 0 {
		f.Empty = noPolicies
		return f
	}
	last := &f.Panels[len(f.Panels)-1]
	onTime(last.Plot, axis, true)
	last.Height += axisHeight - 8
	return f
}

func policyName(c policies.Drawn) string {
	name := human.CutMiddle(c.Label, 60)
	if c.IsStatic {
		return name + " (static)"
	}
	return name
}

// policyArea fills what a removal costs under a policy, and draws the line of
// the run as it was.
type policyArea struct{ under, was policies.Drawn }

func (a policyArea) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	line := func(points []policies.Point) []vg.Point {
		out := make([]vg.Point, len(points))
		for i, q := range points {
			out[i] = vg.Point{X: x(float64(q.AtMs)), Y: y(q.MeanMs)}
		}
		return out
	}
	if pts := line(a.under.Points); len(pts) > 1 {
		var path vg.Path
		path.Move(vg.Point{X: pts[0].X, Y: y(0)})
		for _, q := range pts {
			path.Line(q)
		}
		path.Line(vg.Point{X: pts[len(pts)-1].X, Y: y(0)})
		path.Close()
		c.SetColor(Owed)
		c.Fill(path)
	}
	if pts := line(a.was.Points); len(pts) > 1 {
		c.StrokeLines(stroke(Ink, 1.1), pts)
	}
	a.point(c, x)
}

// point gives stretches of time their figures, for who points at them.
func (a policyArea) point(c draw.Canvas, x func(float64) vg.Length) {
	was := map[int64]float64{}
	for _, q := range a.was.Points {
		was[q.AtMs] = q.MeanMs
	}
	for i := 0; i+1 < len(a.under.Points); i += 4 {
		q := a.under.Points[i]
		end := a.under.Points[min(i+4, len(a.under.Points)-1)]
		hoverArea(c, x(float64(q.AtMs)), c.Min.Y, x(float64(end.AtMs)), c.Max.Y, a.under.Label,
			fmt.Sprintf("%s of slot time, as it was %s", human.Duration(int64(q.MeanMs)), human.Duration(int64(was[q.AtMs]))))
	}
}

// PoliciesSpread draws how the cost of a removal is distributed by policy.
func PoliciesSpread(v *policies.View) Figure {
	f := Figure{Name: "bypolicy", Title: "How bad a random removal would have been under each policy"}
	if v == nil || v.MostPart <= 0 {
		f.Empty = noPolicies
		return f
	}
	var rows []policies.Drawn
	var labels []rowLabel
	for _, c := range v.Curves {
		if len(c.Parts) == 6 {
			rows = append(rows, c)
			labels = append(labels, rowLabel{})
		}
	}
	f.Note = "slot time to redo: the line from 5 to 95 % of the removals of a " + v.In.Kind + ", the box the half in the middle, the mark the median"
	f.Full = map[string]string{}
	p := newPlot()
	onRows(p, labels, f.Full)
	unit := durationUnit(v.MostPart)
	onAmount(&p.X, v.MostPart*1.02, unit, 8)
	p.X.Label.Text = "slot time to redo (" + unit.name + ")"
	p.Add(grid{vertical: true}, policyBoxes{rows})
	f.Panels = []Panel{{Plot: p, Height: vg.Length(len(rows)*policyRow + axisHeight), Top: 4}}
	return f
}

// policyRow is the height of a row: the policy's name, which may be long, stands
// above what is drawn of it.
const policyRow = 40

// nameRow writes a policy's name at the top of its row, and returns what is left.
func nameRow(c draw.Canvas, name string, top vg.Length) vg.Length {
	style := words(Ink, textSize, text.XLeft, text.YTop)
	c.FillText(style, vg.Point{X: c.Min.X + 5, Y: top - 3}, fit(human.CutMiddle(name, 100), style, c.Max.X-c.Min.X-10))
	return top - 15
}

type policyBoxes struct{ rows []policies.Drawn }

func (b policyBoxes) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i, r := range b.rows {
		top, bottom := rowEdges(y, len(b.rows), i)
		top = nameRow(c, r.Label, top)
		at := (top + bottom) / 2
		hover(c, r.Label, fmt.Sprintf("median %s, half of the removals %s to %s, 95 %% at most %s", human.Duration(int64(r.Parts[2])),
			human.Duration(int64(r.Parts[1])), human.Duration(int64(r.Parts[3])), human.Duration(int64(r.Parts[4]))))
		tone := Owed
		if r.Policy == "recorded" {
			tone = Machine
		}
		c.StrokeLine2(stroke(tone, 1.6), x(r.Parts[0]), at, x(r.Parts[4]), at)
		fillRect(c, tone, x(r.Parts[1]), bottom+5, max(x(r.Parts[3]), x(r.Parts[1])+1), top-3)
		fillRect(c, Ink, x(r.Parts[2])-1.2, bottom+3, x(r.Parts[2])+1.2, top-1)
	}
}

// PoliciesTrade draws what each policy saves of a removal, with what that costs.
func PoliciesTrade(v *policies.View) Figure {
	f := Figure{Name: "saving", Title: "What each policy saves of a removal, and what that costs"}
	if v == nil || len(v.Trades) == 0 {
		f.Empty = noPolicies
		return f
	}
	f.Note = "bar: slot time of one removal of a " + v.In.Kind + " that is not redone; beside it: what each slot-hour of that costs, if a run loses one"
	var labels []rowLabel
	least, most := 0.0, 1.0
	for _, t := range v.Trades {
		labels = append(labels, rowLabel{})
		least, most = min(least, t.SavedMs), max(most, t.SavedMs)
	}
	f.Full = map[string]string{}
	p := newPlot()
	onRows(p, labels, f.Full)
	unit := durationUnit(max(most, -least))
	onAmount(&p.X, most, unit, 6)
	p.X.Min = max(least, -most) * 1.02
	p.X.Max = most * 2.6 // room for the words behind the bars
	p.X.Label.Text = "slot time saved of one removal (" + unit.name + ")"
	p.Add(tradeBars{v.Trades})
	f.Panels = []Panel{{Plot: p, Height: vg.Length(len(v.Trades)*policyRow + axisHeight), Top: 4}}
	return f
}

type tradeBars struct{ trades []policies.Trade }

func (b tradeBars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := words(Muted, smallSize, text.XLeft, text.YCenter)
	zero := x(0)
	for i, t := range b.trades {
		top, bottom := rowEdges(y, len(b.trades), i)
		top = nameRow(c, t.Label, top)
		end := max(x(t.SavedMs), c.Min.X)
		tone, note := Safe, tradeNote(t)
		if t.SavedMs < 0 {
			tone = Rerun
		}
		hover(c, t.Label, note)
		fillRect(c, tone, min(zero, end), bottom+4, max(zero, end, zero+1), top-2)
		c.FillText(style, vg.Point{X: max(zero, end) + 6, Y: middle(style, top, bottom)}, fit(note, style, c.Max.X-max(zero, end)-8))
	}
	c.StrokeLine2(stroke(Muted, 0.8), zero, c.Min.Y, zero, c.Max.Y)
}

// tradeNote is what stands beside a bar.
func tradeNote(t policies.Trade) string {
	note, costs := human.Share(t.Share)+" saved; a slot-hour: "+t.Price, ""
	if t.Price != "" {
		costs = "; costs " + t.Price
	}
	switch {
	case t.Share < -0.01:
		note = human.Share(-t.Share) + " more is redone" + costs
	case t.Share < 0.01:
		note = "saves nothing" + costs
	}
	return note
}
