package gather

import (
	"context"

	"tracereplay/analysis"
	"tracereplay/replay"
)

// losses asks what losing each unit costs.
func (g *gatherer) losses(ctx context.Context) error {
	w, err := replay.OpenWorld(ctx, g.db, g.app)
	if err != nil {
		return err
	}
	g.w = w
	for _, step := range []func(context.Context) error{g.units, g.worst, g.cells, g.means, g.expected, g.spread, g.progress, g.states, g.exposures} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (g *gatherer) units(ctx context.Context) error {
	all, err := g.w.Units(ctx)
	for _, u := range all {
		g.in.Units = append(g.in.Units, analysis.Unit{Kind: u.UnitKind, Name: u.Unit, FromMs: u.FromMs, ToMs: u.ToMs, IsCoordinator: u.IsCoordinator})
	}
	g.in.Kind = analysis.Machine
	for _, kind := range []string{analysis.Service, analysis.Worker, analysis.Machine} {
		if g.count(kind) > 0 {
			g.in.Kind = kind
		}
	}
	if g.unit != "" {
		g.in.Kind = g.kind
	}
	return err
}

// count counts the units of a kind, the coordinator's machine left out.
func (g *gatherer) count(kind string) (n int) {
	for _, u := range g.in.Units {
		if u.Kind == kind && !u.IsCoordinator {
			n++
		}
	}
	return n
}

func (g *gatherer) worst(ctx context.Context) (err error) {
	g.in.Worst, err = replay.Blast(ctx, g.w, replay.BlastOptions{})
	return err
}

type cellRow struct {
	Unit     string  `col:"unit"`
	Bin      int64   `col:"bin"`
	AtMs     int64   `col:"at_ms"`
	InFlight float64 `col:"in_flight_ms"`
	Owed     float64 `col:"owed_ms"`
	Climb    float64 `col:"climb_ms"`
	Cached   float64 `col:"cached_ms"`
	Low      float64 `col:"recompute_low_ms"`
}

func (g *gatherer) cells(ctx context.Context) error {
	b := g.bins(g.count(g.in.Kind))
	all, err := rows[cellRow](ctx, g.db, "cell", b.from, b.to, b.n, g.in.Kind, g.unit)
	for _, c := range all {
		g.in.Cells = append(g.in.Cells, analysis.HeatCell{
			Unit: c.Unit, FromMs: b.edge(c.Bin), ToMs: b.edge(c.Bin + 1), AtMs: c.AtMs, LowMs: c.Low,
			Parts: analysis.Parts{InFlight: c.InFlight, Owed: c.Owed, Climb: c.Climb, Cached: c.Cached},
		})
	}
	return err
}

type meanRow struct {
	Kind     string  `col:"unit_kind"`
	Bin      int64   `col:"bin"`
	Units    float64 `col:"units"`
	InFlight float64 `col:"in_flight_ms"`
	Owed     float64 `col:"owed_ms"`
	Climb    float64 `col:"climb_ms"`
	Cached   float64 `col:"cached_ms"`
}

func (g *gatherer) means(ctx context.Context) error {
	b := g.bins(0)
	all, err := rows[meanRow](ctx, g.db, "mean", b.from, b.to, b.n)
	for _, c := range all {
		g.in.Bins = append(g.in.Bins, analysis.Bin{
			Kind: c.Kind, FromMs: b.edge(c.Bin), ToMs: b.edge(c.Bin + 1), Units: c.Units,
			Mean: analysis.Parts{InFlight: c.InFlight, Owed: c.Owed, Climb: c.Climb, Cached: c.Cached},
		})
	}
	return err
}

type expectedRow struct {
	Kind     string  `col:"unit_kind"`
	Units    int64   `col:"units"`
	LifeMs   int64   `col:"life_ms"`
	InFlight float64 `col:"in_flight_ms"`
	Owed     float64 `col:"owed_ms"`
	Climb    float64 `col:"climb_ms"`
	Cached   float64 `col:"cached_ms"`
	Low      float64 `col:"recompute_low_ms"`
}

func (g *gatherer) expected(ctx context.Context) error {
	all, err := rows[expectedRow](ctx, g.db, "expected")
	for _, e := range all {
		g.in.Expected = append(g.in.Expected, analysis.Expected{
			Kind: e.Kind, Units: e.Units, LifeMs: e.LifeMs, LowMs: e.Low,
			Mean: analysis.Parts{InFlight: e.InFlight, Owed: e.Owed, Climb: e.Climb, Cached: e.Cached},
		})
	}
	return err
}

type spreadRow struct {
	Kind     string    `col:"unit_kind"`
	Instants int64     `col:"instants"`
	At       []float64 `col:"at"`
}

func (g *gatherer) spread(ctx context.Context) error {
	all, err := rows[spreadRow](ctx, g.db, "spread", g.in.App.FromMs, g.in.App.ToMs)
	for _, s := range all {
		q := analysis.Quantiles{Kind: s.Kind, Instants: s.Instants}
		copy(q.At[:], s.At)
		g.in.Spread = append(g.in.Spread, q)
	}
	return err
}
