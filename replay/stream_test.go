package replay_test

import (
	"context"
	"math"
	"testing"

	"tracereplay/ingest"
	"tracereplay/internal/table"
	"tracereplay/lineage"
	"tracereplay/replay"
	"tracereplay/replay/result"
)

// counting is a query with two partitions of state on two machines. Batch 0 runs from 0 to 100, batch 1 from 110 to 200; batch 2, whose
// job began at 215, is cut off at 300. Partition 1 moves from worker b to worker a in batch 1.
const counting = `
end 300
worker machine
a      m1
b      m2
task worker stage start end makes
0    a      0     10    30  s.0
1    b      0     10    40  s.1
2    a      1     50    80  -
3    b      1     50    90  -
4    a      2     120   140 r.0
5    b      2     120   150 r.1
6    a      3     155   180 -
7    a      3     180   195 -
8    b      4     220   300 -
dataset kind    inputs
s       shuffle -
r       shuffle -
need by submit last_start until dense
s    1  45     50         90    yes
r    3  152    180        195   yes
`

// openCounting makes its world; more are further runs of the query.
func openCounting(t *testing.T, more ...ingest.QueryRow) *replay.World {
	t.Helper()
	run, err := draw(counting)
	if err != nil {
		t.Fatal(err)
	}
	db := openTrace(t)
	state := func(task, batch, stage, partition, at int64, worker string) lineage.StatePartitionRow {
		return lineage.StatePartitionRow{
			App: drawnApp, Query: "q", Batch: table.Some(batch), RDD: 10 + stage, Partition: partition, Partitions: 2, Stage: stage, Task: task,
			Worker: worker, FromMs: at, Seq: 100 + task,
		}
	}
	progress := func(batch, start, took, rows int64) ingest.ProgressRow {
		return ingest.ProgressRow{App: drawnApp, StartMs: table.Some(start), CommitMs: table.Some(start + took), Progress: ingest.Progress{
			At: ingest.At{Seq: 200 + batch}, QueryID: "q", RunID: "r", Batch: table.Some(batch), InputRows: table.Some(rows),
			DurationsMs: map[string]int64{"triggerExecution": took, "addBatch": took - 10},
		}}
	}
	// An idle trigger reports too; it is no batch.
	idle := progress(2, 201, 3, 0)
	delete(idle.DurationsMs, "addBatch")
	idle.Seq = 210
	kept := func(batch, rows, bytes, load int64) ingest.StateRow {
		return ingest.StateRow{App: drawnApp, Query: "q", Batch: table.Some(batch), Seq: 200 + batch, StateOperator: ingest.StateOperator{
			RowsTotal: table.Some(rows), MemoryBytes: table.Some(2 * bytes), ShufflePartitions: table.Some(int64(2)),
			Custom: map[string]int64{"stateOnCurrentVersionSizeBytes": bytes, "rocksdbLoadLatencyMs": load},
		}}
	}
	job := func(id, batch, submit int64) ingest.JobRow {
		return ingest.JobRow{App: drawnApp, Job: id, SubmitMs: table.Some(submit), P: ingest.JobProperties{QueryID: "q", Group: "r", Batch: table.Some(batch)}}
	}
	stage := func(id, job int64) ingest.StageRow {
		return ingest.StageRow{App: drawnApp, Info: ingest.StageInfo{Stage: id}, Job: table.Some(job)}
	}
	err = firstError(
		run.write(db),
		write(ingest.Queries, db, append([]ingest.QueryRow{{App: drawnApp, Query: "q", Run: "r", Name: table.Some("count"), StartMs: table.Some(int64(0))}}, more...)),
		write(ingest.Progresses, db, []ingest.ProgressRow{progress(0, 0, 100, 5), progress(1, 110, 90, 7), idle}),
		write(ingest.States, db, []ingest.StateRow{kept(0, 3, 1000, 0), kept(1, 4, 3000, 12)}),
		write(ingest.Jobs, db, []ingest.JobRow{job(0, 0, 5), job(1, 1, 115), job(2, 2, 215)}),
		write(ingest.Stages, db, []ingest.StageRow{stage(0, 0), stage(1, 0), stage(2, 1), stage(3, 1), stage(4, 2)}),
		write(lineage.StatePartitions, db, []lineage.StatePartitionRow{
			state(2, 0, 1, 0, 80, "a"), state(3, 0, 1, 1, 90, "b"), state(6, 1, 3, 0, 180, "a"), state(7, 1, 3, 1, 195, "a"),
		}),
	)
	if err != nil {
		t.Fatal(err)
	}
	w, err := replay.OpenWorld(context.Background(), db, drawnApp)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestStream compares with figures computed by hand:
//
//	batch 0, m1: output s.0 (20 ms) is owed, and task 2 runs from 50 to 80: 50 ms just before 80. No state stands there yet.
//	batch 0, m2: s.1 (30 ms) and task 3, from 50 to 90: 70 ms.
//	batch 1, m1: r.0 (20 ms) and task 6, from 155 to 180: 45 ms. Partition 0 stands there: half of the 1000 bytes that batch 0 told.
//	batch 1, m2: task 5, from 120 to 150: 30 ms. Partition 1 stands there until a keeps it at 195.
//	batch 2, m1: nothing runs. Both partitions stand there: the 3000 bytes of batch 1.
//	batch 2, m2: task 8 has run for 80 ms at the log's end. No state stands there.
//
// Batch 1 loaded one partition in 12 ms. No loss reaches back beyond its batch.
func TestStream(t *testing.T) {
	w := openCounting(t)
	s, err := replay.Stream(context.Background(), w, replay.Units{Kind: "machine"})
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		batch                                     int64
		unit                                      string
		at, until, sup, inFlight, owed, parts, sz int64
	}{
		{0, "m1", 50, 80, 50, 0, 20, 0, 0},
		{0, "m2", 50, 90, 70, 0, 30, 0, 0},
		{1, "m1", 155, 180, 45, 0, 20, 1, 500},
		{1, "m2", 120, 150, 30, 0, 0, 1, 500},
		{2, "m1", 215, 300, 0, 0, 0, 2, 3000},
		{2, "m2", 220, 300, 80, 0, 0, 0, 0},
	}
	if len(s.Losses) != len(want) {
		t.Fatalf("%d losses: %+v", len(s.Losses), s.Losses)
	}
	for i, x := range want {
		l := s.Losses[i]
		if l.Batch != x.batch || l.Unit != x.unit || l.InstantMs != x.at || l.UntilMs != x.until || l.SupremumMs != x.sup || l.InFlightMs != x.inFlight ||
			l.OwedMs != x.owed || l.StatePartitions != x.parts || l.StateBytes != table.Some(x.sz) || l.StateLoadMs != table.Some(12*x.parts) {
			t.Errorf("got  %+v\nwant %+v", l, x)
		}
		if l.OldestLostAgeMs.OK && l.InstantMs-l.OldestLostAgeMs.V < s.Batches[x.batch].StartMs {
			t.Errorf("batch %d, %s: something made before the batch is lost with it", l.Batch, l.Unit)
		}
	}
	checkBatches(t, s.Batches)
	checkQuery(t, s.Queries)
}

