package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Logs of two applications: a page each, and an index. --app picks one.
func TestReportApps(t *testing.T) {
	const first, second = "../../sampletraces/linear-withdrawal.zstd", "../../sampletraces/linear-twin.zstd"
	dir := filepath.Join(t.TempDir(), "report")
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"report", first, second, "--policy", "none", "-o", dir}, strings.NewReader(""), &out, &errs); code != exitDone {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	text, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Apps []struct{ App, Directory, Verdict string }
	}
	if err := json.Unmarshal(text, &all); err != nil || len(all.Apps) != 2 {
		t.Fatalf("%v: %s", err, text)
	}
	verdicts := map[string]bool{}
	for _, a := range all.Apps {
		verdicts[a.Verdict] = true
		if _, err := os.Stat(filepath.Join(dir, a.Directory, "report.html")); err != nil {
			t.Error(err)
		}
		if !strings.Contains(out.String(), a.App+": ") {
			t.Errorf("no paragraph of %s:\n%s", a.App, out.String())
		}
	}
	if !verdicts["loss"] || !verdicts["exposed"] {
		t.Errorf("verdicts %v", verdicts)
	}
	one := filepath.Join(t.TempDir(), "one")
	out.Reset()
	args := []string{"report", filepath.Join(dir, "trace.duckdb"), "--app", all.Apps[0].App, "--policy", "none", "-o", one}
	if code := run(t.Context(), args, strings.NewReader(""), &out, &errs); code != exitDone {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	if _, err := os.Stat(filepath.Join(one, "plots", "heatmap.svg")); err != nil {
		t.Error(err)
	}
	args[3], args[len(args)-1] = "nobody", filepath.Join(t.TempDir(), "none")
	if code := run(t.Context(), args, strings.NewReader(""), &out, &errs); code != exitFailed {
		t.Errorf("exit code %d for an application that is not there", code)
	}
}
