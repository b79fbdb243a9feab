package gather

import (
	"context"
	"slices"
	"strings"

	"tracereplay/analysis"
	"tracereplay/replay"
)

// open opens the run's world, and begins to compare policies.
func (g *gatherer) open(ctx context.Context) error {
	w, err := replay.OpenWorld(ctx, g.db, g.app)
	if err != nil {
		return err
	}
	g.w = w
	if err := g.units(ctx); err != nil {
		return err
	}
	return g.startPolicies(ctx)
}

// losses asks what losing each unit costs. The curves of one kind of unit are
// made once, so all questions about a kind come together; that of the heat map
// comes last, as the figures over time are of it.
func (g *gatherer) losses(ctx context.Context) error {
	for _, kind := range g.kinds() {
		if err := g.kindOfUnit(ctx, kind); err != nil {
			return err
		}
	}
	for _, step := range []func(context.Context) error{g.cells, g.means, g.progress, g.exposures} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// units lists what can be lost, and picks the kind that the heat map is of:
// machines, where they are known.
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
	if g.opt.Unit != "" {
		g.in.Kind, g.in.Unit = g.opt.Kind, g.opt.Unit
	}
	return err
}

// kinds are the kinds of units that there are, that of the heat map last.
func (g *gatherer) kinds() []string {
	var out []string
	for _, kind := range []string{analysis.Service, analysis.Worker, analysis.Machine} {
		if kind != g.in.Kind && slices.ContainsFunc(g.in.Units, func(u analysis.Unit) bool { return u.Kind == kind }) {
			out = append(out, kind)
		}
	}
	return append(out, g.in.Kind)
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

// kindOfUnit asks for the worst instant of each unit of a kind, what a removal
// costs in the mean, and how that is distributed.
func (g *gatherer) kindOfUnit(ctx context.Context, kind string) error {
	u := replay.Units{Kind: kind}
	worst, err := replay.Blast(ctx, g.w, replay.BlastOptions{UnitKind: kind})
	if err != nil {
		return err
	}
	g.in.Worst = append(g.in.Worst, worst...)
	expected, err := replay.Expected(ctx, g.w, u)
	if err != nil {
		return err
	}
	g.in.Expected = append(g.in.Expected, expected...)
	quantiles, err := replay.Distribution(ctx, g.w, u, 100)
	if err != nil || len(quantiles) == 0 || len(expected) == 0 {
		return err
	}
	q := analysis.Quantiles{Kind: kind, Units: expected[0].Units, LifeMs: expected[0].LifeMs}
	for i, row := range quantiles[:min(len(quantiles), len(q.At))] {
		q.At[i] = row.RecomputeMs
	}
	g.in.Spread = append(g.in.Spread, q)
	return nil
}

// shown are the units that the figures over time are of.
func (g *gatherer) shown() replay.Units { return replay.Units{Kind: g.in.Kind, Unit: g.in.Unit} }

// partRow is a row of sql/heat_part.sql.
type partRow struct {
	Row     int64   `col:"heat_row"`
	Bin     int64   `col:"bin"`
	Owed    float64 `col:"owed_ms"`
	Climb   float64 `col:"climb_ms"`
	Cached  float64 `col:"cached_ms"`
	Outputs int64   `col:"outputs"`
	Slack   float64 `col:"slack_ms"`
}

// cells asks for the heat map and what its cells are made of.
func (g *gatherer) cells(ctx context.Context) error {
	g.in.Rows = g.heatRows()
	heat, err := replay.HeatGrid(ctx, g.w, replay.HeatOptions{Units: g.shown(), Bins: g.wholeBins(), Rows: analysis.MaxRows})
	if err != nil {
		return err
	}
	parts, err := rows[partRow](ctx, g.db, "heat_part")
	if err != nil {
		return err
	}
	view := g.view()
	for i, h := range heat {
		if h.IsCoordinator || h.ToMs <= view.FromMs || h.FromMs >= view.ToMs {
			continue
		}
		p := parts[i]
		worst := float64(h.WorstMs)
		g.in.Cells = append(g.in.Cells, analysis.HeatCell{
			Row: int(h.HeatRow), Unit: h.Unit, FromMs: h.FromMs, ToMs: h.ToMs, AtMs: h.InstantMs, Outputs: p.Outputs, LowMs: worst - p.Slack,
			Parts: analysis.Parts{InFlight: max(0, worst-p.Owed-p.Climb-p.Cached), Owed: p.Owed, Climb: p.Climb, Cached: p.Cached},
		})
	}
	return nil
}

// heatRows are the units of each row of the heat map: in the order of their
// names, as package replay has it.
func (g *gatherer) heatRows() [][]string {
	var names []string
	for _, u := range g.in.Units {
		if u.Kind == g.in.Kind && !u.IsCoordinator && (g.in.Unit == "" || u.Name == g.in.Unit) {
			names = append(names, u.Name)
		}
	}
	slices.SortFunc(names, strings.Compare)
	out := make([][]string, min(len(names), analysis.MaxRows))
	for i, name := range names {
		row := i * len(out) / len(names)
		out[row] = append(out[row], name)
	}
	return out
}

// means asks for the mean cost over the units that are there.
func (g *gatherer) means(ctx context.Context) error {
	n := g.wholeBins()
	all, err := replay.Banked(ctx, g.w, replay.Units{Kind: g.in.Kind}, n)
	if err != nil {
		return err
	}
	view := g.view()
	for i, b := range all {
		to := g.in.App.ToMs
		if i+1 < len(all) {
			to = all[i+1].InstantMs
		}
		if to <= view.FromMs || b.InstantMs >= view.ToMs {
			continue
		}
		g.in.Bins = append(g.in.Bins, analysis.Bin{
			Kind: g.in.Kind, FromMs: b.InstantMs, ToMs: to, Units: float64(b.Units),
			Mean: analysis.Parts{InFlight: b.MeanInFlightMs, Owed: b.MeanOwedMs, Climb: b.MeanClimbMs, Cached: b.MeanCachedMs},
		})
	}
	return nil
}
