package report

import (
	"slices"

	"tracereplay/analysis"
	"tracereplay/plots"
)

// sectionsOf are the parts of a page: a streaming log has a section of its own
// in front, and none on how far the job is or how late it ends, since an endless
// one is never done.
func sectionsOf(r *analysis.Report) []section {
	all := append(sections(r.In.Kind), policySection(r)...)
	if r.Streaming == nil {
		return withLoss(r, withMakespan(r, all))
	}
	all = slices.DeleteFunc(all, func(s section) bool { return s.id == "progress" || s.id == "delay" })
	return withLoss(r, append([]section{{
		id: "streaming", title: "Batches, and the state between them", plots: []string{"width"},
		lead:  "A batch that is committed needs nothing of what was made for it, so a loss costs work of the running batch, and state that is loaded again from the checkpoint. State is what a change of the number of workers has to move: the figure shows for how long nothing would be processed.",
		table: (*analysis.Report).StreamTables,
	}}, all...))
}

// shown are the figures of the sections of a page.
func shown(r *analysis.Report, figures []plots.Figure) []plots.Figure {
	var names []string
	for _, s := range sectionsOf(r) {
		names = append(names, s.plots...)
	}
	return slices.DeleteFunc(slices.Clone(figures), func(f plots.Figure) bool { return !slices.Contains(names, f.Name) })
}
