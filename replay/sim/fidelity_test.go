package sim

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFidelity replays every log of the corpus and the lab without changes and
// prints simulated against recorded makespan: the table of docs/simulator.md.
// Logs whose data are not complete by the rule of Complete are listed and not
// counted. The share of the coordinator's gaps is what was copied and not
// simulated. Limits are those that the project has set itself; the lab's runs
// differ from box to box, and the sample traces are short ones of a busy box:
// these are only printed.
func TestFidelity(t *testing.T) {
	corpus := replayAll(t, corpusLogs(t))
	if n := len(corpus); n > 0 {
		median, most := corpus[n/2], corpus[n-1]
		t.Logf("corpus: n=%d median %.2f%% max %.2f%%", n, 100*median, 100*most)
		if median > 0.015 || most > 0.05 {
			t.Errorf("median error %.2f%%, max %.2f%%: at most 1.5 and 5 are allowed", 100*median, 100*most)
		}
	}
	samples := replayAll(t, sampleLogs(t))
	t.Logf("sample traces: n=%d median %.2f%% max %.2f%%", len(samples), 100*samples[len(samples)/2], 100*samples[len(samples)-1])
	if lab := replayAll(t, labLogs(t)); len(lab) > 0 {
		n := len(lab)
		t.Logf("lab: n=%d median %.2f%% p90 %.2f%% max %.2f%%", n, 100*lab[n/2], 100*lab[n*9/10], 100*lab[n-1])
	}
}

// replayAll replays logs and returns the errors of the complete ones, ascending.
func replayAll(t *testing.T, logs []string) []float64 {
	var errs []float64
	for _, path := range logs {
		for _, log := range logsOf(readTables(t, path)) {
			name := filepath.Base(path)
			if dir := filepath.Base(filepath.Dir(path)); strings.Contains(name, "app-") {
				name = dir
			}
			gaps := Complete(log)
			run, err := Build(log)
			if err != nil {
				t.Logf("%-45s %v", name, err)
				continue
			}
			f := Fidelity(run)
			note := ""
			if len(gaps) > 0 {
				note = fmt.Sprint(gaps)
			} else {
				errs = append(errs, math.Abs(f.Error))
			}
			t.Logf("%-40s recorded %8d simulated %8d %+7.2f%% (%d-%d, %d placements) gaps %2.0f%% tasks %5d removals %2d again %3d %s %s", name, run.RecordedMs, f.MakespanMs,
				100*f.Error, f.LowMs, f.HighMs, f.Placements, 100*f.GapShare, len(run.DurMs), len(run.Removals), f.RerunTasks, f.Outcome, note)
		}
	}
	slices.Sort(errs)
	return errs
}

// sampleLogs are the bundled logs: small runs of the lab.
func sampleLogs(t *testing.T) []string {
	all, err := filepath.Glob("../../sampletraces/*-*")
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(p string) bool { return filepath.Ext(p) == ".json" })
}

func corpusLogs(t *testing.T) []string {
	dir := os.Getenv("TRACEREPLAY_CORPUS")
	if dir == "" {
		dir = "../../../shared/corpus"
	}
	var out []string
	for _, sub := range []string{"spark", "lab", "streaming"} {
		if _, err := os.Stat(filepath.Join(dir, sub)); err == nil {
			out = append(out, paths(t, filepath.Join(dir, sub))...)
		}
	}
	return out
}

func labLogs(t *testing.T) []string {
	dir := os.Getenv("TRACEREPLAY_LABRUNS")
	if dir == "" {
		dir = "../../../labruns/runs"
	}
	out, _ := filepath.Glob(filepath.Join(dir, "*", "*app-*"))
	return slices.DeleteFunc(out, func(p string) bool {
		_, err := os.Stat(filepath.Join(filepath.Dir(p), "truth.json"))
		return err != nil
	})
}
