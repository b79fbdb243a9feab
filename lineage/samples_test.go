package lineage_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tracereplay/internal/tabletest"
)

// truth is what the lab knows of a sample trace: what was done, and counts by
// a script that shares no code with the project.
type truth struct {
	File    string
	Actions []struct {
		Kind, Unit string
		UnitKind   string `json:"unit_kind"`
		Workers    []string
	}
	Expected struct {
		Executors, Jobs int
		TaskStarts      int            `json:"task_starts"`
		TaskEnds        int            `json:"task_ends"`
		ByReason        map[string]int `json:"task_ends_by_reason"`
		RerunPieces     int            `json:"rerun_pieces"`
		FirstMs         int64          `json:"first_ms"`
		AgainMs         int64          `json:"again_ms"`
	}
}

// TestSampleTraces: every bundled trace against what its maker knows of it.
func TestSampleTraces(t *testing.T) {
	files, err := filepath.Glob("../sampletraces/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no sample traces: %v", err)
	}
	for _, file := range files {
		want := readJSON[truth](t, file)
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			sink, _ := read(t, filepath.Join("../sampletraces", want.File))
			got := count(sink)
			for name, n := range map[string][2]int{
				"executors":  {got.workers - neverAdded(sink), want.Expected.Executors},
				"jobs":       {got.jobs, want.Expected.Jobs},
				"launches":   {got.tasks, want.Expected.TaskStarts},
				"task ends":  {got.ends, want.Expected.TaskEnds},
				"re-queued":  {got.resubmitted, want.Expected.ByReason["Resubmitted"]},
				"fetch fail": {got.fetch, want.Expected.ByReason["FetchFailed"]},
			} {
				if n[0] != n[1] {
					t.Errorf("%s: %d, want %d", name, n[0], n[1])
				}
			}
			pieces, first, again := rerunPieces(sink)
			if pieces != want.Expected.RerunPieces || first != want.Expected.FirstMs || again != want.Expected.AgainMs {
				t.Errorf("%d pieces ran again, %d ms first, %d ms again; want %d, %d, %d", pieces, first, again,
					want.Expected.RerunPieces, want.Expected.FirstMs, want.Expected.AgainMs)
			}
			for _, f := range sink["finding"] {
				t.Errorf("invariant %s: %s", f.Text("check_name"), f.Text("detail"))
			}
			sameRemovals(t, sink, want)
		})
	}
}

func neverAdded(s tabletest.Sink) (n int) {
	for _, w := range s["worker"] {
		if w["added_seq"] == nil {
			n++
		}
	}
	return n
}

// rerunPieces counts the pieces that succeeded more than once: the time of
// their first runs, and of all later successful ones.
func rerunPieces(s tabletest.Sink) (pieces int, firstMs, againMs int64) {
	type piece struct{ dataset, partition int64 }
	took := map[int64]int64{}
	for _, a := range s["attempt"] {
		took[a.Int("task")] = a.Int("end_ms") - a.Int("start_ms")
	}
	seen := map[piece]bool{}
	for _, r := range s["rerun"] {
		if r.Text("status") != "success" {
			continue
		}
		againMs += took[r.Int("task")]
		if p := (piece{r.Int("dataset"), r.Int("partition")}); !seen[p] {
			seen[p] = true
			firstMs += took[r.Int("first_task")]
		}
	}
	return len(seen), firstMs, againMs
}

// sameRemovals compares the removals with what was done to the run.
func sameRemovals(t *testing.T, s tabletest.Sink, want truth) {
	t.Helper()
	kinds := map[string]string{
		"exit": "exit", "withdrawal": "withdrawal", "silent": "withdrawal", "decommission": "release", "idle": "release",
	}
	var got, done []string
	for _, r := range s["removal"] {
		if r.Text("cause") == "idle" { // nobody did it: dynamic allocation gave an idle worker back
			continue
		}
		got = append(got, r.Text("kind")+" of "+r.Text("unit_kind")+" "+r.Text("unit"))
	}
	for _, a := range want.Actions {
		if kind := kinds[a.Kind]; kind != "" {
			done = append(done, kind+" of "+a.UnitKind+" "+a.Unit)
		}
	}
	slices.Sort(got)
	slices.Sort(done)
	if !slices.Equal(got, done) {
		t.Errorf("removals %v, done was %v", got, done)
	}
}
