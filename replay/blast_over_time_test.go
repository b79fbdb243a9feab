package replay_test

import (
	"slices"
	"testing"

	"tracereplay/internal/sparkgen"
	"tracereplay/replay"
	"tracereplay/replay/result"
)

// TestDistributionIsTheSame asks for the distribution of a run that is large
// enough to be worked out on several cores, again and again: to the last bit it
// is what it was.
func TestDistributionIsTheSame(t *testing.T) {
	db, app := openBig(t, sparkgen.BigOptions{Seed: 1, Tasks: 25_000, Machines: 25, Removals: 1})
	var first []result.Quantile
	for range 4 {
		w, err := replay.OpenWorld(t.Context(), db, app)
		if err != nil {
			t.Fatal(err)
		}
		got, err := replay.Distribution(t.Context(), w, replay.Units{Kind: "machine"}, 100)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = got
		}
		if len(got) != 101 || !slices.Equal(got, first) {
			t.Fatalf("%d quantiles,\n%v, then\n%v", len(got), first, got)
		}
	}
}
