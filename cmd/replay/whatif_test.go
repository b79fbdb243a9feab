package main

import (
	"context"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The tutorial of docs/write-a-policy.md works as it stands there.
func TestWriteAPolicy(t *testing.T) {
	doc, err := os.ReadFile("../../docs/write-a-policy.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(doc), "```sql\n")
	text, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("the document has no policy")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "safe.sql")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	sample, err := filepath.Abs("../../sampletraces/linear-withdrawal.zstd")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"whatif", sample, "--policy", file, "--policy", file + "=500ms", "--policy", file + "=1h", "--unit-kind", "machine", "--format", "csv"}
	var out, errs strings.Builder
	if code := run(context.Background(), args, nil, &out, &errs); code != exitDone {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	for _, want := range []string{",safe-dear,any,false,machine,true,", ",safe-dear=500ms,any,", ",safe-dear=1h,any,false,machine,false,"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no row %s in\n%s", want, out.String())
		}
	}
}

// A directory of logs gives one row a policy over all of them, and a row an
// application: the mean over all is that of the lives together.
func TestWhatIfAcrossRuns(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"linear-withdrawal.zstd", "linear-twin.zstd"} {
		log, err := filepath.Abs("../../sampletraces/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(log, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"whatif", dir, "--policy", "replicate=2", "--policy", "undisturbed", "--unit-kind", "machine"}
	var out, errs strings.Builder
	if code := run(context.Background(), append(args, "--format", "csv"), nil, &out, &errs); code != exitDone {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	all, err := csv.NewReader(strings.NewReader(out.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	col := map[string]int{}
	for i, name := range all[0] {
		col[name] = i
	}
	number := func(row []string, name string) float64 {
		v, err := strconv.ParseFloat(row[col[name]], 64)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return v
	}
	for _, policy := range []string{"recorded", "replicate=2", "undisturbed"} {
		var total, sum, lives float64
		apps := 0
		for _, row := range all[1:] {
			if row[col["policy"]] != policy || row[col["question"]] != "any" {
				continue
			}
			if row[col["app"]] == "" {
				total = number(row, "mean_recompute_ms")
				continue
			}
			apps++
			if row[col["applies"]] == "true" {
				sum += number(row, "mean_recompute_ms") * number(row, "life_ms")
				lives += number(row, "life_ms")
			}
		}
		if apps != 2 || policy != "undisturbed" && math.Abs(sum/lives-total) > 1 {
			t.Errorf("%s: %d applications, mean %v over all, %v of them", policy, apps, total, sum/lives)
		}
	}
	out.Reset()
	if code := run(context.Background(), args, nil, &out, &errs); code != exitDone || !strings.Contains(out.String(), "over 2 applications") || !strings.Contains(out.String(), "\nBy application\n") {
		t.Errorf("exit code %d: %s%s", code, errs.String(), out.String())
	}
}
