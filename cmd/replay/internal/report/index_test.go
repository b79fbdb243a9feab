package report_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tracereplay/analysis"
	"tracereplay/cmd/replay/internal/report"
	"tracereplay/internal/reporttest"
)

// The index of three applications, one of them hostile and one without report.
func TestIndex(t *testing.T) {
	entries := []report.Entry{
		{Dir: report.AppDir(1, "app-1"), App: "app-1", Report: small()},
		{Dir: report.AppDir(2, `../../<script>"x`), App: `../../<script>"x`, Report: analysis.New(reporttest.HostileInputs())},
		{Dir: report.AppDir(3, "app-3"), App: "app-3", Err: errors.New("no <time> in it")},
	}
	if got, want := entries[1].Dir, "app-002--------script--x"; got != want {
		t.Errorf("directory %q, want %q", got, want)
	}
	dir := t.TempDir()
	if err := report.WriteIndex(dir, entries); err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	page := read("report.html")
	for _, want := range []string{`href="app-001-app-1/report.html"`, "no &lt;time&gt; in it", "&lt;script&gt;document"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(page, "<script") || strings.Contains(page, "<img") || len(page) > 100_000 {
		t.Errorf("a hostile name got through (%d bytes)", len(page))
	}
	if text := read("report.md"); !strings.Contains(text, "## [nightly sum](app-001-app-1/report.md)") || strings.Contains(text, "<script") {
		t.Error(text)
	}
	var all struct{ Apps []map[string]any }
	if err := json.Unmarshal([]byte(read("summary.json")), &all); err != nil || len(all.Apps) != 3 || all.Apps[2]["error"] == nil {
		t.Errorf("%v %v", all.Apps, err)
	}
}
