package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A simulated run that is written as a trace goes the way of a real log: what
// lineage and explain find in it is what the simulator had done. Each
// sample stands for a kind of loss or of work.
func TestSimulatedTrace(t *testing.T) {
	for _, name := range []string{
		"linear-exit.zstd", "linear-repair-hit.zstd", "cached-withdrawal.zstd", "diamond-withdrawal.zstd", "service-withdrawal.zstd", "sql-withdrawal.zstd",
		"decommission-migrate.zstd",
	} {
		t.Run(strings.TrimSuffix(name, ".zstd"), func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "simulated.duckdb")
			replay := func(args ...string) string {
				t.Helper()
				var stdout, stderr bytes.Buffer
				if code := run(context.Background(), args, nil, &stdout, &stderr); code != exitDone {
					t.Fatalf("replay %s: exit code %d\n%s", strings.Join(args, " "), code, stderr.String())
				}
				return stdout.String() + stderr.String()
			}
			replay("simulate", filepath.Join("../../sampletraces", name), "-o", out)
			if checks := replay("check", out); !strings.Contains(checks, "invariants, 0 of them violated") {
				t.Error(checks)
			}
			number := func(query string) int64 {
				t.Helper()
				lines := strings.Fields(replay("sql", out, query, "--format", "csv"))
				n, err := strconv.ParseInt(lines[1], 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				return n
			}
			// Pieces of shuffles that ran again, as the simulator counts and as lineage
			// finds them; results that ran twice are no outputs.
			simulated := number("SELECT count(*) AS n FROM simulated_rerun WHERE why IN ('owed', 'climb', 'duplicate') AND status = 'success' AND shuffle IS NOT NULL")
			found := number("SELECT count(*) AS n FROM rerun WHERE status = 'success'")
			if simulated != found {
				t.Errorf("%d pieces ran again, lineage finds %d", simulated, found)
			}
			if makespan, told := number("SELECT makespan_ms AS n FROM simulated_run"), number("SELECT max(end_ms) - min(submit_ms) AS n FROM job"); makespan != told {
				t.Errorf("makespan %d, in the trace %d", makespan, told)
			}
		})
	}
}
