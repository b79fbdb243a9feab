package plots

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"tracereplay/analysis"
	"tracereplay/internal/human"
)

// nameRoom is the height that names of removals take above a panel.
const nameRoom = 16

// harmlessHeight is how far a removal that cost nothing reaches into a panel.
const harmlessHeight = 7

// togetherWidth is how near lines are that share a name.
const togetherWidth = 40

// removals draw the recorded removals as lines over a panel, and, in the
// topmost panel of a figure, the names of their units above it. Those that cost
// nothing are ticks at its foot.
type removals struct {
	marks []analysis.Mark
	named bool
	after string // a panel's own name, which stands at the left above it
}

func (r removals) Plot(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	end := c.Min.X - leftMargin // of the last name that was written
	if r.after != "" {
		end = c.Min.X + words(Ink, textSize, text.XLeft, text.YTop).Width(r.after) + 4
	}
	var group []analysis.Mark
	for _, m := range slices.SortedStableFunc(slices.Values(r.marks), func(a, b analysis.Mark) int { return cmp.Compare(a.AtMs, b.AtMs) }) {
		at := x(float64(m.AtMs))
		if at < c.Min.X || at > c.Max.X {
			continue
		}
		hover(c, m.Words)
		if m.Harmless {
			c.StrokeLine2(stroke(Removal, 1.2), at, c.Min.Y, at, c.Min.Y+harmlessHeight)
			continue
		}
		c.StrokeLine2(stroke(Removal, 1.6, 4, 2), at, c.Min.Y, at, c.Max.Y)
		if len(group) > 0 && at-x(float64(group[0].AtMs)) > togetherWidth {
			end = r.name(c, x, group, end)
			group = group[:0]
		}
		group = append(group, m)
	}
	r.name(c, x, group, end)
}

// name writes above lines that stand together what was lost, unless it would
// cover the name before, which ends at end. It returns where the last name
// ends.
func (r removals) name(c draw.Canvas, x func(float64) vg.Length, group []analysis.Mark, end vg.Length) vg.Length {
	if !r.named || len(group) == 0 {
		return end
	}
	style := words(Removal, smallSize, text.XCenter, text.YBottom)
	label := groupName(group)
	half := style.Width(label) / 2
	first, last := x(float64(group[0].AtMs)), x(float64(group[len(group)-1].AtMs))
	middle := min(max((first+last)/2, c.Min.X+half), c.Max.X-half)
	if middle-half < end+4 {
		return end
	}
	c.FillText(style, vg.Point{X: middle, Y: c.Max.Y + 3}, label)
	return middle + half
}

func groupName(group []analysis.Mark) string {
	m := group[0]
	switch {
	case len(group) > 1:
		return human.Counted(int64(len(group)), "removal", "removals")
	case m.Kind == analysis.Worker:
		return "worker " + human.CutMiddle(m.Unit, 18) + " lost"
	default:
		return human.CutMiddle(m.Unit, 18) + " lost"
	}
}

// removalKey are the entries of the key, where there are removals.
func removalKey(marks []analysis.Mark) []Entry {
	var entries []Entry
	if slices.ContainsFunc(marks, func(m analysis.Mark) bool { return !m.Harmless }) {
		entries = append(entries, Entry{Removal, Dashes, "recorded removal"})
	}
	if slices.ContainsFunc(marks, func(m analysis.Mark) bool { return m.Harmless }) {
		entries = append(entries, Entry{Removal, Tick, "removal that cost nothing"})
	}
	return entries
}
