package streaming_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tracereplay/analysis/streaming"
	"tracereplay/internal/human"
	"tracereplay/internal/table"
	"tracereplay/replay/result"
)

// paced is counting with a batch every 3 s that takes 1 s, 800 ms of it in its
// jobs; a tenth of the 90 MB changes in each. A machine holds 4 of 16 partitions.
func paced(store string) (result.StreamQuery, result.StreamUsual) {
	q := counting()
	q.BatchMs, q.PartitionLoadMs = table.Some[int64](1000), table.Some(50.0)
	return q, result.StreamUsual{
		Query: "q", UnitKind: "machine", CycleMs: table.Some(3000.0), AddMs: table.Some(800.0), UpdatedShare: table.Some(0.1), MeanRecomputeMs: table.Some(900.0),
		MeanPartitions: 4, Units: 4, Store: store, SnapshotBatches: 10,
	}
}

// By hand. Of a machine's 22.5 MB a load reads all, and with deltas at most 9 more of 2.25 MB. Every 1.5 s: the jobs of half the rows take 400 ms, the batch 600
// (low): to redo 900 x 0.6^2 x 3000/1500 = 648, or 900 x 2 = 1800 when they take as long (high). Standby: 9 MB of change in each of 1200 batches an hour.
func TestPolicies(t *testing.T) {
	ask := func(store string, texts ...string) []result.StreamPolicy {
		q, u := paced(store)
		var all []streaming.Policy
		for _, text := range texts {
			p, err := streaming.ParsePolicy(text)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, p)
		}
		return streaming.Policies([]result.StreamQuery{q}, []result.StreamUsual{u}, all, 22_500_000)
	}
	type want struct {
		policy                                             string
		low                                                bool
		cycle, batch, redo, rows, quiesce, load, ms, wrote int64
	}
	check := func(rows []result.StreamPolicy, want []want) {
		t.Helper()
		if len(rows) != len(want) {
			t.Fatalf("%d rows, want %d", len(rows), len(want))
		}
		for i, w := range want {
			r := rows[i]
			if r.Policy != w.policy || (r.Assumption == "low") != w.low || !r.Applies {
				t.Errorf("row %d is %s, %s, %v %s", i, r.Policy, r.Assumption, r.Applies, r.Why)
			}
			got := []int64{r.CycleMs.V, r.BatchMs.V, r.MeanRecomputeMs.V, r.RestartRows.V, r.QuiesceMs.V, r.LoadBytes.V, r.LoadMs.V, r.WrittenPerHour.V}
			for k, x := range []int64{w.cycle, w.batch, w.redo, w.rows, w.quiesce, w.load, w.ms, w.wrote} {
				if got[k] != x {
					t.Errorf("%s, low %v: figure %d is %d, want %d", w.policy, w.low, k, got[k], x)
				}
			}
		}
	}
	const mb = 1_000_000
	deltas := int64(1200 * 18 * mb) // 9 MB of change and a tenth of a snapshot
	check(ask("deltas", "trigger=1500ms", "snapshots=1", "standby=2"), []want{
		{"recorded", true, 3000, 1000, 900, 3000, 167, 22_500_000, 200, deltas},
		{"recorded", false, 3000, 1000, 900, 3000, 167, 42_750_000, 380, deltas},
		{"trigger=1500ms", true, 1500, 600, 648, 1500, 120, 22_500_000, 200, 2400 * 13_500_000},
		{"trigger=1500ms", false, 1500, 1000, 1800, 1500, 333, 22_500_000 + 9*1_125_000, 290, 2400 * 13_500_000},
		{"snapshots=1", true, 3000, 1000, 900, 3000, 167, 22_500_000, 200, 1200 * 90 * mb},
		{"snapshots=1", false, 3000, 1000, 900, 3000, 167, 22_500_000, 200, 1200 * 90 * mb},
		{"standby=2", true, 3000, 1000, 900, 3000, 167, 0, 0, deltas},
		{"standby=2", false, 3000, 1000, 900, 3000, 167, 2_250_000, 20, deltas},
	})
	rows := ask("rocksdb", "changelog")
	check(rows, []want{
		{"recorded", true, 3000, 1000, 900, 3000, 167, 22_500_000, 200, 1200 * 9 * mb},
		{"recorded", false, 3000, 1000, 900, 3000, 167, 22_500_000, 200, 1200 * 90 * mb},
		{"changelog", true, 3000, 1000, 900, 3000, 167, 22_500_000, 200, deltas},
		{"changelog", false, 3000, 1000, 900, 3000, 167, 42_750_000, 380, deltas},
	})
	if rows[0].TransferMs != table.Some[int64](1000) || rows[0].StateFilesPerHour != table.Some[int64](16*1200) {
		t.Errorf("transfer and files: %+v", rows[0])
	}
	s := ask("deltas", "standby=2")[2]
	if s.MemoryBytes != table.Some[int64](180*mb) || s.SentPerHour != table.Some[int64](2*9*1200*mb) || s.Why == "" {
		t.Errorf("standby: %+v", s)
	}
}

