package sim

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"tracereplay/internal/sparkgen"
)

// generated makes up a log and builds its run.
func generated(t *testing.T, seed int64, opt sparkgen.Options) (*Log, *Run) {
	t.Helper()
	text, _ := sparkgen.Generate(seed, opt)
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	logs := logsOf(readTables(t, path))
	run, err := Build(logs[0])
	if err != nil {
		t.Skipf("seed %d: %v", seed, err)
	}
	return logs[0], run
}

// Runs that another simulator made up, by the same engine's rules and without
// knowing this one, replay to the length that they had: those without losses
// nearly exactly, of those with losses the one in the middle (they last some
// seconds, so chance weighs much, and its failed fetches do not wait).
func TestGeneratedRuns(t *testing.T) {
	for _, c := range []struct {
		name        string
		opt         sparkgen.Options
		seeds       int64
		median, p90 float64
	}{
		{"undisturbed", sparkgen.Options{Losses: sparkgen.Off, Cut: sparkgen.Off, TaskFailures: sparkgen.Off, Speculation: sparkgen.Off}, 60, 0.001, 0.01},
		{"with losses", sparkgen.Options{Losses: sparkgen.On, Cut: sparkgen.Off, TaskFailures: sparkgen.Off, Speculation: sparkgen.Off}, 200, 0.05, 1},
	} {
		var errs []float64
		for seed := range c.seeds {
			log, run := generated(t, seed, c.opt)
			if gaps := Complete(log); len(gaps) > 0 {
				continue
			}
			f := Fidelity(run)
			if os.Getenv("VERBOSE") != "" {
				t.Logf("%s seed %d: recorded %d simulated %d (%d-%d) %+.1f%% %s removals %d", c.name, seed, run.RecordedMs, f.MakespanMs, f.LowMs, f.HighMs, 100*f.Error, f.Outcome, len(run.Removals))
			}
			errs = append(errs, math.Abs(f.Error))
		}
		slices.Sort(errs)
		n := len(errs)
		if n < 10 {
			t.Fatalf("%s: only %d complete logs", c.name, n)
		}
		t.Logf("%s: n=%d median %.2f%% p90 %.2f%% max %.2f%%", c.name, n, 100*errs[n/2], 100*errs[n*9/10], 100*errs[n-1])
		if errs[n/2] > c.median || errs[n*9/10] > c.p90 {
			t.Errorf("%s: median %.2f%%, p90 %.2f%%", c.name, 100*errs[n/2], 100*errs[n*9/10])
		}
	}
}
