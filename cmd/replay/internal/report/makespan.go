package report

import "tracereplay/analysis"

// withMakespan puts how long the run takes at a rate of losses behind the delay
// of a single one, where a rate was given.
func withMakespan(r *analysis.Report, all []section) []section {
	if r.In.Makespans == nil {
		return all
	}
	x := section{
		id: "makespan", title: "How long the run takes when losses are drawn", plots: []string{"makespan"},
		lead: "The run simulated many times, each machine lost at random at the given rate, second losses during a repair among them. The same draws for each policy.",
	}
	if words := r.Makespans.BadDay.Words(); words != "" {
		x.told = []string{words}
	}
	var out []section
	for _, s := range all {
		out = append(out, s)
		if s.id == "delay" {
			out = append(out, x)
		}
	}
	return out
}