func checkBatches(t *testing.T, got []result.StreamBatch) {
	t.Helper()
	want := []struct {
		start, until, restartMs, moved, placed int64
		commit, rows                           table.I64
	}{
		{0, 110, 100, 0, 2, table.Some[int64](100), table.Some[int64](5)},
		{110, 215, 90, 1, 2, table.Some[int64](200), table.Some[int64](7)},
		{215, 300, 85, 0, 0, table.I64{}, table.I64{}},
	}
	if len(got) != len(want) {
		t.Fatalf("%d batches: %+v", len(got), got)
	}
	for i, x := range want {
		b := got[i]
		if b.Batch != int64(i) || b.QueryRun != "r" || b.StartMs != x.start || b.UntilMs != x.until || b.CommitMs != x.commit || b.RestartMs != x.restartMs ||
			b.RestartRows != x.rows || b.MovedPartitions != x.moved || b.PlacedPartitions != x.placed {
			t.Errorf("got  %+v\nwant %+v", b, x)
		}
	}
}

// Of one batch after the first: 7 rows arrived within the 110 ms since the start of batch 0 and were worked off in 90 ms; at a random moment
// of the 105 ms until batch 2, 90 * 90 / (2 * 105) = 38.6 ms of a batch are left. The first batch took 10 ms longer.
func checkQuery(t *testing.T, got []result.StreamQuery) {
	t.Helper()
	if len(got) != 1 {
		t.Fatalf("%+v", got)
	}
	q := got[0]
	if q.Batches != 3 || q.CommittedBatches != 2 || !q.IsStateful || q.Operators != 1 || q.PlacedPartitions != 2 || q.StateWorkers != 1 || q.BytesFrom.V != "version" {
		t.Errorf("%+v", q)
	}
	for name, x := range map[string]struct{ got, want table.I64 }{
		"rows":        {q.InputRows, table.Some[int64](12)},
		"state rows":  {q.StateRows, table.Some[int64](4)},
		"state bytes": {q.StateBytes, table.Some[int64](3000)},
		"partitions":  {q.Partitions, table.Some[int64](2)},
		"batch":       {q.BatchMs, table.Some[int64](90)},
		"quiesce":     {q.QuiesceMs, table.Some[int64](39)},
		"start-up":    {q.StartupMs, table.Some[int64](10)},
	} {
		if x.got != x.want {
			t.Errorf("%s: %v, want %v", name, x.got, x.want)
		}
	}
	for name, x := range map[string]struct{ got, want float64 }{
		"input rate":   {q.InputRowsPerS.V, 7000.0 / 110},
		"working rate": {q.ProcessedRowsPerS.V, 7000.0 / 90},
		"loading":      {q.PartitionLoadMs.V, 12},
	} {
		if math.Abs(x.got-x.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, x.got, x.want)
		}
	}
}

