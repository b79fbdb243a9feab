package replay_test

import (
	"context"
	"testing"
	"time"

	"tracereplay/internal/sparkgen"
	"tracereplay/replay"
)

// setPolicies are one of each shipped policy that is set arithmetic.
func setPolicies() []string {
	return []string{
		"undisturbed", "detached-shuffle=node", "detached-shuffle=remote", "replicate=2", "durable=5m", "move-output=2m", "spread", "smaller-workers=2",
		"smaller-machines=2", "on-demand=0.25", "redo=share", "redo=by-node", "redo=region", "redo=round", "redo=job",
	}
}

// BenchmarkPolicies compares all of them, each from the trace's own world and
// with the mean at 1,000 instants and the distribution over as many, for losses of
// machines; quiet is a run without removals, so that there is one question. cpu-ms is the
// time on all cores: half of it is what two cores of one's own would take at best.
func BenchmarkPolicies(b *testing.B) {
	for _, size := range []struct {
		name string
		opt  sparkgen.BigOptions
	}{
		{"tasks=10000/quiet", sparkgen.BigOptions{Seed: 1, Tasks: 10_000, Machines: 30}},
		{"tasks=100000/quiet", sparkgen.BigOptions{Seed: 1, Tasks: 100_000, Machines: 100}},
		{"tasks=100000/removals=3", sparkgen.BigOptions{Seed: 1, Tasks: 100_000, Machines: 100, Removals: 3}},
	} {
		b.Run(size.name, func(b *testing.B) {
			t, app := bigTrace(b, size.opt)
			benchmarkPolicies(b, t, app, setPolicies())
		})
	}
	b.Run("tasks=100000/each", func(b *testing.B) {
		t, app := bigTrace(b, sparkgen.BigOptions{Seed: 1, Tasks: 100_000, Machines: 100})
		for _, p := range append(setPolicies(), "drain=2m", "idle-release=1m", "shorter-rounds=4") {
			b.Run(p, func(b *testing.B) { benchmarkPolicies(b, t, app, []string{p}) })
		}
	})
}

func benchmarkPolicies(b *testing.B, t *replay.Trace, app string, specs []string) {
	ctx := context.Background()
	opt := replay.WhatIfOptions{UnitKind: "machine", CurveKind: "machine", CurveBins: 1000}
	for _, s := range specs {
		chain, err := replay.ParsePolicies(s)
		if err != nil {
			b.Fatal(err)
		}
		opt.Policies = append(opt.Policies, chain)
	}
	var took time.Duration
	cpu := cpuTime()
	n := 0
	for b.Loop() {
		start := time.Now()
		w, err := replay.OpenWorld(ctx, t.DB(), app)
		if err != nil {
			b.Fatal(err)
		}
		answer, err := replay.WhatIf(ctx, w, opt)
		if err != nil {
			b.Fatal(err)
		}
		if len(answer.Outcomes) < len(specs) {
			b.Fatalf("%d outcomes", len(answer.Outcomes))
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
		took += time.Since(start)
		n++
	}
	b.ReportMetric(float64(took.Milliseconds())/float64(n), "wall-ms")
	b.ReportMetric(float64((cpuTime()-cpu).Milliseconds())/float64(n), "cpu-ms")
	b.ReportMetric(peakMB(), "peak-MB")
}

// bigTrace is a generated trace with all its tables.
func bigTrace(b testing.TB, opt sparkgen.BigOptions) (*replay.Trace, string) {
	b.Helper()
	ctx := context.Background()
	w, err := replay.CreateTemp(ctx, replay.CreateOptions{})
	if err != nil {
		b.Fatal(err)
	}
	run := sparkgen.Big(opt)
	for _, step := range []func() error{
		func() error { return run.WriteTables(w) }, w.Flush, func() error { return replay.Derive(ctx, w, []string{run.App()}, 1) }, w.Finish,
	} {
		if err := step(); err != nil {
			b.Fatal(err)
		}
	}
	t, err := w.Open(ctx, replay.OpenOptions{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := t.Close(); err != nil {
			b.Error(err)
		}
	})
	return t, run.App()
}
