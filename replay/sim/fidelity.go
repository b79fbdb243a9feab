package sim

import "slices"

// Replay says how well a run replays.
type Replay struct {
	Error      float64 // simulated over recorded makespan, minus one
	MakespanMs int64   // simulated, the median of the placements
	LowMs      int64   // the smallest and the largest of them
	HighMs     int64
	Placements int
	// GapShare is the share of the critical path that is the coordinator's gaps:
	// that part is the log's own, and says nothing about the simulator.
	GapShare   float64
	Outcome    string
	RerunTasks int32
}

// Fidelity replays a run as recorded. Where nothing was lost, placement does
// not matter and one run tells. Where something was, it decides which pieces
// stood on the lost worker: then the median of several placements is taken.
func Fidelity(run *Run) Replay {
	n := 1
	if len(run.Removals) > 0 {
		n = placements(run)
	}
	s := New(run)
	type one struct {
		ms      int64
		outcome string
		reruns  int32
	}
	var all []one
	for seed := range n {
		r := s.Simulate(&Options{Seed: uint64(seed + 1)})
		all = append(all, one{r.MakespanMs, r.Outcome, r.RerunTasks})
	}
	slices.SortStableFunc(all, func(x, y one) int { return int(x.ms - y.ms) })
	m := all[n/2]
	traced := s.Simulate(&Options{Seed: 1, Trace: true})
	gaps := int64(0)
	for _, leg := range CriticalPath(run, traced) {
		if leg.Kind == "gap" {
			gaps += leg.ToMs - leg.FromMs
		}
	}
	out := Replay{MakespanMs: m.ms, LowMs: all[0].ms, HighMs: all[n-1].ms, Placements: n, Outcome: m.outcome, RerunTasks: m.reruns}
	if traced.MakespanMs > 0 {
		out.GapShare = float64(gaps) / float64(traced.MakespanMs)
	}
	if run.RecordedMs > 0 {
		out.Error = float64(m.ms)/float64(run.RecordedMs) - 1
	}
	return out
}