// State stands where it is told to at each instant, and the loss of slot time beside it is that of Blast.
func TestStreamAt(t *testing.T) {
	w := openCounting(t)
	for at, want := range map[int64][2]int64{79: {0, 0}, 80: {1, 0}, 90: {1, 1}, 194: {1, 1}, 195: {2, 0}, 299: {2, 0}} {
		lost, state, err := replay.StreamAt(context.Background(), w, replay.BlastOptions{UnitKind: "machine", At: &at})
		if err != nil {
			t.Fatal(err)
		}
		if len(lost) != 2 {
			t.Errorf("at %d: %+v", at, lost)
		}
		got := [2]int64{}
		for _, s := range state {
			got[map[string]int{"m1": 0, "m2": 1}[s.Unit]] = s.StatePartitions
		}
		if got != want {
			t.Errorf("at %d: %v, want %v", at, got, want)
		}
	}
}

// A query that is started again while the log goes on: state of the run before stands nowhere any more, even where nothing tells its end.
func TestStreamStartedAgain(t *testing.T) {
	w := openCounting(t, ingest.QueryRow{App: drawnApp, Query: "q", Run: "again", Seq: 1, StartMs: table.Some(int64(250))})
	for at, want := range map[int64]int{249: 1, 250: 0} {
		_, state, err := replay.StreamAt(context.Background(), w, replay.BlastOptions{UnitKind: "machine", At: &at})
		if err != nil {
			t.Fatal(err)
		}
		if len(state) != want {
			t.Errorf("at %d: %+v", at, state)
		}
	}
}

// A finite job has no streaming query.
func TestStreamOfFiniteJob(t *testing.T) {
	w := openDrawn(t, counting)
	s, err := replay.Stream(context.Background(), w, replay.Units{})
	if err != nil || len(s.Queries)+len(s.Batches)+len(s.Losses) != 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

// What a loss at a random moment of batches 1 and 2 redoes, by hand: of m1 20 * 20 / 2 in task 4, 20 * 55 owed, 25 * 25 / 2 and 15 * 15 / 2 in tasks 6 and 7; of m2
// 30 * 30 / 2 in task 5, 30 * 45 owed, 80 * 80 / 2 in task 8: 6725 slot ms * ms over 2 * (105 + 85) ms.
func TestStreamUsual(t *testing.T) {
	queries, usual, err := replay.StreamUsual(context.Background(), openCounting(t), replay.Units{Kind: "machine"})
	if err != nil {
		t.Fatal(err)
	}
	if len(queries) != 1 || len(usual) != 1 {
		t.Fatalf("%d queries, %+v", len(queries), usual)
	}
	u := usual[0]
	if u.UnitKind != "machine" || u.Units != 2 || u.Batches != 1 || u.Store != "deltas" || u.SnapshotBatches != 10 || u.UpdatedShare.OK {
		t.Errorf("%+v", u)
	}
	for name, x := range map[string]struct{ got, want float64 }{
		"to redo":    {u.MeanRecomputeMs.V, 6725.0 / 380},
		"cycle":      {u.CycleMs.V, 105},
		"jobs":       {u.AddMs.V, 80},
		"partitions": {u.MeanPartitions, 1},
	} {
		if math.Abs(x.got-x.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, x.got, x.want)
		}
	}
}

// The loss of a unit at an instant has its state beside it, as StreamAt has it.
func TestBlastHasState(t *testing.T) {
	w := openCounting(t)
	for at, want := range map[int64]map[string]int64{79: {"m1": 0, "m2": 0}, 150: {"m1": 1, "m2": 1}, 250: {"m1": 2, "m2": 0}} {
		lost, err := replay.Blast(context.Background(), w, replay.BlastOptions{UnitKind: "machine", At: &at})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range lost {
			if n := want[l.Unit]; l.StatePartitions != n || l.StateLoadMs != table.Some(12*n) {
				t.Errorf("%s at %d: %d partitions, %v ms to load; want %d", l.Unit, at, l.StatePartitions, l.StateLoadMs, n)
			}
		}
	}
}
