package report

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"tracereplay/analysis"
	"tracereplay/plots"
)

// Marker is the file by which a directory is known as an earlier report.
const Marker = "summary.json"

// Write writes the report into a directory that exists: report.html,
// report.md, summary.json and plots/*.svg.
func Write(dir string, r *analysis.Report) error {
	figures := Figures(r)
	if err := writePlots(filepath.Join(dir, "plots"), shown(r, figures)); err != nil {
		return err
	}
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"report.html", func(w io.Writer) error { return HTML(w, r, figures) }},
		{"report.md", func(w io.Writer) error { return Markdown(w, r) }},
		{Marker, func(w io.Writer) error { return Summary(w, r) }},
	} {
		if err := writeFile(filepath.Join(dir, file.name), file.write); err != nil {
			return err
		}
	}
	return nil
}

// Figures are the drawings of the page, in its order.
func Figures(r *analysis.Report) []plots.Figure {
	return []plots.Figure{
		plots.HeatMap(r.Heat), plots.Banked(r.Banked), plots.Progress(r.Progress), plots.Spread(r.Spread),
		plots.Rounds(r.Rounds), plots.Residence(r.Residence), plots.States(r.States), plots.Exposure(r.Exposures), plots.Width(r.Width),
		plots.Delay(r.Delay), plots.Makespan(r.Makespans),
		plots.Timeline(r.Timeline), plots.Chain(r.Chain),
		plots.PoliciesOverTime(r.Policies, r.Banked.Axis), plots.PoliciesSpread(r.Policies), plots.PoliciesTrade(r.Policies),
	}
}

func writePlots(dir string, figures []plots.Figure) error {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	for _, f := range figures {
		if err := writeFile(filepath.Join(dir, f.Name+".svg"), f.WriteSVG); err != nil {
			return err
		}
	}
	return nil
}

func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
