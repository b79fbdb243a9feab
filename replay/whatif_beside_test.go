package replay_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tracereplay/internal/sparkgen"
	"tracereplay/replay"
)

// Policies that are measured at the same time, in worlds of their own, come to
// what they come to one after the other, in the same order; and the world is the
// recorded one afterwards.
func TestPoliciesBeside(t *testing.T) {
	ctx := context.Background()
	trace, app := bigTrace(t, sparkgen.BigOptions{Seed: 1, Tasks: 1_000, Machines: 10, Removals: 2})
	opt := replay.WhatIfOptions{CurveKind: "machine", CurveBins: 100}
	for _, s := range []string{"undisturbed", "detached-shuffle=node", "replicate=2", "drain=2m", "redo=share"} {
		chain, err := replay.ParsePolicies(s)
		if err != nil {
			t.Fatal(err)
		}
		opt.Policies = append(opt.Policies, chain)
	}
	w, err := replay.OpenWorld(ctx, trace.DB(), app)
	if err != nil {
		t.Fatal(err)
	}
	before, err := replay.Curve(ctx, w, replay.Units{})
	if err != nil {
		t.Fatal(err)
	}
	var want *replay.WhatIfAnswer
	for _, cores := range []int{1, 2, 5} {
		opt.Cores = cores
		if is, err := w.ComparesBeside(ctx, cores); err != nil || is != (cores > 1) {
			t.Fatalf("%d cores: %v, %v", cores, is, err)
		}
		got, err := replay.WhatIf(ctx, w, opt)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if d := cmp.Diff(want, got, cmp.Exporter(func(reflect.Type) bool { return true })); d != "" {
			t.Errorf("on %d cores: %s", cores, d)
		}
		after, err := replay.Curve(ctx, w, replay.Units{})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(before, after); d != "" {
			t.Errorf("the world after %d cores: %s", cores, d)
		}
	}
}

// A policy that fails ends a comparison, on however many cores.
func TestPoliciesBesideFail(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	trace, app := bigTrace(t, sparkgen.BigOptions{Seed: 1, Tasks: 200, Machines: 4})
	w, err := replay.OpenWorld(ctx, trace.DB(), app)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	for _, cores := range []int{1, 2} {
		if _, err := replay.WhatIf(ctx, w, replay.WhatIfOptions{Cores: cores}); err == nil {
			t.Errorf("%d cores: a comparison that was cancelled has an answer", cores)
		}
	}
}
