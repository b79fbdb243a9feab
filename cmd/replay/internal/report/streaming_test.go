package report_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tracereplay/analysis"
	"tracereplay/analysis/streaming"
	"tracereplay/cmd/replay/internal/report"
	"tracereplay/internal/reporttest"
	"tracereplay/internal/table"
	"tracereplay/replay/result"
)

// streamed is the small run as one of a streaming query with a hostile name.
func streamed() *analysis.Report {
	in := reporttest.Inputs(reporttest.Small())
	in.App.IsStreaming = true
	in.Streaming = &streaming.Inputs{
		Clock: in.Clock,
		Queries: []result.StreamQuery{{
			Query: "q", Name: table.Some("<b>**{app}**</b>"), IsStateful: true, Batches: 1, CommittedBatches: 1, PlacedPartitions: 4, StateWorkers: 2,
			StateRows: table.Some[int64](10), StateBytes: table.Some[int64](5000), BatchMs: table.Some[int64](900), QuiesceMs: table.Some[int64](400),
		}},
		Batches: []result.StreamBatch{{Query: "q", Batch: 1234, StartMs: in.App.FromMs, RestartRows: table.Some[int64](77), RestartMs: 900}},
		Losses:  []result.StreamLoss{{Query: "q", Batch: 1234, UnitKind: "machine", Unit: "m1", InstantMs: in.App.FromMs, SupremumMs: 4000, StatePartitions: 2}},
	}
	return analysis.New(in)
}

// The page of a streaming log begins with what its batches and state cost, and
// has no sentence and no figure that only a finite job has.
func TestStreamingPage(t *testing.T) {
	r := streamed()
	html, md, json := page(t, r), markdown(t, r), summary(t, r)
	for _, want := range []string{`id="streaming"`, "Losing a machine costs work of the running batch alone", "read again", "plots/width.svg", "1234"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, no := range []string{`id="progress"`, "The worst moment to lose", "<b>**"} {
		if strings.Contains(html, no) {
			t.Errorf("the page has %q", no)
		}
	}
	if strings.Index(html, `id="streaming"`) > strings.Index(html, `id="heatmap"`) {
		t.Error("the section of streaming is not the first")
	}
	if strings.Contains(md, "<b>") || !strings.Contains(md, "## Batches, and the state between them") {
		t.Errorf("markdown: %s", md)
	}
	if !strings.Contains(json, `"stream_1_restart_rows": 77`) || !strings.Contains(json, `"stream_1_batch_rows"`) {
		t.Errorf("summary: %s", json)
	}
}

// Files: a finite job has no picture of width, a streaming one none of progress.
func TestStreamingPlots(t *testing.T) {
	for name, c := range map[string]struct {
		r        *analysis.Report
		has, not string
	}{"streaming": {streamed(), "width", "progress"}, "finite": {small(), "progress", "width"}} {
		dir := t.TempDir()
		if err := report.Write(dir, c.r); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, "plots", c.has+".svg")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "plots", c.not+".svg")); err == nil {
			t.Errorf("%s has a picture %s", name, c.not)
		}
	}
}
