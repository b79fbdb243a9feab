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
// prints simulated against recorded makespan. Logs whose data are not complete
// by the rule of Complete are listed and not counted.
func TestFidelity(t *testing.T) {
	var errs []float64
	for _, path := range append(corpusLogs(t), labLogs(t)...) {
		for _, log := range logsOf(readTables(t, path)) {
			name := filepath.Base(path)
			if strings.HasPrefix(name, "app-") {
				name = filepath.Base(filepath.Dir(path))
			}
			gaps := Complete(log)
			run, err := Build(log)
			if err != nil {
				t.Logf("%-45s %v", name, err)
				continue
			}
			res := Fidelity(run)
			e := res.Error
			note := ""
			if len(gaps) > 0 {
				note = fmt.Sprint(gaps)
			} else {
				errs = append(errs, math.Abs(e))
			}
			t.Logf("%-45s %8d %8d %+7.2f%% %7d-%-7d %s rerun %d tasks %d stages %d jobs %d %s", name, run.RecordedMs, res.MakespanMs, 100*e, res.LowMs, res.HighMs, res.Outcome, res.RerunTasks, len(run.DurMs), len(run.Stages), len(run.Jobs), note)
		}
	}
	slices.Sort(errs)
	if len(errs) == 0 {
		t.Skip("no complete log")
	}
	t.Logf("n=%d median %.2f%% max %.2f%%", len(errs), 100*errs[len(errs)/2], 100*errs[len(errs)-1])
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
