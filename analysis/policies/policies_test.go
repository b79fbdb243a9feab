package policies

import (
	"strings"
	"testing"

	"tracereplay/internal/table"
	"tracereplay/replay/result"
)

const hour = 3_600_000

// outcome is any loss of a machine: mean of it in flight, over units that live an hour each.
func outcome(policy string, mean, inFlight float64, units int64) result.Outcome {
	return result.Outcome{
		App: "a", Policy: policy, Question: "any", UnitKind: "machine", Applies: true, MeanMs: table.Some(mean), MeanLowMs: table.Some(mean), InFlightMs: table.Some(inFlight),
		MaxMs: table.Some(int64(2 * mean)), Units: units, LifeMs: units * hour, PerRate: table.Some(mean * float64(units)), VariancePer: table.Some(mean * mean * float64(units)),
	}
}

// sentenceOf is what is said of the second outcome beside the first.
func sentenceOf(t *testing.T, was, now result.Outcome) string {
	t.Helper()
	all := Sentences([]result.Outcome{was, now}, nil)
	if len(all) != 1 {
		t.Fatalf("%d sentences", len(all))
	}
	return all[0].Text
}

// The sentences that the product turns on come out where they are true, and not
// where they are false.
func TestSentences(t *testing.T) {
	was := outcome("recorded", 10_000, 2_000, 4)
	drained := outcome("drain=30s", 8_200, 200, 4)
	longer := outcome("drain=1h", 1_000, 0, 4)
	half := outcome("smaller-machines=2", 5_000, 1_000, 8)
	half.VariancePer = table.Some(was.VariancePer.V / 2)
	copied := outcome("replicate=2", 2_000, 2_000, 4)
	copied.Costs = []result.PolicyCost{{Kind: "copies_over_network", Value: 1 << 30, Unit: "bytes"}}
	again := outcome("redo=job", 30_000, 2_000, 4)
	for _, c := range []struct {
		now       result.Outcome
		want, not string
	}{
		{drained, "but it protects little finished work (0 %)", "only what is in flight"},
		{longer, "100 % less of what is in flight, 88 % less of what is finished", "little"},
		{outcome("detached-shuffle=node", 10_000, 2_000, 4), "costs what it did", "less"},
		{copied, "only what is in flight is lost. It costs 1 GiB (copies over network)", "little"},
		{half, "there are 8 of them instead of 4, so that a run costs as much as it did, with a spread that is 29 % smaller", "little"},
		{again, "200 % more), the more for work that was finished", "in flight"},
	} {
		got := sentenceOf(t, was, c.now)
		if !strings.Contains(got, c.want) || strings.Contains(got, c.not) {
			t.Errorf("%s: %s\nwant %q and not %q", c.now.Policy, got, c.want, c.not)
		}
	}
}

// Work that a drained task had done before the notice stands as a cached block in
// the policy's world. It counts as work in flight.
func TestSentenceCountsHeadsAsInFlight(t *testing.T) {
	was := outcome("recorded", 10_000, 4_000, 4)
	now := outcome("drain=30s", 9_000, 1_000, 4)
	now.CachedMs = table.Some(2_000.0)
	if got := sentenceOf(t, was, now); !strings.Contains(got, "25 % less of what is in flight, but it protects little finished work (0 %)") {
		t.Error(got)
	}
}

// priced is an outcome whose run costs low to high.
func priced(policy string, low, high float64) []result.Outcome {
	a, b := outcome(policy, 1, 0, 1), outcome(policy, 1, 0, 1)
	a.PerRunMs, b.PerRunMs = table.Some(1.0), table.Some(1.0)
	a.Price, b.Price = table.Some(low), table.Some(high)
	return []result.Outcome{a, b}
}

