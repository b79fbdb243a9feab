package gather

import (
	"context"
	"fmt"
	"math"

	"tracereplay/analysis"
	"tracereplay/internal/table"
	"tracereplay/replay"
	"tracereplay/replay/sim"
)

// badFidelity is the error above which a report says why.
const badFidelity = 0.05

// simulation replays the run in time: how well that goes, and how much later it
// would end after a loss. What it may cost is bounded by the simulator.
func (g *gatherer) simulation(ctx context.Context) error {
	s := &analysis.Simulation{Kind: g.in.Kind}
	g.in.Simulation = s
	if g.in.App.IsStreaming {
		s.Reason, s.Empty = "the clock starts the batches of a streaming query, not the work", "A streaming query is not simulated: the clock starts its batches."
		return nil
	}
	if g.in.App.Tasks > maxSimulated {
		s.Empty = fmt.Sprintf("Not simulated: more than %d tasks. The command replay simulate does it.", int64(maxSimulated))
		s.Reason = "more tasks than a report simulates"
		return nil
	}
	log, err := replay.SimLog(ctx, g.w)
	if err != nil {
		return err
	}
	run, err := sim.Build(log)
	if err != nil {
		s.Reason, s.Empty = err.Error(), "The run cannot be simulated: "+err.Error()+"."
		return nil
	}
	f := sim.Fidelity(run)
	g.makespans(&replay.SimRun{Log: log, Run: run, Fidelity: f})
	s.MakespanMs, g.in.Fidelity = f.MakespanMs, table.Some(f.Error)
	s.Reason = fidelityReason(sim.Complete(log), &f)
	c := sim.CurveOf(run, g.in.Kind == analysis.Machine)
	s.Units, s.Resumed = int64(c.Units), c.Resumed
	if c.TooBig {
		s.Empty = "Not simulated: the run has too many tasks for a report. The command replay simulate does it."
	}
	for _, p := range c.Points {
		s.Tried = max(s.Tried, int64(p.Units))
		s.Delays = append(s.Delays, analysis.DelayPoint{
			AtMs: run.StartMs + p.AtMs, Units: int64(p.Units), LowMs: p.LowMs, MedianMs: p.P50, HighMs: p.High, MeanMs: p.MeanMs,
			RecomputeMs: p.MeanRecomputeMs, Unfinished: int64(p.Unfinished),
		})
	}
	return nil
}

// maxSimulated bounds the tasks that a report loads into the simulator.
const maxSimulated = 400_000

// fidelityReason says why a run replays badly, or may.
func fidelityReason(gaps []sim.Gap, f *sim.Replay) string {
	switch {
	case len(gaps) > 0:
		return "the log lacks what a good replay needs: " + gaps[0].String()
	case f.Outcome != sim.Done:
		return "the simulated run is " + f.Outcome
	case math.Abs(f.Error) <= badFidelity:
		return ""
	case f.Placements > 1:
		return fmt.Sprintf("where pieces stood when something was lost is drawn: of %d draws the shortest takes %.1f s and the longest %.1f s",
			f.Placements, float64(f.LowMs)/1000, float64(f.HighMs)/1000)
	}
	return "times depend on what ran beside them, or slots were shared with others, of which the log says nothing"
}
