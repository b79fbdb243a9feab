package analysis

import (
	"fmt"
	"slices"

	"tracereplay/internal/human"
)

// Makespans is how long the run takes when losses are drawn at a rate, policy by
// policy, with the same draws.
type Makespans struct {
	RatePerHour float64 // removals of a machine an hour
	Runs        int64   // simulated, of each policy
	QuietMs     int64   // without a loss
	Policies    []PolicyMakespan
	BadDay      BadDay
	Empty       string
}

// PolicyMakespan is the distribution under one policy.
type PolicyMakespan struct {
	Policy                  string
	Done                    int64 // runs that ended
	P10, P50, P90, P99, Max int64 // of these, ms
	Losses                  float64
	Why                     string // why it was not simulated
}

// BadDay is the simulated run at the 99th percentile under the first policy.
type BadDay struct {
	Policy     string
	Seed       int64
	MakespanMs int64
	Losses     []BadLoss
}

// BadLoss is a loss of it.
type BadLoss struct {
	Unit       string
	AfterMs    int64 // since the run's start
	RerunTasks int64
}

// maxBadLosses is how many losses a sentence tells.
const maxBadLosses = 6

// Words tell the bad day.
func (b BadDay) Words() string {
	if len(b.Losses) == 0 {
		return ""
	}
	text := fmt.Sprintf("One bad day of a hundred under %s (seed %d): the run takes %s.", human.Cut(b.Policy, 80), b.Seed, human.Duration(b.MakespanMs))
	for i, l := range b.Losses {
		if i == maxBadLosses {
			return text + fmt.Sprintf(" And %s more.", human.Counted(int64(len(b.Losses)-i), "loss", "losses"))
		}
		text += fmt.Sprintf(" %s goes after %s: %s.", human.Cut(l.Unit, 60), human.Duration(l.AfterMs), human.Counted(l.RerunTasks, "finished piece again", "finished pieces again"))
	}
	return text
}

func makespans(in *Inputs) Makespans {
	if in.Makespans == nil {
		return Makespans{Empty: "No rate of losses was given."}
	}
	m := *in.Makespans
	m.Policies = slices.Clone(m.Policies)
	for i := range m.Policies { // a policy may be a file of any name
		p := &m.Policies[i]
		p.Policy, p.Why = human.Cut(p.Policy, 80), human.Cut(p.Why, 200)
	}
	if m.Empty == "" && len(m.Policies) == 0 {
		m.Empty = "Nothing was simulated."
	}
	return m
}
