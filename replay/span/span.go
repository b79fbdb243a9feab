// Package span has intervals of time, and what package climb and package states
// do with lists of them.
package span

import (
	"cmp"
	"slices"
)

// Span is an interval of time, its end not included, in ms.
type Span struct{ From, To int64 }

// And is what two intervals have in common.
func (s Span) And(t Span) Span { return Span{max(s.From, t.From), min(s.To, t.To)} }

// IsEmpty tells whether there is no instant in it.
func (s Span) IsEmpty() bool { return s.From >= s.To }

// Merge sorts intervals and joins those that overlap or touch, in place.
func Merge(spans []Span) []Span {
	slices.SortFunc(spans, func(x, y Span) int { return cmp.Compare(x.From, y.From) })
	out := spans[:0]
	for _, s := range spans {
		if n := len(out); n > 0 && s.From <= out[n-1].To {
			out[n-1].To = max(out[n-1].To, s.To)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// AppendBoth appends what two lists have in common, each sorted and without
// overlaps.
func AppendBoth(to, a, b []Span) []Span {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		if both := a[i].And(b[j]); !both.IsEmpty() {
			to = append(to, both)
		}
		if a[i].To < b[j].To {
			i++
		} else {
			j++
		}
	}
	return to
}
