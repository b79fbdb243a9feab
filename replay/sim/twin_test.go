package sim

import "testing"

// made is a run whose pieces were made at given instants.
func made(ends ...int64) *Run {
	r := &Run{DurMs: make([]int32, len(ends))}
	for i, ms := range ends {
		r.Attempts = append(r.Attempts, Attempt{Task: int32(i), EndMs: ms, Status: "success"}, Attempt{Task: int32(i), EndMs: ms + 1000, Status: "success"})
	}
	return r
}

// The same progress: as many pieces, and as long after the last of them, but not
// beyond the next.
func TestAlike(t *testing.T) {
	run, other := made(10, 20, 30, 40), made(15, 25, 45)
	for _, c := range []struct {
		at, want int64
		ok       bool
	}{
		{5, 5, true},    // none yet
		{14, 19, true},  // one, for 4 ms
		{19, 24, true},  // one, for 9 ms
		{20, 25, true},  // two, just now
		{29, 34, true},  // two, for 9 ms
		{39, 54, true},  // all three that the other run has
		{40, 0, false},  // the other run never had four
		{500, 0, false}, // nor later
	} {
		if got, ok := Alike(run, other, c.at); got != c.want || ok != c.ok {
			t.Errorf("at %d: %d %v, want %d %v", c.at, got, ok, c.want, c.ok)
		}
	}
	if got, _ := Alike(other, run, 44); got != 29 { // two for 19 ms, but the third came at 30
		t.Errorf("%d, want 29", got)
	}
}

// A loss that is simulated in a twin comes to what it came to, about, for each
// unit of its kind.
func TestLossLike(t *testing.T) {
	actual, twin := recorded(wide(400, 5, 4), 3), recorded(wide(400, 5, 4), 4)
	half := actual.RecordedMs / 2
	actual.Removals = []Removal{{GoneMs: half, NoticeMs: half, DetectMs: half + 100, Machine: 1, Workers: []int32{2, 3}, DetectEach: []int64{half + 100, half + 100}}}
	for _, w := range []int{2, 3} {
		actual.Workers[w].To, actual.Workers[w].Gone = half+100, half
	}
	actual.ReplacedMs = -1
	each, _ := Delays(actual)
	losses := LossLike(actual, twin)
	if len(losses) != 4 {
		t.Fatalf("%d losses, want one for each machine", len(losses))
	}
	for _, l := range losses {
		if l.Outcome != Done || l.DelayMs < each[0].Ms*7/10 || l.DelayMs > each[0].Ms*13/10 {
			t.Errorf("%+v, the real one came to %d ms", l, each[0].Ms)
		}
	}
	actual.Removals[0].Release = true // given back because it was idle
	if got := LossLike(actual, twin); got != nil {
		t.Errorf("%+v of a release", got)
	}
}

// The curve of a report: bounded, and from the log's state where it can be.
func TestCurveOf(t *testing.T) {
	run := recorded(wide(400, 5, 4), 3)
	c := CurveOf(run, true)
	if !c.Resumed || len(c.Points) != curveAt || c.Units != 4 || c.Some || c.TooBig {
		t.Fatalf("%+v", c)
	}
	if first, last := c.Points[0].MeanMs, c.Points[20].MeanMs; first <= 0 || last <= first {
		t.Errorf("delay %d ms early, %d ms late", first, last)
	}
	early := run.RecordedMs / 10
	run.Removals = []Removal{{GoneMs: early, NoticeMs: early, DetectMs: early + 100, Machine: 1, Workers: []int32{2, 3}}}
	if c := CurveOf(run, false); c.Resumed || len(c.Points) != curveAt || c.Units != 8 {
		t.Errorf("after an early loss: %+v", c)
	}
	big := wide(300_000, 2, 4)
	if c := CurveOf(big, true); !c.TooBig || len(c.Points) > 0 {
		t.Errorf("%d points of a large run", len(c.Points))
	}
}
