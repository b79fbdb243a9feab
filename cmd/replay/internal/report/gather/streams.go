package gather

import (
	"context"

	"tracereplay/analysis/streaming"
	"tracereplay/replay"
)

// streams asks what losses cost the streaming queries of a run.
func (g *gatherer) streams(ctx context.Context) error {
	if !g.in.App.IsStreaming {
		return nil
	}
	s, err := replay.Stream(ctx, g.w, replay.Units{})
	if err != nil || len(s.Queries) == 0 {
		return err
	}
	clock := g.in.Clock.Within(g.in.App.FromMs, g.in.App.ToMs)
	g.in.Streaming = &streaming.Inputs{Clock: clock, Queries: s.Queries, Batches: s.Batches, Losses: s.Losses}
	return nil
}
