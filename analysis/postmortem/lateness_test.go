package postmortem

import (
	"testing"

	"tracereplay/internal/table"
	"tracereplay/replay/result"
)

// TestLatenessByHand: the worked example of Lateness. 8 workers of one slot,
// 80 s of jobs; two of them are lost at 40 s; slots are always busy.
func TestLatenessByHand(t *testing.T) {
	const s = 1000
	var own, good []result.WorkerSpan
	for i := range 8 {
		w := result.WorkerSpan{Slots: 1, FromMs: 0, ToMs: 80 * s, FirstMs: 0, LastMs: 80 * s, BusyMs: 80 * s}
		if i < 2 {
			w.ToMs, w.BusyMs = 40*s, 40*s
		}
		own = append(own, w)
		good = append(good, result.WorkerSpan{Slots: 1, ToMs: 60 * s, LastMs: 60 * s, BusyMs: 60 * s})
	}
	removals := []result.Removal{{
		GoneLowMs: table.Some[int64](40 * s), DetectedMs: 41 * s, InFlightMs: 2 * s, InterruptedMs: 10 * s, OwedMs: 18 * s, RerunMs: 30 * s,
	}}
	late, parts := Lateness(removals, own, [][]result.WorkerSpan{good})
	want := []Part{{"detection", 2 * s}, {"redo", 3 * s}, {"narrower", 10 * s}, {"other", 5 * s}}
	if late != 20*s {
		t.Errorf("late by %d ms, want 20 s", late)
	}
	var sum int64
	for i, p := range parts {
		sum += p.Ms
		if p != want[i] {
			t.Errorf("%+v, want %+v", p, want[i])
		}
	}
	if sum != late {
		t.Errorf("the parts add up to %d of %d", sum, late)
	}
}
