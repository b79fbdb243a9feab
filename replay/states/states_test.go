package states

import (
	"slices"
	"testing"
)

// TestStates follows two workers by hand. Dataset one has two pieces: the first
// on worker 0 from 10, from 20 to 30 on worker 1, too; the second on a machine's
// service. It is needed until 50. Worker 0 holds the first alone from 10 to 20
// and from 30 on.
func TestStates(t *testing.T) {
	w := New([]Span{{0, 100}, {5, 40}})
	w.Ran(0, Span{0, 10})
	w.Ran(0, Span{4, 12})
	w.Ran(0, Span{12, 14})
	w.Ran(1, Span{0, 8}) // before its life, in part
	w.Held([]Copy{{1, 1, Span{20, 30}}, {1, 0, Span{10, 200}}, {2, None, Span{10, 60}}}, false, []Span{{0, 45}, {40, 50}})
	w.Held([]Copy{{7, 0, Span{45, 90}}, {8, 1, Span{35, 90}}, {8, 1, Span{36, 37}}}, true, []Span{{10, 60}, {70, 75}})
	for worker, want := range [][]Stretch{
		{
			{Span{0, 14}, Busy},
			{Span{14, 20}, IdleOwing},
			{Span{20, 30}, Free},
			{Span{30, 50}, IdleOwing},
			{Span{50, 60}, IdleCaching},
			{Span{60, 70}, Free},
			{Span{70, 75}, IdleCaching},
			{Span{75, 100}, Free},
		},
		{{Span{5, 8}, Busy}, {Span{8, 35}, Free}, {Span{35, 40}, IdleCaching}},
	} {
		if got := w.States(worker); !slices.Equal(got, want) {
			t.Errorf("worker %d:\n%v, want\n%v", worker, got, want)
		}
	}
}

// TestSpansMerge adds more intervals than are kept apart, latest first.
func TestSpansMerge(t *testing.T) {
	var s spans
	for i := range int64(1000) {
		from := 10 * (999 - i)
		s.add(Span{from, from + 10 - from/5000}) // those from 5,000 on are a ms shorter
	}
	if got := s.merged(); len(got) != 500 || got[0] != (Span{0, 5009}) || got[1] != (Span{5010, 5019}) {
		t.Errorf("%d spans, %v", len(got), got[:2])
	}
}
