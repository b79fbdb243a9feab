package replay

import (
	"context"
	"fmt"

	"tracereplay/internal/duck"
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
	n, err := w.db.ExecRows(ctx, query("loss/heat_cell"), int64(opt.Bins), int64(opt.Rows), w.span.StartMs, w.span.EndMs-w.span.StartMs)
	if err != nil {
		return nil, fmt.Errorf("heat map: query loss/heat_cell: %w", duck.Brief(err))
	}
	return w.heatCells(ctx, int64(opt.Bins), n)
}

// heatCells reads loss.heat_cell, of n rows.
func (w *World) heatCells(ctx context.Context, bins, n int64) ([]result.Heat, error) {
	units, err := rows[Unit](ctx, w.db, "result/units") // in the order of their numbers, from 1
	if err != nil {
		return nil, err
	}
	edge := func(bin int64) int64 { return w.span.StartMs + ((w.span.EndMs-w.span.StartMs)*bin+bins-1)/bins }
	out := make([]result.Heat, 0, n)
	err = eachRow(ctx, w.db, func(row arrowRow) {
		bin, u := row.int(1).V, &units[row.int(2).V-1]
		out = append(out, result.Heat{
			HeatRow: row.int(0).V, Bin: bin, FromMs: edge(bin), ToMs: edge(bin + 1),
			UnitKind: u.UnitKind, Unit: u.Unit, IsCoordinator: u.IsCoordinator, InstantMs: row.int(3).V, WorstMs: row.int(4).V,
		})
	}, "result/heat")
	return out, err
}
