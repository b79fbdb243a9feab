package states

import (
	"cmp"
	"iter"
	"slices"
)

// spans are intervals of time. However many are added, those that touch are
// merged now and then, so that few are kept.
type spans struct {
	list []Span
	next int // merged when there are so many
}

// fewSpans are not worth merging.
const fewSpans = 64

func (s *spans) add(at Span) {
	if at.isEmpty() {
		return
	}
	if n := len(s.list); n > 0 && s.list[n-1].FromMs <= at.FromMs && at.FromMs <= s.list[n-1].ToMs {
		s.list[n-1].ToMs = max(s.list[n-1].ToMs, at.ToMs)
		return
	}
	if len(s.list) >= max(s.next, fewSpans) {
		s.merge()
		s.next = 2 * len(s.list)
	}
	s.list = append(s.list, at)
}

// merge sorts the intervals and makes one of those that overlap or touch.
func (s *spans) merge() {
	slices.SortFunc(s.list, func(a, b Span) int { return cmp.Compare(a.FromMs, b.FromMs) })
	kept := s.list[:0]
	for _, at := range s.list {
		if n := len(kept); n > 0 && at.FromMs <= kept[n-1].ToMs {
			kept[n-1].ToMs = max(kept[n-1].ToMs, at.ToMs)
		} else {
			kept = append(kept, at)
		}
	}
	s.list = kept
}

func (s *spans) merged() []Span {
	s.merge()
	return s.list
}

// both tells what two lists have in common, each in order and without overlaps.
func both(a, b []Span) iter.Seq[Span] {
	return func(yield func(Span) bool) {
		for len(a) > 0 && len(b) > 0 {
			if at := a[0].and(b[0]); !at.isEmpty() && !yield(at) {
				return
			}
			if a[0].ToMs < b[0].ToMs {
				a = a[1:]
			} else {
				b = b[1:]
			}
		}
	}
}
