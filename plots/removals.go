package plots

import (
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
	end := c.Min.X + words(Ink, textSize, text.XLeft, text.YTop).Width(r.after) + 4 // of the last name that was written
	if r.after == "" {
		end = c.Min.X - leftMargin
	}
	for _, m := range slices.SortedStableFunc(slices.Values(r.marks), func(a, b analysis.Mark) int { return int(a.AtMs - b.AtMs) }) {
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
		if r.named {
			end = nameRemoval(c, m, at, end)
		}
	}
}

// nameRemoval writes a unit's name above its line, unless it would cover the
// name before, which ends at end. It returns where the last name now ends.
func nameRemoval(c draw.Canvas, m analysis.Mark, at, end vg.Length) vg.Length {
	style := words(Removal, smallSize, text.XCenter, text.YBottom)
	label := human.CutMiddle(m.Unit, 18) + " lost"
	half := style.Width(label) / 2
	middle := min(max(at, c.Min.X+half), c.Max.X-half)
	if middle-half < end+4 {
		return end
	}
	c.FillText(style, vg.Point{X: middle, Y: c.Max.Y + 3}, label)
	return middle + half
}

// removalKey is the entry of the key, where there are removals.
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
