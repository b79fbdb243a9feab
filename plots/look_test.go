package plots_test

import (
	"os"
	"path/filepath"
	"testing"

	"tracereplay/analysis"
	"tracereplay/internal/reporttest"
	"tracereplay/plots"
)

func TestLook(t *testing.T) {
	dir := os.Getenv("LOOK")
	if dir == "" {
		t.Skip("set LOOK to a directory to look at the figures")
	}
	s := reporttest.Size{Machines: 8, Rounds: 9, Bins: 200, RoundMs: 40_000}
	in := reporttest.Inputs(s)
	reporttest.Withdraw(in, s, 2, 5)
	r := analysis.New(in)
	t.Log(r.Story.Plain())
	for _, f := range append(policyFigures(comparison()), []plots.Figure{
		plots.HeatMap(r.Heat), plots.Banked(r.Banked), plots.Progress(r.Progress), plots.Delay(r.Delay), plots.Makespan(r.Makespans), plots.Spread(r.Spread),
		plots.Rounds(r.Rounds), plots.Residence(r.Residence), plots.States(r.States), plots.Exposure(r.Exposures),
		plots.Timeline(r.Timeline), plots.Chain(r.Chain),
	}...) {
		for _, ending := range plots.Formats() {
			file, err := os.Create(filepath.Join(dir, f.Name+ending))
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Write(file, ending); err != nil {
				t.Error(err)
			}
			file.Close()
		}
	}
}
