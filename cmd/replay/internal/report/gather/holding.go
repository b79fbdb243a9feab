package gather

import (
	"context"

	"tracereplay/analysis"
)

// holdingRow is a row of sql/holding.sql.
type holdingRow struct {
	Place  string  `col:"place"`
	Bin    int64   `col:"bin"`
	Needed float64 `col:"needed_bytes"`
	Done   float64 `col:"done_bytes"`
	Cached float64 `col:"cached_bytes"`
}

// holdings asks how many bytes stood where.
func (g *gatherer) holdings(ctx context.Context) error {
	b := g.bins(max(g.count(analysis.Machine), g.count(g.in.Kind)))
	all, err := rows[holdingRow](ctx, g.db, "holding", g.app, b.from, b.to, b.n)
	for _, h := range all {
		g.in.Holdings = append(g.in.Holdings, analysis.Holding{
			Place: h.Place, FromMs: b.edge(h.Bin), ToMs: b.edge(h.Bin + 1), Needed: h.Needed, Done: h.Done, Cached: h.Cached,
		})
	}
	return err
}
