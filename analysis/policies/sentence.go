package policies

import (
	"fmt"
	"math"
	"strings"

	"tracereplay/internal/human"
	"tracereplay/replay/result"
)

// Sentence says what a policy would do, in one paragraph.
type Sentence struct {
	Policy string
	Text   string
}

// Remarks are what a policy says of itself under its settings.
type Remarks struct {
	Caveats  []string
	Unknowns []string
}

// Sentences writes one for each policy but recorded, in the order of the
// outcomes. remarks are by policy.
func Sentences(all []result.Outcome, remarks map[string]Remarks) []Sentence {
	var out []Sentence
	for _, group := range byPolicy(all) {
		if group[0].Policy != recorded {
			out = append(out, Sentence{group[0].Policy, sentence(group, all, remarks[group[0].Policy])})
		}
	}
	return out
}

// recorded is the policy that changes nothing.
const recorded = "recorded"

// byPolicy are the outcomes about any loss, grouped by policy, in order.
func byPolicy(all []result.Outcome) [][]result.Outcome {
	var groups [][]result.Outcome
	at := map[string]int{}
	for _, o := range all {
		if o.Question != "any" {
			continue
		}
		key := o.App + "\x00" + o.Policy
		i, ok := at[key]
		if !ok {
			i = len(groups)
			at[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], o)
	}
	return groups
}

// sentence writes one policy's.
func sentence(group, all []result.Outcome, r Remarks) string {
	var parts []string
	applies := false
	for _, kind := range []string{"worker", "machine", "service"} {
		o, ok := find(group, kind)
		if !ok {
			continue
		}
		if !o.Applies {
			continue
		}
		applies = true
		base, _ := find(ofPolicy(all, o.App, recorded), kind)
		parts = append(parts, effect(o, base))
	}
	if !applies {
		return "Does not apply: " + group[0].Why + "."
	}
	text := upper(strings.Join(parts, "; ")) + "."
	if c := costs(group); c != "" {
		text += " " + c
	}
	for _, c := range r.Caveats {
		text += " " + c
	}
	if len(r.Unknowns) > 0 {
		text += " What no log tells: " + strings.Join(r.Unknowns, "; ") + "."
	}
	if group[0].IsStatic {
		text += " Static: the work that it moves in time was not simulated."
	}
	return text
}

func ofPolicy(all []result.Outcome, app, policy string) []result.Outcome {
	for _, g := range byPolicy(all) {
		if g[0].App == app && g[0].Policy == policy {
			return g
		}
	}
	return nil
}

func find(group []result.Outcome, kind string) (result.Outcome, bool) {
	for _, o := range group {
		if o.UnitKind == kind {
			return o, true
		}
	}
	return result.Outcome{}, false
}

// losing is what happens to a unit of a kind.
func losing(kind string) string {
	switch kind {
	case "worker":
		return "a worker's exit"
	case "machine":
		return "a machine's withdrawal"
	default:
		return "the loss of a service's server"
	}
}

// same is how far apart two figures may be that a reader takes for the same.
const same = 0.01

// effect compares one kind of loss with the run as it was.
func effect(o, base result.Outcome) string {
	subject := losing(o.UnitKind)
	now := o.MeanMs.V
	if !base.MeanMs.OK {
		return fmt.Sprintf("%s, which is new, costs %s of slot time on average, at worst %s", subject, duration(now), human.Duration(o.MaxMs.V))
	}
	was := base.MeanMs.V
	if o.IsSimulated { // against a simulated run as it was
		was = now - o.DifferenceMs.V
	}
	text := fmt.Sprintf("%s costs %s of slot time on average instead of %s (%s)", subject, duration(now), duration(was), change(was, now))
	switch {
	case isSame(was, now) && isSame(float64(base.MaxMs.V), float64(o.MaxMs.V)):
		text = subject + " costs what it did, " + duration(now) + " of slot time on average"
	case now > was*(1+same):
		text += fmt.Sprintf(", the more for work that %s", moreFor(o, base))
	case onlyInFlight(o, base):
		text += ": only what is in flight is lost"
	default:
		text += spared(o, base)
	}
	return text + perRun(o, base)
}

// onlyInFlight tells whether nothing that was finished is lost any more.
func onlyInFlight(o, base result.Outcome) bool {
	return o.InFlightMs.OK && banked(base, base) > same*base.MeanMs.V && banked(o, base) <= same*banked(base, base) && isSame(base.InFlightMs.V, flight(o, base))
}

// banked is the finished work in a mean.
func banked(o, base result.Outcome) float64 { return o.MeanMs.V - flight(o, base) }

// flight is the work in flight in a mean. What a running task had done before a
// notice came is kept as a cached block in a policy's world: cached work that the
// run as it was does not have is work in flight.
func flight(o, base result.Outcome) float64 {
	return o.InFlightMs.V + max(0, o.CachedMs.V-base.CachedMs.V)
}

// moreFor says what a dearer policy does again.
func moreFor(o, base result.Outcome) string {
	if !o.InFlightMs.OK || flight(o, base) > base.InFlightMs.V*(1+same) {
		return "is in flight, or finished"
	}
	return "was finished, and that the run as it was would not have done again"
}

// spared compares what is saved of work in flight and of finished work, where
// these differ.
func spared(o, base result.Outcome) string {
	running, done := saved(base.InFlightMs.V, flight(o, base)), saved(banked(base, base), banked(o, base))
	switch {
	case !o.InFlightMs.OK, banked(base, base) <= same*base.MeanMs.V, math.Abs(running-done) < 0.05:
		return ""
	case running > done && done < 0.1:
		return fmt.Sprintf(": %s less of what is in flight, but it protects little finished work (%s)", share(running), share(done))
	default:
		return fmt.Sprintf(": %s less of what is in flight, %s less of what is finished", share(running), share(done))
	}
}

func saved(was, now float64) float64 {
	if was <= 0 {
		return 0
	}
	return max(0, 1-now/was)
}

// perRun adds what a run costs, where that is another story than one removal:
// there are more units to lose, or fewer.
func perRun(o, base result.Outcome) string {
	if !o.PerRate.OK || !base.PerRate.OK || base.PerRate.V <= 0 || o.Units == base.Units && isSame(float64(base.LifeMs), float64(o.LifeMs)) {
		return ""
	}
	text := fmt.Sprintf("; there are %s of them instead of %s, so that a run costs ", human.Count(o.Units), human.Count(base.Units))
	if isSame(base.PerRate.V, o.PerRate.V) {
		text += "as much as it did"
	} else {
		text += percent(o.PerRate.V/base.PerRate.V-1) + " than it did"
	}
	if base.VariancePer.V > 0 {
		r := math.Sqrt(o.VariancePer.V / base.VariancePer.V)
		if r < 1-same || r > 1+same {
			text += ", with a spread that is " + percentSmaller(r)
		}
	}
	return text
}

func percent(x float64) string {
	if x > 0 {
		return share(x) + " more"
	}
	return share(-x) + " less"
}

func percentSmaller(r float64) string {
	if r < 1 {
		return share(1-r) + " smaller"
	}
	return share(r-1) + " larger"
}

func change(was, now float64) string {
	switch {
	case was <= 0:
		return "from nothing"
	case isSame(was, now):
		return "about the same"
	default:
		return percent(now/was - 1)
	}
}

func isSame(a, b float64) bool {
	return math.Abs(a-b) <= same*max(math.Abs(a), math.Abs(b)) || math.Abs(a-b) < 1
}

func share(x float64) string { return human.Share(x) }

func duration(ms float64) string { return human.Duration(int64(math.Round(ms))) }

func upper(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
