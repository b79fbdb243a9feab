package states

import (
	"slices"
	"testing"
)

func at(from, to int64) Span { return Span{From: from, To: to} }

// TestStates follows two workers by hand. Dataset one has two pieces: the first
// on worker 0 from 10, from 20 to 30 on worker 1, too; the second on a machine's
// service. It is needed until 50. Worker 0 holds the first alone from 10 to 20
// and from 30 on.
func TestStates(t *testing.T) {
	w := New([]Span{at(0, 100), at(5, 40)})
	w.Ran(0, at(0, 10))
	w.Ran(0, at(4, 12))
	w.Ran(0, at(12, 14))
	w.Ran(1, at(0, 8)) // before its life, in part
	w.Held([]Copy{{1, 1, at(20, 30)}, {1, 0, at(10, 200)}, {2, None, at(10, 60)}}, false, []Span{at(0, 45), at(40, 50)})
	w.Held([]Copy{{7, 0, at(45, 90)}, {8, 1, at(35, 90)}, {8, 1, at(36, 37)}}, true, []Span{at(10, 60), at(70, 75)})
	for worker, want := range [][]Stretch{
		{
			{at(0, 14), Busy},
			{at(14, 20), IdleOwing},
			{at(20, 30), Free},
			{at(30, 50), IdleOwing},
			{at(50, 60), IdleCaching},
			{at(60, 70), Free},
			{at(70, 75), IdleCaching},
			{at(75, 100), Free},
		},
		{{at(5, 8), Busy}, {at(8, 35), Free}, {at(35, 40), IdleCaching}},
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
		s.add(at(from, from+10-from/5000)) // those from 5,000 on are a ms shorter
	}
	if got := s.merged(); len(got) != 500 || got[0] != at(0, 5009) || got[1] != at(5010, 5019) {
		t.Errorf("%d spans, %v", len(got), got[:2])
	}
}