// Policies that cannot be told apart share a rank: the order is by the middle, and
// a new rank begins above all that came before.
func TestRank(t *testing.T) {
	var all []result.Outcome
	for _, x := range []struct {
		policy    string
		low, high float64
	}{{"recorded", 5, 5}, {"a", 1, 2}, {"b", 1.9, 3}, {"c", 2.9, 4}, {"d", 7, 9}} {
		all = append(all, priced(x.policy, x.low, x.high)...)
	}
	refused := outcome("e", 0, 0, 1)
	refused.Applies, refused.Why = false, "no shuffle"
	r := Rank(append(all, refused), "machine")
	want := map[string]int{"a": 1, "b": 1, "c": 1, "recorded": 4, "d": 5}
	for _, p := range r.Policies {
		if p.Rank != want[p.Policy] {
			t.Errorf("%s has rank %d, want %d", p.Policy, p.Rank, want[p.Policy])
		}
	}
	if !r.IsPrice || len(r.Policies) != 5 || len(r.Refused) != 1 || r.Refused[0].Note != "no shuffle" {
		t.Errorf("%+v", r)
	}
}

// Over applications, a mean goes over all lives, and a policy that does not apply
// somewhere leaves that application as it was.
func TestAcross(t *testing.T) {
	in := func(app string, o result.Outcome) result.Outcome { o.App = app; return o }
	none := outcome("p", 0, 0, 0)
	none.Applies = false
	got := Across([]result.Outcome{
		in("a", outcome("recorded", 100, 10, 1)), in("a", outcome("p", 40, 10, 1)),
		in("b", outcome("recorded", 200, 20, 3)), in("b", none),
	})
	if len(got) != 2 {
		t.Fatalf("%d outcomes", len(got))
	}
	// recorded: (100 x 1 + 200 x 3) / 4; p: (40 x 1 + 200 x 3) / 4
	if got[0].MeanMs.V != 175 || got[1].MeanMs.V != 160 || got[1].DifferenceMs.V != -15 || got[1].PerRate.V != 640 {
		t.Errorf("%+v", got)
	}
}

// What is saved falls with the idle time and so does what is stranded: they cross.
func TestIdle(t *testing.T) {
	row := func(worker string, after, saved, stranded int64) result.Idle {
		return result.Idle{App: "a", Worker: worker, AfterMs: after, Releases: 1, SavedMs: saved, StrandedMs: stranded}
	}
	total := AllIdle([]result.Idle{row("1", 0, 50, 80), row("1", 1000, 40, 30), row("2", 0, 50, 60), row("2", 1000, 30, 45), row("2", 2000, 20, 5)})
	if len(total) != 3 || total[0].SavedMs != 100 || total[0].StrandedMs != 140 || total[1].SavedMs != 70 || total[1].StrandedMs != 75 {
		t.Fatalf("%+v", total)
	}
	if after, ok := Crossing(total); !ok || after != 2000 {
		t.Errorf("crossing at %d, %v", after, ok)
	}
	if _, ok := Crossing(total[:2]); ok {
		t.Error("they do not cross in the first second")
	}
	if got := IdleSentence(total); !strings.Contains(got, "From an idle time of 2 s on") || !strings.Contains(got, "Best is 2 s: 20 ms of slot time saved, 5 ms to make again") {
		t.Error(got)
	}
}

// What a slot-hour that is not redone costs, if a run loses one machine.
func TestTrade(t *testing.T) {
	was, now := outcome("recorded", 2*hour, 0, 1), outcome("p", hour/2, 0, 1)
	now.Costs = []result.PolicyCost{{Kind: "copies", Value: 3 << 30, Unit: "bytes"}, {Kind: "idle", Value: 3 * hour, Unit: "slot_ms"}}
	v := New(&Inputs{Kind: "machine", Outcomes: []result.Outcome{was, now}})
	if len(v.Trades) != 1 || v.Trades[0].SavedMs != 1.5*hour || v.Trades[0].Share != 0.75 || v.Trades[0].Price != "2 GiB (copies), 2 slot h (idle)" {
		t.Errorf("%+v", v.Trades)
	}
}
