package plots_test

import (
	"testing"

	"tracereplay/analysis"
	"tracereplay/internal/reporttest"
	"tracereplay/plots"
)

func figures(r *analysis.Report) []plots.Figure {
	return []plots.Figure{
		plots.HeatMap(r.Heat), plots.Banked(r.Banked), plots.Progress(r.Progress), plots.Delay(r.Delay), plots.Makespan(r.Makespans), plots.Spread(r.Spread),
		plots.Rounds(r.Rounds), plots.Residence(r.Residence), plots.States(r.States), plots.Exposure(r.Exposures),
		plots.Timeline(r.Timeline), plots.Chain(r.Chain),
	}
}

// BenchmarkWide analyses and draws a run of 1,000 machines as a page does.
func BenchmarkWide(b *testing.B) {
	in := reporttest.Inputs(reporttest.Wide())
	for b.Loop() {
		r := analysis.New(in)
		var n counter
		for _, f := range figures(r) {
			if err := f.InlineSVG(&n); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(n), "bytes")
	}
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
