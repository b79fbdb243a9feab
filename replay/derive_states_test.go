package replay_test

import (
	_ "embed"
	"errors"
	"path/filepath"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"tracereplay/internal/duck"
	"tracereplay/replay"
	"tracereplay/replay/result"
)

// TestWorkerStates compares the states of workers with those that follow from
// the start sets of all losses, of runs that are made up and of real ones.
func TestWorkerStates(t *testing.T) {
	t.Run("random", func(t *testing.T) {
		seeds := uint64(150)
		if testing.Short() {
			seeds = 40
		}
		specs := worldSpecs()
		specs[result.WorkerStates.Name] = &result.WorkerStates.Spec
		db := openEmpty(t, specs)
		for seed := range seeds {
			for name := range specs {
				if err := db.Exec(t.Context(), "DELETE FROM "+duck.Quote(name)); err != nil {
					t.Fatal(err)
				}
			}
			if err := randomRun(seed).write(db); err != nil {
				t.Fatal(err)
			}
			if d := statesAgree(t, db, drawnApp); d != "" {
				t.Fatalf("seed %d: -states +losses\n%s", seed, d)
			}
		}
	})
	logs, err := filepath.Glob("../sampletraces/*-*.zstd")
	if err != nil || len(logs) < 15 {
		t.Fatalf("%d sample traces, %v", len(logs), err)
	}
	for _, log := range logs {
		t.Run(filepath.Base(log), func(t *testing.T) {
			specs := lawSpecs()
			specs[result.WorkerStates.Name] = &result.WorkerStates.Spec
			db := openEmpty(t, specs)
			if d := statesAgree(t, db, readLog(t, db, log)); d != "" {
				t.Fatalf("-states +losses\n%s", d)
			}
		})
	}
}

//go:embed testdata/worker_state.sql
var lossStates string

func statesAgree(t *testing.T, db *duck.DB, app string) string {
	t.Helper()
	ctx := t.Context()
	w, err := replay.OpenWorld(ctx, db, app)
	if err != nil {
		t.Fatal(err)
	}
	if err := replay.StartSet(ctx, w, "worker"); err != nil {
		t.Fatal(err)
	}
	want, err1 := duck.Query[result.WorkerState](ctx, db, lossStates)
	err2 := replay.WriteWorkerStates(ctx, db, app)
	got, err3 := duck.Query[result.WorkerState](ctx, db, "SELECT app, worker, from_ms, to_ms, state FROM worker_state")
	if err := errors.Join(err1, err2, err3, w.Close()); err != nil {
		t.Fatal(err)
	}
	if len(got) == 0 {
		t.Fatal("no states at all")
	}
	return gocmp.Diff(got, want)
}
