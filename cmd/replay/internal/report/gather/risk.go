package gather

import (
	"context"

	"tracereplay/analysis"
	"tracereplay/internal/table"
)

// progressRow is a row of sql/progress.sql.
type progressRow struct {
	AtMs     int64   `col:"at_ms"`
	Reported float64 `col:"reported"`
	Safe     float64 `col:"safe"`
}

func (g *gatherer) progress(ctx context.Context) error {
	b := g.bins(g.count(g.in.Kind))
	all, err := rows[progressRow](ctx, g.db, "progress", g.app, b.from, b.to, b.n, g.in.Kind)
	for _, p := range all {
		g.in.Progress = append(g.in.Progress, analysis.Progress(p))
	}
	return err
}

// stateRow is a row of sql/state.sql.
type stateRow struct {
	Bin         int64   `col:"bin"`
	Busy        float64 `col:"busy"`
	IdleOwing   float64 `col:"idle_owing"`
	IdleCaching float64 `col:"idle_caching"`
	Free        float64 `col:"free"`
}

func (g *gatherer) states(ctx context.Context) error {
	b := g.bins(g.count(analysis.Worker))
	all, err := rows[stateRow](ctx, g.db, "state", g.app, b.from, b.to, b.n)
	for _, s := range all {
		g.in.States = append(g.in.States, analysis.WorkerState{
			FromMs: b.edge(s.Bin), ToMs: b.edge(s.Bin + 1), Busy: s.Busy, IdleOwing: s.IdleOwing, IdleCaching: s.IdleCaching, Free: s.Free,
		})
	}
	return err
}

// exposureRow is a row of sql/exposure.sql.
type exposureRow struct {
	Dataset  int64     `col:"dataset"`
	Kind     string    `col:"kind"`
	Name     string    `col:"name"`
	Stage    table.I64 `col:"stage"`
	Outputs  int64     `col:"outputs"`
	Bytes    table.I64 `col:"bytes"`
	SlotMs   int64     `col:"slot_ms"`
	Exposure float64   `col:"exposure"`
}

func (g *gatherer) exposures(ctx context.Context) error {
	all, err := rows[exposureRow](ctx, g.db, "exposure", g.app)
	for _, x := range all {
		e := analysis.Exposure{
			Dataset: x.Dataset, Kind: x.Kind, Name: x.Name, Stage: x.Stage, Outputs: x.Outputs, Bytes: x.Bytes, SlotMs: x.SlotMs, Exposure: x.Exposure,
		}
		if x.SlotMs > 0 {
			e.HeldMs = x.Exposure / float64(x.SlotMs)
		}
		g.in.Exposures = append(g.in.Exposures, e)
	}
	return err
}
