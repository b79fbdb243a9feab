package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The same logs give the same tables, row for row, however many cores read
// them and in whatever order they were named.
func TestSameTables(t *testing.T) {
	dir := t.TempDir()
	a, err := filepath.Abs("../../sampletraces/linear-withdrawal.zstd")
	if err != nil {
		t.Fatal(err)
	}
	b, err := filepath.Abs("../../sampletraces/diamond-withdrawal.zstd")
	if err != nil {
		t.Fatal(err)
	}
	want := filepath.Join(dir, "want")
	exportTables(t, want, a, b, "--jobs", "1")
	for name, args := range map[string][]string{
		"again":       {a, b, "--jobs", "1"},
		"other-order": {b, a},
		"four-jobs":   {a, b, "--jobs", "4"},
		"full-parse":  {a, b, "--full-parse"},
	} {
		got := filepath.Join(dir, name)
		exportTables(t, got, args...)
		sameFiles(t, want, got)
	}
}

func exportTables(t *testing.T, dir string, args ...string) {
	t.Helper()
	var errs bytes.Buffer
	args = append([]string{"ingest", "--tables", dir, "--tables-format", "csv"}, args...)
	if code := run(t.Context(), args, nil, &errs, &errs); code != exitDone {
		t.Fatalf("replay %v: exit code %d, %s", args, code, errs.String())
	}
}

// sameFiles compares all files but meta.csv, which has the command line.
func sameFiles(t *testing.T, want, got string) {
	t.Helper()
	entries, err := os.ReadDir(want)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == "meta.csv" {
			continue
		}
		w, err := os.ReadFile(filepath.Join(want, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		g, err := os.ReadFile(filepath.Join(got, e.Name()))
		if err != nil || !bytes.Equal(w, g) {
			t.Errorf("%s differs in %s (%v)", e.Name(), got, err)
		}
	}
}
