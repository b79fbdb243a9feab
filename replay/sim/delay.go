package sim

import "slices"

// placements is how many placements a figure is the median of, by the size of
// the run: where pieces stand is drawn, and decides what a loss takes.
func placements(run *Run) int { return placementsOf(run, 1) }

// placementsOf is the same where the run is simulated in several variants.
func placementsOf(run *Run, variants int) int {
	return min(max(2_000_000/(max(len(run.DurMs), 1)*variants), 1), 15)
}

// middle simulates a run under several placements and returns the median of
// its makespans, and whether it ended in each.
func middle(s *Sim, opt Options, n int) (ms int64, done bool) {
	all := make([]int64, 0, n)
	done = true
	for i := range n {
		opt.Seed = uint64(i + 1)
		r := s.Simulate(&opt)
		all = append(all, r.MakespanMs)
		done = done && r.Outcome == Done
	}
	return median(all), done
}

// Delay is how much later a run ended because of a recorded loss.
type Delay struct {
	Ms    int64
	Known bool // false: a release, or a run that does not end
}

// Delays is how much later the run ended because of each recorded loss: the
// simulated run as recorded, minus the simulated run without this one. Both start
// from the state that the log's run was in just before the first loss, so that
// what stood on the lost workers is the log's own; and what the simulator gets
// wrong in both cancels out. all is the same with all losses taken out; since
// losses overlap, it is not the sum.
func Delays(run *Run) (each []Delay, all Delay) {
	each = make([]Delay, len(run.Removals))
	var lost []int32
	first := Never
	for i := range run.Removals {
		if r := &run.Removals[i]; !r.Release {
			lost = append(lost, int32(i))
			first = min(first, r.GoneMs)
		}
	}
	if len(lost) == 0 {
		return each, Delay{Known: true}
	}
	opt := Options{}
	if len(run.Attempts) > 0 {
		opt.FromMs = max(first-1, 0)
	}
	s, n := New(run), placementsOf(run, len(lost)+1)
	with, ended := middle(s, opt, n)
	without := func(list []int32) Delay {
		opt.Without = list
		ms, done := middle(s, opt, n)
		return Delay{with - ms, ended && done}
	}
	all = without(lost)
	for _, i := range lost {
		if len(lost) == 1 {
			each[i] = all
			break
		}
		each[i] = without([]int32{i})
	}
	return each, all
}

// Loss is what the removal of one unit at one instant comes to.
type Loss struct {
	Machine int32 // -1: a worker
	Worker  int32 // -1: a machine
	AtMs    int64
	DelayMs int64
	// RecomputeMs is the redone slot time.
	RecomputeMs int64
	Outcome     string
}

// LossesAt simulates the loss of every unit of a kind that is there at an
// instant, each by itself, from the state that the run was in. Nothing comes in
// the lost one's place unless replaceMs says so.
func LossesAt(run *Run, machines bool, atMs, replaceMs int64) []Loss {
	s := New(run)
	opt := Options{Cluster: Undisturbed, ReplaceMs: replaceMs, FromMs: atMs}
	base := s.Simulate(&opt).MakespanMs
	var out []Loss
	try := func(r Removal, l Loss) {
		r.GoneMs, r.NoticeMs, r.DetectMs = atMs, atMs, atMs+run.Rules.DetectMs
		opt.Removals = []Removal{r}
		res := s.Simulate(&opt)
		if res.Removals == 0 {
			return // not there, or already gone
		}
		l.AtMs, l.RecomputeMs, l.Outcome = atMs, res.RecomputeMs(), res.Outcome
		l.DelayMs = res.MakespanMs - base
		out = append(out, l)
	}
	if machines {
		for m := range int32(len(run.Machines)) {
			if m != run.Coordinator {
				try(Removal{Machine: m}, Loss{Machine: m, Worker: -1})
			}
		}
		return out
	}
	for w := range int32(len(run.Workers)) {
		try(Removal{Machine: -1, Workers: []int32{w}}, Loss{Machine: -1, Worker: w})
	}
	return out
}

// DelayAt is what a loss at an instant comes to, over all units.
type DelayAt struct {
	AtMs                     int64
	Units                    int
	MeanMs, LowMs, P50, High int64 // delays
	MeanRecomputeMs          int64
	Unfinished               int // losses after which the run does not end
}

// DelayCurve is what a loss comes to at n instants over the run. Instants before
// or at which a recorded loss had struck are left out: the state then has holes
// that the undisturbed run would not have.
func DelayCurve(run *Run, machines bool, n int, replaceMs int64) []DelayAt {
	first := Never
	for i := range run.Removals {
		if r := &run.Removals[i]; !r.Release {
			first = min(first, r.GoneMs)
		}
	}
	var out []DelayAt
	for i := range n {
		at := run.RecordedMs * int64(2*i+1) / int64(2*n)
		if at >= first {
			break
		}
		losses := LossesAt(run, machines, max(at, 1), replaceMs)
		x := DelayAt{AtMs: at, Units: len(losses)}
		var delays []int64
		for _, l := range losses {
			if l.Outcome != Done {
				x.Unfinished++
				continue
			}
			delays = append(delays, l.DelayMs)
			x.MeanMs += l.DelayMs
			x.MeanRecomputeMs += l.RecomputeMs
		}
		if k := int64(len(delays)); k > 0 {
			slices.Sort(delays)
			x.MeanMs, x.MeanRecomputeMs = x.MeanMs/k, x.MeanRecomputeMs/k
			x.LowMs, x.P50, x.High = delays[0], delays[k/2], delays[k-1]
		}
		out = append(out, x)
	}
	return out
}
