package states

import "tracereplay/replay/span"

// spans are intervals of time. However many are added, those that touch are
// merged now and then, so that few are kept.
type spans struct {
	list []Span
	next int // merged when there are so many
}

// fewSpans are not worth merging.
const fewSpans = 64

func (s *spans) add(at Span) {
	if at.IsEmpty() {
		return
	}
	if n := len(s.list); n > 0 && s.list[n-1].From <= at.From && at.From <= s.list[n-1].To {
		s.list[n-1].To = max(s.list[n-1].To, at.To)
		return
	}
	if len(s.list) >= max(s.next, fewSpans) {
		s.next = 2 * len(s.merged())
	}
	s.list = append(s.list, at)
}

func (s *spans) merged() []Span {
	s.list = span.Merge(s.list)
	return s.list
}
