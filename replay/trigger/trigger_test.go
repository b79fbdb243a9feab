package trigger_test

import (
	"testing"

	"pgregory.net/rapid"

	"tracereplay/replay/trigger"
)

// A batch of the 3-second trigger that started at 6.0 s and was over at 11.2 s:
// the next one starts at once, is over at 12.7 s and so after 12 s; the one after
// that starts at 12.7 s, is over at 14.2 s, and the next waits for 15 s.
func TestWorked(t *testing.T) {
	if n := trigger.Late(6000, 5200, []int64{1500}, 3000, 100); n != 2 {
		t.Errorf("%d late, want 2", n)
	}
	seen := []trigger.Batch{{StartMs: 6000, CommitMs: 11_200}, {StartMs: 11_200, CommitMs: 12_700}, {StartMs: 12_700, CommitMs: 14_200}, {StartMs: 15_000, CommitMs: 16_500}}
	if n, ok := trigger.SeenLate(seen, 3000); n != 2 || !ok {
		t.Errorf("%d seen late, %v; want 2", n, ok)
	}
	if _, ok := trigger.SeenLate(seen[:2], 3000); ok {
		t.Error("a list that ends before says that the query caught up")
	}
	if n := trigger.Late(6000, 5200, []int64{3500}, 3000, 100); n != -1 {
		t.Errorf("batches longer than the interval: %d late, want -1", n)
	}
	if n := trigger.Late(6000, 1500, nil, 3000, 100); n != 0 {
		t.Errorf("a batch that is over in time: %d late", n)
	}
}

// An interval is found again from the starts that it makes, whatever the
// batches take, as long as some of them waited.
func TestIntervalIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SampledFrom([]int64{500, 1000, 3000, 5000, 10_000, 60_000}).Draw(t, "interval")
		at := rapid.Int64Range(1_700_000_000_000, 1_700_000_100_000).Draw(t, "start")
		var all []trigger.Batch
		waited := 0
		for range rapid.IntRange(12, 40).Draw(t, "batches") {
			takes := rapid.Int64Range(want/20, want*3/2).Draw(t, "takes")
			b := trigger.Batch{StartMs: at, CommitMs: at + takes}
			all = append(all, b)
			if at = trigger.Start(b, want); at-b.CommitMs > 60 {
				waited++
			}
		}
		if waited < 8 {
			return
		}
		if got := trigger.Interval(all); got != want {
			t.Fatalf("%d, want %d: %v", got, want, all)
		}
	})
}

// Batches that all start as soon as the one before is over show no interval.
func TestAtOnce(t *testing.T) {
	at := int64(1_700_000_000_123)
	var all []trigger.Batch
	for range 30 {
		all = append(all, trigger.Batch{StartMs: at, CommitMs: at + 2345})
		at += 2348
	}
	if got := trigger.Interval(all); got != 0 {
		t.Errorf("%d, want none", got)
	}
}

// Late and SeenLate tell the same of batches that are made by Start.
func TestLateIsSeen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		interval := rapid.Int64Range(100, 5000).Draw(t, "interval")
		start := rapid.Int64Range(0, 1_000_000).Draw(t, "start")
		first := rapid.Int64Range(1, 8*interval).Draw(t, "first")
		next := rapid.SliceOfN(rapid.Int64Range(1, interval-1), 1, 5).Draw(t, "next")
		n := trigger.Late(start, first, next, interval, 10_000)
		all := []trigger.Batch{{StartMs: start, CommitMs: start + first}}
		for i := range n + 2 {
			at := trigger.Start(all[len(all)-1], interval)
			all = append(all, trigger.Batch{StartMs: at, CommitMs: at + next[min(i, len(next)-1)]})
		}
		if seen, ok := trigger.SeenLate(all, interval); n < 0 || seen != n || !ok {
			t.Fatalf("%d late, %d seen, %v", n, seen, ok)
		}
	})
}