// A policy that changes nothing here says why and repeats what was recorded.
func TestPoliciesThatDoNotApply(t *testing.T) {
	for _, c := range []struct{ store, policy, why string }{
		{"deltas", "changelog", "not RocksDB"},
		{"changelog", "changelog", "on already"},
		{"rocksdb", "snapshots=1", "snapshot already"},
		{"", "standby=1", "no state"},
	} {
		q, u := paced(c.store)
		q.IsStateful = c.store != ""
		p, err := streaming.ParsePolicy(c.policy)
		if err != nil {
			t.Fatal(err)
		}
		rows := streaming.Policies([]result.StreamQuery{q}, []result.StreamUsual{u}, []streaming.Policy{p}, 0)
		for i, r := range rows[2:] {
			same := rows[i]
			same.Policy, same.Applies, same.Why = r.Policy, r.Applies, r.Why
			if r.Applies || !strings.Contains(r.Why, c.why) || r != same {
				t.Errorf("%s on %q: %+v", c.policy, c.store, r)
			}
		}
	}
	for _, text := range []string{"", "trigger", "trigger=0s", "trigger=-1s", "standby=0", "standby=x", "snapshots=", "changelog=1", "drain"} {
		if _, err := streaming.ParsePolicy(text); err == nil {
			t.Errorf("%q is a policy", text)
		}
	}
}

// Shorter batches never read more rows again, and with the same interval
// nothing changes; what is not known of the log is not known of a policy.
func TestTriggerLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q, u := paced("deltas")
		batch := rapid.Int64Range(1, 3000).Draw(t, "batch")
		q.BatchMs = table.Some(batch)
		u.AddMs = table.Some(float64(rapid.Int64Range(0, batch).Draw(t, "add")))
		last := math.Inf(-1)
		for _, ms := range []int64{100, 500, 1000, 3000, 9000} {
			rows := streaming.Policies([]result.StreamQuery{q}, []result.StreamUsual{u}, []streaming.Policy{{Name: "x", TriggerMs: ms}}, 0)
			for _, r := range rows[2:] {
				if r.BatchMs.OK && (r.CycleMs.V < r.BatchMs.V || r.CycleMs.V < ms) {
					t.Fatalf("%+v", r)
				}
				if ms == 3000 && (r.MeanRecomputeMs != rows[0].MeanRecomputeMs || r.BatchMs != rows[0].BatchMs) {
					t.Fatalf("the same interval changes %+v", r)
				}
			}
			if low := rows[2]; low.RestartRows.OK {
				if float64(low.RestartRows.V) < last-1 {
					t.Fatalf("every %d ms: %d rows again, %v with a shorter interval", ms, low.RestartRows.V, last)
				}
				last = float64(low.RestartRows.V)
			}
		}
		u.MeanRecomputeMs, u.UpdatedShare = table.Opt[float64]{}, table.Opt[float64]{}
		for _, r := range streaming.Policies([]result.StreamQuery{q}, []result.StreamUsual{u}, nil, 0) {
			if r.MeanRecomputeMs.OK || r.WrittenPerHour.OK {
				t.Fatalf("%+v", r)
			}
		}
	})
}

func TestDelayText(t *testing.T) {
	some := table.Some[int64]
	d := result.StreamDelay{
		Query: "q", Removal: 1, UnitKind: "machine", Unit: "m2", GoneMs: 5000, Batch: 4, IsWithin: true, Compared: 3, UsualMs: some(1500), UndisturbedMs: some(1600),
		PredictedMs: some(3600), TookMs: some(3800), PredictedDelay: some(2000), SeenDelay: some(2200), StatePartitions: 4, IntervalMs: some(3000),
		PredictedLate: some(1), SeenLate: some(1), Known: "simulated, without loads",
	}
	early := d
	early.PredictedDelay, early.Known, early.TookMs, early.IntervalMs = table.I64{}, "no other batch", table.I64{}, table.I64{}
	clock := human.ClockIn(time.UTC).Within(0, 10_000)
	got := streaming.DelayText([]result.StreamDelay{d, early, {Query: "other"}}, "q", clock)
	want := []string{
		"[1] 00:00:05 UTC: machine m2 was lost within batch 4, which took 3.8 s (3 batches like it: 1.5 s). From the state just before the loss it would " +
			"have taken 1.6 s without it and was predicted to take 3.6 s with it: a delay of 2 s, seen 2.2 s. 4 partitions of state had to be loaded again; " +
			"how long that takes is not in the log, and nothing is added for it. With a trigger every 3 s, 1 batch after it was predicted to start late; 1 did.",
		"[1] 00:00:05 UTC: machine m2 was lost within batch 4, which was never reported as done (3 batches like it: 1.5 s); its delay is not predicted: " +
			"no undisturbed batch before it but the first of the run, which starts the code up.",
	}
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got  %s\nwant %s", got[i], want[i])
		}
	}
}
