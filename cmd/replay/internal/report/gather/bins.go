package gather

import "tracereplay/analysis"

// bins divide a span of time; bin i is [edge(i), edge(i+1)).
type bins struct {
	from, to int64
	n        int64
}

func (b bins) edge(i int64) int64 { return b.from + (b.to-b.from)*i/b.n }

// maxCells bounds places times bins: what is worth fetching from the database.
const maxCells = 60_000

// view is the time that the figures show.
func (g *gatherer) view() analysis.View {
	v := g.in.View
	if v.ToMs <= v.FromMs {
		v = analysis.View{FromMs: g.in.App.FromMs, ToMs: g.in.App.ToMs}
	}
	v.ToMs = max(v.ToMs, v.FromMs+1)
	return v
}

// bins divide the view into as many bins as a page shows, or fewer where there
// are very many places.
func (g *gatherer) bins(places int) bins {
	v := g.view()
	n := int64(analysis.MaxBins)
	if places > 0 {
		n = min(n, max(50, maxCells/int64(places)))
	}
	return bins{v.FromMs, v.ToMs, min(n, v.ToMs-v.FromMs)}
}

// maxWholeBins bounds how finely a run is cut so that a narrow view of it still
// has bins enough.
const maxWholeBins = 4000

// wholeBins is how many bins the whole run is cut into: enough for the view to
// have as many as a page shows.
func (g *gatherer) wholeBins() int {
	v := g.view()
	run := max(g.in.App.ToMs-g.in.App.FromMs, 1)
	n := float64(analysis.MaxBins) * float64(run) / float64(v.ToMs-v.FromMs)
	return int(min(max(n, 1), maxWholeBins, float64(run)))
}
