package replay

import (
	"fmt"
	"math"
	"slices"

	"tracereplay/internal/table"
	"tracereplay/replay/result"
	"tracereplay/replay/sim"
)

// layout lays policies out in time. Losses of question any are sampled: of up to
// timedUnits units, at timedInstants instants, evenly over the run under the policy.
type layout struct {
	run  *SimRun
	base map[string]*timed // of policy recorded, by question and kind of unit
	seen map[string]*timed // by policy, question and kind of unit
}

func newLayout(run *SimRun) *layout {
	if run == nil {
		return nil
	}
	return &layout{run, map[string]*timed{}, map[string]*timed{}}
}

// of simulates what a question asks of a policy. removal is 0 for any loss.
func (l *layout) of(policy, kind string, removal int64) (t *timed, err error) {
	key := fmt.Sprint(policy, " ", kind, " ", removal)
	if t := l.seen[key]; t != nil {
		return t, nil
	}
	if removal > 0 {
		t, err = l.again(policy, removal)
	} else {
		t, err = l.anyLoss(policy, kind)
	}
	l.seen[key] = t
	return t, err
}

const (
	timedUnits    = 16
	timedInstants = 8
)

// timed is what losses come to in simulated runs under one policy.
type timed struct {
	quietMs    int64       // the run without any loss
	losses     []timedLoss // those after which the run ends
	unfinished int         // the others
}

type timedLoss struct {
	unit                 string
	atMs                 int64 // on the coordinator's clock
	delayMs, recomputeMs int64
}

// anyLoss simulates losses of units of a kind under a policy. An error says why
// the policy cannot be laid out.
func (l *layout) anyLoss(policy, kind string) (*timed, error) {
	quiet, err := l.quiet(policy)
	if err != nil {
		return nil, err
	}
	opt := l.options()
	for n := range timedInstants {
		at := quiet * int64(2*n+1) / (2 * timedInstants)
		for _, r := range l.units(kind) {
			r.GoneMs, r.NoticeMs, r.DetectMs = at, at, at+l.run.Run.Rules.DetectMs
			opt.Removals = append(opt.Removals, r)
		}
	}
	return l.simulate(policy, opt, quiet, 1)
}

// again simulates a recorded removal under a policy.
func (l *layout) again(policy string, removal int64) (*timed, error) {
	numbers := make([]int64, len(l.run.Log.Removals))
	for i := range l.run.Log.Removals {
		numbers[i] = l.run.Log.Removals[i].Removal
	}
	slices.Sort(numbers)
	i := slices.Index(numbers, removal)
	if i < 0 || i >= len(l.run.Run.Removals) {
		return nil, fmt.Errorf("the simulator does not know removal %d", removal)
	}
	quiet, err := l.quiet(policy)
	if err != nil {
		return nil, err
	}
	opt := l.options()
	opt.Removals = []sim.Removal{l.run.Run.Removals[i]}
	return l.simulate(policy, opt, quiet, l.seeds())
}

// options are those of every simulated run: the recorded losses taken out, and
// what is lost replaced as it was in the log.
func (l *layout) options() sim.Options {
	return sim.Options{Seed: 1, Cluster: sim.Undisturbed, ReplaceMs: l.run.Run.ReplacedMs}
}

// seeds is over how many placements a makespan is taken.
func (l *layout) seeds() int { return min(max(2_000_000/max(len(l.run.Run.DurMs), 1), 1), 15) }

// quiet is how long the run takes under a policy when nothing is lost.
func (l *layout) quiet(policy string) (int64, error) {
	opt := l.options()
	under, err := l.run.With(policy, &opt)
	if err != nil {
		return 0, err
	}
	return medianMakespan(sim.New(under.Run), opt, l.seeds()), nil
}

