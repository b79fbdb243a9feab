package streaming_test

import (
	"testing"
	"time"

	"tracereplay/analysis/streaming"
	"tracereplay/internal/human"
	"tracereplay/internal/table"
	"tracereplay/replay/result"
)

// counted is the query of counting with three batches on two machines. The last
// batch was cut off. Workers cost more than machines here, so that a figure of
// the wrong kind of unit would show.
func counted() *streaming.Inputs {
	q := counting()
	q.Batches, q.CommittedBatches, q.BatchMs, q.StateRows = 3, 2, table.Some[int64](2500), table.Some[int64](1234)
	in := &streaming.Inputs{Clock: human.ClockIn(time.UTC).Within(0, 10_000), Queries: []result.StreamQuery{q}}
	loss := func(batch int64, kind, unit string, at, worst, parts, bytes int64) result.StreamLoss {
		return result.StreamLoss{
			Query: "q", Batch: batch, UnitKind: kind, Unit: unit, InstantMs: at, SupremumMs: worst, RecomputeMs: worst,
			StatePartitions: parts, StateBytes: table.Some(bytes), OldestLostAgeMs: table.Some[int64](100),
		}
	}
	for i := range int64(3) {
		b := result.StreamBatch{Query: "q", Batch: i, StartMs: 3000 * i, UntilMs: 3000*i + 3000, RestartMs: 2500}
		if i < 2 {
			b.CommitMs, b.TriggerMs, b.InputRows = table.Some(3000*i+2500), table.Some[int64](2500), table.Some(100*i+50)
			b.RestartRows = b.InputRows
		}
		in.Batches = append(in.Batches, b)
		in.Losses = append(in.Losses, loss(i, "machine", "m1", 3000*i+1000, 1000*(i+1), 8, 1<<20), loss(i, "machine", "m2", 3000*i+1000, 500, 9, 2<<20),
			loss(i, "worker", "1", 3000*i+1000, 90_000, 16, 5<<20))
	}
	return in
}

func TestParagraph(t *testing.T) {
	stateless := counted()
	stateless.Queries[0].IsStateful = false
	local := counted()
	local.Losses, local.Queries[0].StateWorkers = nil, 1
	const (
		ran   = "Streaming query count ran 3 batches, the median one in 2.5 s; 1 of them was never reported as done. "
		costs = "Losing a machine costs work of the running batch alone, since what earlier batches made is committed: 2 s of slot time at the worst " +
			"moment of the median batch, at most 3 s (m1 in batch 2, at 00:00:07 UTC). "
		back = "A restart of the coordinator, which is another subject, goes back to the last committed batch: at most 150 rows are read again " +
			"and 2.5 s of work lost (batch 1)"
	)
	for _, c := range []struct {
		name string
		in   *streaming.Inputs
		want string
	}{
		{"state", counted(), ran + costs + "Its state, 1,234 keys and 85.8 MiB at the end, in 16 partitions, stood on 8 workers; up to 9 partitions on one machine " +
			"(m2, about 2 MiB), which the next owner would load again from the checkpoint. " + back + ", and all state is loaded from the checkpoint."},
		{"no state", stateless, ran + costs + "It keeps no state from batch to batch, so nothing has to be loaded again. " + back + "."},
		{"local", local, ran + "No machine or worker can be lost without the query itself: the log knows none beside the coordinator. " +
			"Its state, 1,234 keys and 85.8 MiB at the end, in 16 partitions, stood with the coordinator. " + back + ", and all state is loaded from the checkpoint."},
	} {
		if got := streaming.New(c.in).Plain(0); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

// Every figure has one name, and every batch its worst machine.
func TestFigures(t *testing.T) {
	r := streaming.New(counted())
	seen := map[string]any{}
	for _, f := range r.Figures {
		if _, ok := seen[f.Name]; ok {
			t.Errorf("two figures are called %s", f.Name)
		}
		seen[f.Name] = f.Value
	}
	for name, want := range map[string]any{
		"stream_1_batches": int64(3), "stream_1_worst_recompute_ms": int64(3000), "stream_1_batch_worst_recompute_ms": int64(2000),
		"stream_1_state_most_partitions": int64(9), "stream_1_restart_rows": int64(150), "stream_1_before_batch_ms": int64(0), "stream_1_worst_batch": "2",
	} {
		if seen[name] != want {
			t.Errorf("%s is %v, want %v", name, seen[name], want)
		}
	}
	for _, b := range r.Queries[0].Batches {
		if b.Worst == nil || b.Worst.Unit != "m1" || b.Worst.Batch != b.Batch.Batch {
			t.Errorf("batch %d: %+v", b.Batch.Batch, b.Worst)
		}
	}
	if first := r.Queries[0].SortedByLoss()[0].Batch.Batch; first != 2 {
		t.Errorf("batch %d is said to be the costliest", first)
	}
}
