package replay

import (
	"context"
	"fmt"

	"tracereplay/replay/result"
)

// HeatOptions say how fine a heat map is.
type HeatOptions struct {
	Units
	Bins int // bins of time; 0 means 240
	Rows int // rows for units, beside one for the coordinator's machine; 0 means as many as there are units
}

// manyRows is more than the 2^20 units that a heat map can tell apart.
const manyRows = 1 << 21

// HeatGrid is a map of what losing each unit would have cost over time. It
// never drops the worst of a cell: neither between two bins nor between the
// units of a row.
func HeatGrid(ctx context.Context, w *World, opt HeatOptions) ([]result.Heat, error) {
	if opt.Bins <= 0 {
		opt.Bins = 240
	}
	if opt.Rows <= 0 {
		opt.Rows = manyRows
	}
	if err := w.curve(ctx, opt.Units); err != nil {
		return nil, fmt.Errorf("heat map: %w", err)
	}
	if err := run(ctx, w.db, []string{"loss/heat_cell"}, int64(opt.Bins), int64(opt.Rows)); err != nil {
		return nil, fmt.Errorf("heat map: %w", err)
	}
	return rows[result.Heat](ctx, w.db, "result/heat", int64(opt.Bins))
}
