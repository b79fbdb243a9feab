package main

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"testing"
)

// corpus is where the public logs are, or skips the test.
func corpus(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("TRACEREPLAY_CORPUS")
	if dir == "" {
		dir = "../../../shared/corpus"
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no corpus at %s: set TRACEREPLAY_CORPUS to the folder with the public logs", dir)
	}
	return dir
}

// csvOf runs a command line that prints csv and returns its rows by column.
func csvOf(t *testing.T, args ...string) []map[string]string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(t.Context(), append(args, "--format", "csv"), nil, &out, &errs); code != exitDone {
		t.Fatalf("replay %v: exit %d: %s", args, code, &errs)
	}
	all, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, r := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = r[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// TestRealKills: six runs of real Spark in which a worker or a machine was
// killed at a known instant. What the curve says of that unit at that instant
// is what the kill destroyed, and, on dense edges, what then ran again.
func TestRealKills(t *testing.T) {
	for _, c := range []struct {
		file, unit, at                                        string
		inFlight, lost, owed, climb, owedLow, climbLow, again string
		owedMs, climbMs                                       string
	}{
		{"cold-linear-exit-12", "worker:6", "1795972005841", "2", "13", "7", "6", "7", "6", "13", "6723", "12817"},
		{"dense16-linear-exit-12", "worker:4", "1795972778197", "2", "50", "9", "6", "9", "6", "15", "13973", "7289"},
		{"dense16-linear-withdraw-12", "machine:m3", "1795972845459", "0", "82", "25", "0", "25", "0", "25", "44691", "0"},
		{"dense16-diamond-withdraw-14", "machine:m2", "1795972972852", "4", "115", "25", "11", "25", "11", "36", "34291", "15412"},
		// Each reader needs one output: nothing ran again, and low says so.
		{"sparse-linear-exit-12", "worker:6", "1795972192999", "2", "70", "4", "11", "0", "0", "0", "4284", "14105"},
		{"sparse-reuse-withdraw-16", "machine:m3", "1795972494811", "1", "56", "10", "12", "10", "12", "22", "22748", "21341"},
	} {
		t.Run(c.file, func(t *testing.T) {
			log := filepath.Join(corpus(t), "lab", c.file+".zstd")
			trace := filepath.Join(t.TempDir(), "t.duckdb")
			if code := run(t.Context(), []string{"ingest", log, "-o", trace}, nil, os.Stdout, os.Stderr); code != exitDone {
				t.Fatalf("ingest: exit %d", code)
			}
			rows := csvOf(t, "blast", trace, "--unit", c.unit, "--at", c.at)
			if len(rows) != 1 {
				t.Fatalf("%d rows, want 1", len(rows))
			}
			want := map[string]string{
				"in_flight_tasks": c.inFlight, "lost_outputs": c.lost, "owed_outputs": c.owed, "climb_outputs": c.climb,
				"owed_low_outputs": c.owedLow, "climb_low_outputs": c.climbLow, "owed_ms": c.owedMs, "climb_ms": c.climbMs,
			}
			for name, v := range want {
				if rows[0][name] != v {
					t.Errorf("%s = %s, want %s", name, rows[0][name], v)
				}
			}
			removals := csvOf(t, "explain", trace)
			if len(removals) != 1 || removals[0]["pieces_again"] != c.again || removals[0]["lost_outputs"] != c.lost {
				t.Errorf("explain: %v; want 1 removal that took %s outputs, of which %s ran again", removals, c.lost, c.again)
			}
		})
	}
}