// medianMakespan is the median over placements.
func medianMakespan(s *sim.Sim, opt sim.Options, seeds int) int64 {
	all := make([]int64, seeds)
	for i := range all {
		opt.Seed = uint64(i + 1)
		all[i] = s.Simulate(&opt).MakespanMs
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// simulate runs each loss by itself, under seeds placements. What it delays is
// told against the run without it: under the same placement when there is one, else
// median against median.
func (l *layout) simulate(policy string, opt sim.Options, quiet int64, seeds int) (*timed, error) {
	under, err := l.run.With(policy, &opt)
	if err != nil {
		return nil, err
	}
	s, out, base := sim.New(under.Run), &timed{quietMs: quiet}, quiet
	losses := opt.Removals
	if seeds == 1 {
		opt.Removals = nil
		base = medianMakespan(s, opt, 1)
	}
	for i := range losses {
		opt.Removals = losses[i : i+1]
		for seed := range seeds {
			opt.Seed = uint64(seed + 1)
			res := s.Simulate(&opt)
			switch {
			case res.Removals == 0: // it is not there, or no more
			case res.Outcome != sim.Done:
				out.unfinished++
			default:
				out.losses = append(out.losses, timedLoss{nameOf(under.Run, &losses[i]), under.Run.StartMs + losses[i].GoneMs, res.MakespanMs - base, res.RecomputeMs()})
			}
		}
	}
	return out, nil
}

// units are those of a kind, evenly chosen.
func (l *layout) units(kind string) []sim.Removal {
	var all []sim.Removal
	if kind == "machine" {
		for m := range int32(len(l.run.Run.Machines)) {
			if m != l.run.Run.Coordinator {
				all = append(all, sim.Removal{Machine: m})
			}
		}
	}
	if kind == "worker" {
		for w := range int32(len(l.run.Run.Workers)) {
			if !l.run.Run.Workers[w].Replaces {
				all = append(all, sim.Removal{Machine: -1, Workers: []int32{w}})
			}
		}
	}
	most := min(max(400_000/max(len(l.run.Run.DurMs), 1), 4), timedUnits)
	if len(all) <= most {
		return all
	}
	some := make([]sim.Removal, most)
	for i := range some {
		some[i] = all[i*len(all)/most]
	}
	return some
}

func nameOf(run *sim.Run, r *sim.Removal) string {
	switch {
	case r.Machine >= 0:
		return run.Machines[r.Machine]
	case len(r.Workers) > 0:
		return run.Workers[r.Workers[0]].Name
	default:
		return ""
	}
}

// fill writes what was simulated into an outcome. Where a policy moves work in
// time, what is redone is simulated too, and so is what it is compared with: the
// outcome is static no more.
func (l *layout) fill(o *result.Outcome, t *timed) {
	key := o.Question + " " + o.UnitKind
	if o.Policy == recordedWorld {
		l.base[key] = t
	}
	if base := l.base[key]; base != nil {
		o.SlowerMs = table.Some(t.quietMs - base.quietMs)
	}
	o.UnfinishedRuns = table.Some(int64(t.unfinished))
	if len(t.losses) == 0 {
		return
	}
	o.DelayMs = table.Some(int64(math.Round(t.mean(func(x timedLoss) int64 { return x.delayMs }))))
	if !o.IsStatic {
		return
	}
	mean := t.mean(func(x timedLoss) int64 { return x.recomputeMs })
	o.IsStatic, o.IsSimulated = false, true
	o.MeanMs, o.MeanLowMs, o.InFlightMs = table.Some(mean), table.Some(mean), table.Opt[float64]{} // of what, is not known
	l.spread(o, t)
	o.DifferenceMs = table.Opt[float64]{}
	if base := l.base[key]; base != nil && len(base.losses) > 0 {
		o.DifferenceMs = table.Some(mean - base.mean(func(x timedLoss) int64 { return x.recomputeMs }))
	}
}

// spread writes quantiles and the worst loss.
func (l *layout) spread(o *result.Outcome, t *timed) {
	sorted := slices.Clone(t.losses)
	slices.SortStableFunc(sorted, func(a, b timedLoss) int { return int(a.recomputeMs - b.recomputeMs) })
	n := len(sorted)
	o.P50Ms, o.P95Ms = table.Some(sorted[n/2].recomputeMs), table.Some(sorted[min(n*95/100, n-1)].recomputeMs)
	worst := sorted[n-1]
	o.MaxMs, o.MaxInstantMs, o.MaxUnit = table.Some(worst.recomputeMs), table.Some(worst.atMs), table.NonEmpty(worst.unit)
	var squares float64
	for _, x := range sorted {
		squares += float64(x.recomputeMs) * float64(x.recomputeMs) / float64(n)
	}
	life := hours(float64(o.LifeMs))
	if o.LifeMs > 0 {
		o.PerRate, o.PerRateLow, o.VariancePer = table.Some(o.MeanMs.V*life), table.Some(o.MeanMs.V*life), table.Some(squares*life)
	}
}

func (t *timed) mean(of func(timedLoss) int64) float64 {
	sum := 0.0
	for _, x := range t.losses {
		sum += float64(of(x))
	}
	return sum / float64(len(t.losses))
}
