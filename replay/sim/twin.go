package sim

import "slices"

// Twins are runs of the same job. What a loss in one of them would have come to
// in another one is simulated there, at the same progress: since it is chance
// what stands on which unit, for each unit of the kind.

// firstEnds are the instants at which pieces had been made for the first time,
// in order of time.
func (r *Run) firstEnds() []int64 {
	first := make([]int64, len(r.DurMs))
	for i := range first {
		first[i] = Never
	}
	for i := range r.Attempts {
		if a := &r.Attempts[i]; a.Task >= 0 && a.Status == "success" {
			first[a.Task] = min(first[a.Task], a.EndMs)
		}
	}
	first = slices.DeleteFunc(first, func(ms int64) bool { return ms == Never })
	slices.Sort(first)
	return first
}

// Alike is the instant at which another run of the same job had come as far as
// run at an instant: as many pieces had been made, and the last of them as long
// ago, unless the next one ends before that. ok is false when it never came so far.
func Alike(run, other *Run, atMs int64) (ms int64, ok bool) {
	own, its := run.firstEnds(), other.firstEnds()
	n, _ := slices.BinarySearch(own, atMs+1)
	if n > len(its) {
		return 0, false
	}
	since, last := atMs, int64(0)
	if n > 0 {
		since, last = atMs-own[n-1], its[n-1]
	}
	ms = last + since
	if n < len(its) {
		ms = min(ms, max(its[n]-1, last))
	}
	return ms, true
}

// maxUnits bounds the units that are tried, so that a large run's losses take
// no more than about a second: an even choice of them stands for all.
func maxUnits(run *Run) int { return min(max(2_000_000/max(len(run.DurMs), 1), 8), 64) }

// units lists the machines or workers that can be lost, at most max of them.
func (r *Run) units(machines bool, most int) []int32 {
	var out []int32
	if machines {
		for m := range int32(len(r.Machines)) {
			if m != r.Coordinator {
				out = append(out, m)
			}
		}
	} else {
		for w := range int32(len(r.Workers)) {
			if r.Workers[w].Machine != r.Coordinator {
				out = append(out, w)
			}
		}
	}
	if len(out) <= most {
		return out
	}
	some := make([]int32, most)
	for i := range some {
		some[i] = out[i*len(out)/most]
	}
	return some
}

// LossLike simulates what the recorded losses of run would have come to in a
// twin, for each unit there: the first loss at the same progress, the others as
// much later as in run, each taking the next unit. How a loss came (silently,
// with a notice) and when something came in the lost one's place is as in run.
func LossLike(run, twin *Run) []Loss {
	losses := run.losses()
	if len(losses) == 0 || len(twin.Attempts) == 0 {
		return nil
	}
	first := &run.Removals[losses[0]]
	at, ok := Alike(run, twin, first.GoneMs)
	if !ok {
		return nil
	}
	machines := first.Machine >= 0
	units := twin.units(machines, maxUnits(twin))
	s := New(twin)
	opt := Options{Cluster: Undisturbed, ReplaceMs: run.ReplacedMs, Seed: 1}
	var out []Loss
	for i := range units {
		opt.Removals = opt.Removals[:0]
		for k, at0 := range losses {
			r := like(twin, &run.Removals[at0], at+run.Removals[at0].GoneMs-first.GoneMs)
			if unit := units[(i+k)%len(units)]; machines {
				r.Machine = unit
			} else {
				r.Workers = []int32{unit}
			}
			opt.Removals = append(opt.Removals, r)
		}
		l := Loss{Machine: opt.Removals[0].Machine, Worker: -1, AtMs: at}
		if !machines {
			l.Worker = units[i]
		}
		if s.cost(&opt, &l) {
			out = append(out, l)
		}
	}
	return out
}

// cost simulates given losses from the state just before the first of them,
// against the run without them from the same state. It is false when they took
// nothing, or that run does not end.
func (s *Sim) cost(opt *Options, l *Loss) bool {
	opt.FromMs = s.run.ResumeMs(opt)
	base := *opt
	base.Removals = nil
	without := s.Simulate(&base)
	baseMs, ends := without.MakespanMs, without.Outcome == Done
	r := s.Simulate(opt)
	if !ends || r.Removals == 0 && r.Released == 0 && !opt.Removals[0].Release {
		return false
	}
	l.DelayMs, l.RecomputeMs, l.Outcome = r.MakespanMs-baseMs, r.RecomputeMs(), r.Outcome
	return true
}

// losses are the places of the recorded removals that destroyed something, in
// order of time: all but workers that were given back because they were idle.
func (r *Run) losses() []int32 {
	var out []int32
	for i := range r.Removals {
		if x := &r.Removals[i]; !x.Release || x.NoticeMs < x.GoneMs {
			out = append(out, int32(i))
		}
	}
	slices.SortStableFunc(out, func(a, b int32) int { return int(r.Removals[a].GoneMs - r.Removals[b].GoneMs) })
	return out
}

// like is a removal as another one was, at another instant and of no unit yet.
func like(run *Run, was *Removal, at int64) Removal {
	r := Removal{Machine: -1, GoneMs: at, Silent: was.Silent, Release: was.Release, Moves: was.Moves}
	r.NoticeMs = max(at-(was.GoneMs-was.NoticeMs), 0)
	r.DetectMs = at + run.Rules.DetectMs
	if was.Silent {
		r.DetectMs = at + run.Rules.SilentDetectMs()
	}
	return r
}
