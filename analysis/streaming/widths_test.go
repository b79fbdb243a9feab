package streaming_test

import (
	"testing"

	"tracereplay/analysis/streaming"
	"tracereplay/internal/table"
	"tracereplay/replay/result"
)

// counting is a query on 8 workers with 16 partitions and 90 MB of state:
// 1000 rows a second come in, 3000 could be worked off.
func counting() result.StreamQuery {
	return result.StreamQuery{
		App: "a", Query: "q", Name: table.Some("count"), IsStateful: true, Operators: 1,
		Partitions: table.Some[int64](16), PlacedPartitions: 16, StateWorkers: 8,
		StateBytes: table.Some[int64](90_000_000), QuiesceMs: table.Some[int64](1500), StartupMs: table.Some[int64](2000),
		InputRowsPerS: table.Some(1000.0), ProcessedRowsPerS: table.Some(3000.0),
	}
}

// From 8 to 9 workers at 10 MB/s, by hand: the engine moves 1 of 16 partitions, 5,625,000 bytes in 563 ms (rounded up), a pause of
// 1500 + 563 + 2000 = 4063 ms with 4063 rows, worked off at 2000 a second. Modulo moves 8/9, 80 MB in 8 s. Of 128 groups, the
// workers keep 15 + 13 + 11 + 9 + 8 + 6 + 4 + 2 = 68, so 60/128 move, 42,187,500 bytes. Consistent moves 1/9, 10 MB in 1 s.
func TestWidths(t *testing.T) {
	rows := streaming.Widths([]result.StreamQuery{counting()}, streaming.WidthOptions{To: 9, Bandwidth: 10_000_000})
	want := []struct {
		rule                                string
		moved, transfer, pause, rows, catch int64
	}{
		{"engine", 5_625_000, 563, 4063, 4063, 2032},
		{"modulo", 80_000_000, 8000, 11500, 11500, 5750},
		{"key-groups", 42_187_500, 4219, 7719, 7719, 3860},
		{"consistent", 10_000_000, 1000, 4500, 4500, 2250},
	}
	if len(rows) != len(want) {
		t.Fatalf("%d rows", len(rows))
	}
	for i, w := range want {
		r := rows[i]
		if r.Rule != w.rule || r.FromWorkers != 8 || r.ToWorkers != 9 {
			t.Errorf("row %d: %+v", i, r)
		}
		if r.MovedBytes.V != w.moved || r.TransferMs.V != w.transfer || r.PauseMs.V != w.pause || r.BacklogRows.V != w.rows || r.CatchUpMs.V != w.catch {
			t.Errorf("%s: moved %d, transfer %d, pause %d, rows %d, catch up %d; want %+v", w.rule, r.MovedBytes.V, r.TransferMs.V, r.PauseMs.V, r.BacklogRows.V, r.CatchUpMs.V, w)
		}
	}
}

// A query without state pauses for the start-up alone; what comes in as fast as
// it is worked off is never caught up; what is not known stays unknown.
func TestWidthsWithout(t *testing.T) {
	q := counting()
	q.IsStateful, q.Partitions, q.PlacedPartitions, q.StateBytes = false, table.I64{}, 0, table.I64{}
	for _, r := range streaming.Widths([]result.StreamQuery{q}, streaming.WidthOptions{From: 2, To: 3}) {
		if r.MovedShare != 0 || r.PauseMs != table.Some[int64](2000) || r.MovedBytes != table.Some[int64](0) || r.BacklogRows.V != 2000 {
			t.Errorf("stateless: %+v", r)
		}
	}
	for _, r := range streaming.Widths([]result.StreamQuery{counting()}, streaming.WidthOptions{To: 8}) {
		if r.MovedShare != 0 || r.PauseMs != table.Some[int64](0) || r.BacklogRows != table.Some[int64](0) {
			t.Errorf("no change: %+v", r)
		}
	}
	q = counting()
	q.ProcessedRowsPerS = table.Some(1000.0)
	for _, r := range streaming.Widths([]result.StreamQuery{q}, streaming.WidthOptions{To: 4}) {
		if r.CatchUpMs.OK || !r.BacklogRows.OK {
			t.Errorf("no spare rate: %+v", r)
		}
	}
	q = counting()
	q.StartupMs = table.I64{}
	for _, r := range streaming.Widths([]result.StreamQuery{q}, streaming.WidthOptions{To: 4}) {
		if r.PauseMs.OK || r.BacklogRows.OK {
			t.Errorf("start-up not known: %+v", r)
		}
	}
	for _, r := range streaming.Widths([]result.StreamQuery{q}, streaming.WidthOptions{To: 4, StartupMs: table.Some[int64](10)}) {
		if r.PauseMs.V != 1510+r.TransferMs.V {
			t.Errorf("stated start-up: %+v", r)
		}
	}
}

func TestWidthText(t *testing.T) {
	stateless := counting()
	stateless.Query, stateless.Name, stateless.IsStateful = "p", table.Some("plain"), false
	rows := streaming.Widths([]result.StreamQuery{counting(), stateless}, streaming.WidthOptions{To: 20, From: 8, Bandwidth: 10_000_000})
	got := streaming.WidthText(rows)
	if len(got) != 2 {
		t.Fatalf("%q", got)
	}
	if want := "Query count, from 8 workers to 20: the engine would re-assign 8 of the 16 state partitions that the checkpoint has for life, " +
		"50 % of the keys and 42.9 MiB, with nothing for 4 workers, for a pause of 8 s (1.5 s for the running batch, 4.5 s to transfer, " +
		"2 s to start), in which 8,000 rows pile up, caught up in 4 s; routing by hash modulo the number of workers would move 80 %, " +
		"by 128 key groups 95 %, by consistent hashing 60 %."; got[0] != want {
		t.Errorf("got  %s\nwant %s", got[0], want)
	}
	if want := "Query plain, from 8 workers to 20: it keeps no state, so nothing moves under any rule, and the pause is start-up alone: " +
		"a pause of 2 s (0 ms for the running batch, 0 ms to transfer, 2 s to start), in which 2,000 rows pile up, caught up in 1 s."; got[1] != want {
		t.Errorf("got  %s\nwant %s", got[1], want)
	}
}
