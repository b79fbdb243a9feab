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
		specs := worldSpecs()
		specs[result.WorkerStates.Name] = &result.WorkerStates.Spec
		overRandomRuns(t, specs, 150, func(db *duck.DB) string { return statesAgree(t, db, drawnApp) })
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
				t.Fatal(d)
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
	if d := gocmp.Diff(got, want); d != "" {
		return "-states +losses\n" + d
	}
	return ""
}
