package gather

import (
	"context"

	"tracereplay/analysis"
)

// bins divide the time of a run; bin i is [edge(i), edge(i+1)).
type bins struct {
	from, to int64
	n        int64
}

// maxCells bounds machines times bins: what a page can show, and what is worth
// fetching from the database.
const maxCells = 60_000

// bins divide what is looked at into as many bins as a page shows, or fewer
// where there are very many units.
func (g *gatherer) bins(units int) bins {
	from, to := g.in.App.FromMs, g.in.App.ToMs
	if v := g.in.View; v.ToMs > v.FromMs {
		from, to = v.FromMs, v.ToMs
	}
	n := int64(analysis.MaxBins)
	if units > 0 {
		n = min(n, max(50, maxCells/int64(units)))
	}
	to = max(to, from+1)
	return bins{from, to, min(n, to-from)}
}

func (b bins) edge(i int64) int64 { return b.from + (b.to-b.from)*i/b.n }

// holdingRow is a row of sql/holding.sql.
type holdingRow struct {
	Place  string  `col:"place"`
	Bin    int64   `col:"bin"`
	Needed float64 `col:"needed_bytes"`
	Done   float64 `col:"done_bytes"`
	Cached float64 `col:"cached_bytes"`
}

func (g *gatherer) holdings(ctx context.Context) error {
	b := g.bins(g.count(analysis.Machine))
	all, err := rows[holdingRow](ctx, g.db, "holding", g.app, b.from, b.to, b.n)
	for _, h := range all {
		g.in.Holdings = append(g.in.Holdings, analysis.Holding{
			Place: h.Place, FromMs: b.edge(h.Bin), ToMs: b.edge(h.Bin + 1), Needed: h.Needed, Done: h.Done, Cached: h.Cached,
		})
	}
	return err
}
