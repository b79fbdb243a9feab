package gather

import (
	"context"

	"tracereplay/analysis"
	"tracereplay/replay"
)

// progress asks how far the run was, and how much of that was safe.
func (g *gatherer) progress(ctx context.Context) error {
	all, err := replay.SafeProgress(ctx, g.w, replay.Units{Kind: g.in.Kind}, g.wholeBins())
	view := g.view()
	for _, p := range all {
		if p.Progress.OK && p.InstantMs >= view.FromMs && p.InstantMs <= view.ToMs {
			g.in.Progress = append(g.in.Progress, analysis.Progress{AtMs: p.InstantMs, Reported: p.Progress.V, Safe: p.SafeProgress.V})
		}
	}
	return err
}

// exposures asks which datasets carried most risk. Those without a reader
// waited for nobody.
func (g *gatherer) exposures(ctx context.Context) error {
	all, err := replay.Exposure(ctx, g.w, replay.Units{Kind: g.in.Kind})
	for _, x := range all {
		if x.WaitedSlotMsHours <= 0 {
			continue
		}
		g.in.Exposures = append(g.in.Exposures, analysis.Exposure{
			Dataset: x.Dataset, Kind: x.Kind, Name: x.Name, Stage: x.FirstStage, Outputs: x.Outputs, Bytes: x.Bytes,
			SlotMs: x.CostMs, HeldMs: x.MeanWaitMs.V, Exposure: x.WaitedSlotMsHours, RunMs: x.RunRecomputeMs,
		})
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

// states asks what the workers did. Traces that were made from tables of other
// tools may lack it.
func (g *gatherer) states(ctx context.Context) error {
	if there, err := rows[int64](ctx, g.db, "has_state"); err != nil || there[0] == 0 {
		return err
	}
	b := g.bins(0)
	all, err := rows[stateRow](ctx, g.db, "state", g.app, b.from, b.to, b.n)
	for _, s := range all {
		g.in.States = append(g.in.States, analysis.WorkerState{
			FromMs: b.edge(s.Bin), ToMs: b.edge(s.Bin + 1), Busy: s.Busy, IdleOwing: s.IdleOwing, IdleCaching: s.IdleCaching, Free: s.Free,
		})
	}
	return err
}
