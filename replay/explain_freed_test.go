package replay_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"tracereplay/ingest"
	"tracereplay/internal/duck"
	"tracereplay/internal/table"
	"tracereplay/lineage"
	"tracereplay/replay"
)

// freedRow is a row of explain.freed; Way tells how it was found.
type freedRow struct {
	Way       string    `col:"way"`
	Removal   int64     `col:"removal"`
	Worker    string    `col:"worker"`
	BackMs    table.I64 `col:"back_ms"`
	SavedMs   table.I64 `col:"saved_ms"`
	StartUpMs table.I64 `col:"start_up_ms"`
}

// freedBoth finds what the releases of some workers saved, by the plain rule and
// as explanations have it. A worker with a reason was released, one with none but
// a time was lost. There is one job, and it ends at lastMs.
func freedBoth(t *testing.T, db *duck.DB, app string, workers []ingest.WorkerRow, lastMs table.I64) (plain, freed []freedRow) {
	t.Helper()
	ctx := context.Background()
	var removals []lineage.RemovalRow
	var taken []lineage.RemovalWorkerRow
	for i := range workers {
		w := &workers[i]
		w.App = app
		if !w.RemovedSeq.OK {
			continue
		}
		r := lineage.RemovalRow{App: app, Removal: int64(len(removals)), Kind: "exit", UnitKind: "worker", Unit: w.Worker, Workers: 1, Cause: "unknown"}
		if w.Reason.OK {
			r.Kind = "release"
		}
		removals = append(removals, r)
		taken = append(taken, lineage.RemovalWorkerRow{App: app, Removal: r.Removal, Worker: w.Worker})
	}
	err := firstError(
		write(ingest.Apps, db, []ingest.AppRow{{App: app, Engine: "spark"}}), write(ingest.Workers, db, workers),
		write(ingest.Jobs, db, []ingest.JobRow{{App: app, EndMs: lastMs}}),
		write(lineage.Removals, db, removals), write(lineage.RemovalWorkers, db, taken),
	)
	if err != nil {
		t.Fatal(err)
	}
	compare, err := os.ReadFile("testdata/freed_plain.sql")
	if err != nil {
		t.Fatal(err)
	}
	err = replay.WithFreed(ctx, db, app, func() error {
		rows, err := duck.Query[freedRow](ctx, db, string(compare), app)
		for _, r := range rows {
			to := &freed
			if r.Way == "plain" {
				to = &plain
			}
			r.Way = ""
			*to = append(*to, r)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return plain, freed
}

// came is a worker that came in a line, at ten times its number.
func came(name string, seq, slots int64) ingest.WorkerRow {
	return ingest.WorkerRow{Worker: name, Slots: table.Some(slots), AddedSeq: table.Some(seq), AddedMs: table.Some(10 * seq), RequestMs: table.Some(10*seq - 3)}
}

// went is that it went in a line, by choice or not.
func went(w ingest.WorkerRow, seq int64, isRelease bool) ingest.WorkerRow {
	w.RemovedSeq, w.RemovedMs = table.Some(seq), table.Some(10*seq)
	if isRelease {
		w.Reason = table.Some("not needed")
	}
	return w
}

// TestFreed: a (4 slots) and b (2) are there. b goes in line 3 (6 before), a in 4
// (4 before), both by choice; c (2) comes in 5 and d (2) in 6, which gives a's four
// back; e (1) in 7 and f (3) in 9 give b's six back (8 live). f is lost in 10,
// which is no release; g (1) goes in 11 (5 before) and nothing comes until the job
// ends at 200. h was launched and never came up: nothing is known to have gone.
func TestFreed(t *testing.T) {
	workers := []ingest.WorkerRow{
		went(came("a", 1, 4), 4, true), went(came("b", 2, 2), 3, true), came("c", 5, 2), came("d", 6, 2), went(came("e", 7, 1), 11, true),
		went(came("f", 9, 3), 10, false), went(ingest.WorkerRow{Worker: "h", Slots: table.Some(int64(4))}, 8, true),
	}
	plain, freed := freedBoth(t, openTrace(t), drawnApp, workers, table.Some(int64(200)))
	want := []freedRow{
		{Removal: 0, Worker: "a", BackMs: table.Some(int64(60)), SavedMs: table.Some(int64(4 * 20)), StartUpMs: table.Some(int64(3))},
		{Removal: 1, Worker: "b", BackMs: table.Some(int64(90)), SavedMs: table.Some(int64(2 * 60)), StartUpMs: table.Some(int64(3))},
		{Removal: 2, Worker: "e", SavedMs: table.Some(int64(90))},
	}
	if d := gocmp.Diff(want, freed); d != "" {
		t.Error(d)
	}
	if d := gocmp.Diff(want, plain); d != "" {
		t.Errorf("plain: %s", d)
	}
}

// TestFreedRandom compares with the plain rule: workers of some slots that come
// and go in any order, often in one line.
func TestFreedRandom(t *testing.T) {
	db := openTrace(t)
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 7))
		lines := 2 + r.Int64N(30)
		var workers []ingest.WorkerRow
		for i := range r.IntN(16) {
			w := came(fmt.Sprint("w", i), r.Int64N(lines), 1+r.Int64N(4))
			if r.IntN(8) == 0 {
				w.Slots = table.I64{}
			}
			if r.IntN(8) == 0 {
				w.RequestMs = table.I64{}
			}
			if r.IntN(9) == 0 {
				w.AddedSeq, w.AddedMs = table.I64{}, table.I64{}
			}
			if r.IntN(12) == 0 {
				w.IsCoordinator = true
			}
			if r.IntN(4) > 0 {
				w = went(w, r.Int64N(lines), r.IntN(4) > 0)
			}
			workers = append(workers, w)
		}
		last := table.I64{}
		if r.IntN(6) > 0 {
			last = table.Some(r.Int64N(10 * lines))
		}
		plain, freed := freedBoth(t, db, fmt.Sprint("app", seed), workers, last)
		if d := gocmp.Diff(plain, freed); d != "" {
			t.Fatalf("seed %d: %s\nworkers %+v", seed, d, workers)
		}
	}
}
