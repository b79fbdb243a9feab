package gather

import (
	"math"
	"slices"

	"tracereplay/analysis"
	"tracereplay/replay"
	"tracereplay/replay/result"
	"tracereplay/replay/sim"
)

// LossRate asks how long the run takes when losses are drawn.
type LossRate struct {
	PerHour  float64  // removals of a machine an hour; 0: not asked
	Policies []string // to compare; the recorded run comes first in any case
}

// What the distribution may cost: pieces simulated of each policy, and runs.
const (
	makespanWork = 2_000_000
	makespanRuns = 300
	leastRuns    = 20
)

// makespans simulates the run many times at the rate that was asked for.
func (g *gatherer) makespans(run *replay.SimRun) {
	ask := g.opt.Losses
	if !(ask.PerHour > 0) {
		return
	}
	m := &analysis.Makespans{RatePerHour: ask.PerHour, Runs: int64(min(makespanWork/max(len(run.Run.DurMs), 1), makespanRuns))}
	g.in.Makespans = m
	if m.Runs < leastRuns {
		m.Empty = "The run has too many tasks for a report. The command replay simulate does it."
		return
	}
	for i, name := range append([]string{"recorded"}, ask.Policies...) {
		if name == "none" || name == "recorded" && i > 0 {
			continue
		}
		opt := sim.Options{Seed: 1, Cluster: sim.Undisturbed, ReplaceMs: run.Run.ReplacedMs, Losses: sim.Losses{RatePerHour: ask.PerHour}}
		under, err := run.With(name, &opt)
		if err != nil {
			m.Policies = append(m.Policies, analysis.PolicyMakespan{Policy: name, Why: err.Error()})
			continue
		}
		answer := under.Simulate(replay.SimRequest{Policy: name, Options: opt, Runs: int(m.Runs)})
		p := policyMakespan(name, answer.Runs)
		m.Policies = append(m.Policies, p)
		if i == 0 {
			m.QuietMs = answer.Runs[0].BaselineMs
			m.BadDay = badDay(under, opt, answer.Runs, p.P99)
		}
	}
}

func policyMakespan(name string, runs []result.Simulated) analysis.PolicyMakespan {
	p := analysis.PolicyMakespan{Policy: name}
	var done []int64
	for i := range runs {
		p.Losses += float64(runs[i].Removals) / float64(len(runs))
		if runs[i].Outcome == sim.Done {
			done = append(done, runs[i].MakespanMs.V)
		}
	}
	slices.Sort(done)
	p.Done = int64(len(done))
	if len(done) == 0 {
		return p
	}
	at := func(q float64) int64 { return done[max(int(math.Ceil(q*float64(len(done))))-1, 0)] }
	p.P10, p.P50, p.P90, p.P99, p.Max = at(0.1), at(0.5), at(0.9), at(0.99), done[len(done)-1]
	return p
}

// badDay simulates the run at the 99th percentile again, with all that happens.
func badDay(run *replay.SimRun, opt sim.Options, runs []result.Simulated, p99 int64) analysis.BadDay {
	i := slices.IndexFunc(runs, func(r result.Simulated) bool { return r.Outcome == sim.Done && r.MakespanMs.V == p99 })
	if i < 0 {
		return analysis.BadDay{}
	}
	opt.Seed = uint64(runs[i].Seed)
	answer := run.Simulate(replay.SimRequest{Options: opt, Runs: 1, Reruns: true})
	b := analysis.BadDay{Policy: runs[i].Policy, Seed: runs[i].Seed, MakespanMs: p99}
	for _, l := range answer.Losses {
		b.Losses = append(b.Losses, analysis.BadLoss{Unit: l.UnitKind + " " + l.Unit, AfterMs: l.GoneMs - run.Run.StartMs, RerunTasks: l.RerunTasks})
	}
	return b
}
