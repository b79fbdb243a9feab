package gather_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tracereplay/analysis"
	"tracereplay/cmd/replay/internal/report"
	"tracereplay/cmd/replay/internal/report/gather"
	"tracereplay/internal/sparkgen"
	"tracereplay/replay"
)

// bigTrace is a generated trace. Making it is no part of what is measured.
func bigTrace(b *testing.B, opt sparkgen.BigOptions) (*replay.Trace, string) {
	b.Helper()
	ctx := context.Background()
	w, err := replay.CreateTemp(ctx, replay.CreateOptions{})
	if err != nil {
		b.Fatal(err)
	}
	run := sparkgen.Big(opt)
	if err := run.WriteTables(w); err != nil {
		b.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := replay.Derive(ctx, w, []string{run.App()}, 1); err != nil {
		b.Fatal(err)
	}
	if err := w.Finish(); err != nil {
		b.Fatal(err)
	}
	t, err := w.Open(ctx, replay.OpenOptions{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := t.Close(); err != nil {
			b.Error(err)
		}
	})
	return t, run.App()
}

// BenchmarkReport goes from a trace to all files of a report.
func BenchmarkReport(b *testing.B) {
	for _, size := range []struct {
		name string
		opt  sparkgen.BigOptions
	}{
		{"tasks=1k,machines=10", sparkgen.BigOptions{Seed: 1, Tasks: 1_000, Machines: 10, Removals: 1}},
		{"tasks=10k,machines=30", sparkgen.BigOptions{Seed: 1, Tasks: 10_000, Machines: 30, Removals: 2}},
		{"tasks=100k,machines=100", sparkgen.BigOptions{Seed: 1, Tasks: 100_000, Machines: 100, Removals: 3}},
	} {
		b.Run(size.name, func(b *testing.B) {
			t, app := bigTrace(b, size.opt)
			var asked, written time.Duration
			n := 0
			for b.Loop() {
				dir := filepath.Join(b.TempDir(), "report")
				if err := os.Mkdir(dir, 0o777); err != nil {
					b.Fatal(err)
				}
				start := time.Now()
				in, err := gather.Inputs(context.Background(), t, gather.Options{App: app, Zone: time.UTC})
				if err != nil {
					b.Fatal(err)
				}
				asked += time.Since(start)
				start = time.Now()
				if err := report.Write(dir, analysis.New(in)); err != nil {
					b.Fatal(err)
				}
				written += time.Since(start)
				n++
				info, err := os.Stat(filepath.Join(dir, "report.html"))
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(info.Size()), "page-bytes")
			}
			b.ReportMetric(asked.Seconds()*1000/float64(n), "query-ms")
			b.ReportMetric(written.Seconds()*1000/float64(n), "write-ms")
		})
	}
}
