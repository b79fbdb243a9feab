package main

import (
	"maps"
	"slices"
	"testing"
)

// TestSimulatedIdentities: policies at the setting at which they do nothing lay
// the run out, and replay it under drawn losses, as no policy does.
func TestSimulatedIdentities(t *testing.T) {
	t.Parallel()
	under := func(policy string) []map[string]string {
		all := csvOf(t, "simulate", "../../sampletraces/linear-twin.zstd", "--policy", policy, "--runs", "20", "--rate", "200", "--seed", "3")
		if len(all) != 20 {
			t.Fatalf("%s: %d runs", policy, len(all))
		}
		for _, r := range all {
			delete(r, "policy")
		}
		return all
	}
	want := under("recorded")
	for _, policy := range []string{
		"shorter-rounds=1", "drain=0s", "move-output=0s", "replicate=1", "smaller-workers=1", "smaller-machines=1", "durable=never", "on-demand=0",
	} {
		if got := under(policy); !slices.EqualFunc(got, want, maps.Equal) {
			t.Errorf("%s: %v\nwant %v", policy, got, want)
		}
	}
}
