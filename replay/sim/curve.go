package sim

import "slices"

// Curve is what a loss comes to over a run, as far as that can be had within a
// second or two.
type Curve struct {
	Points []DelayAt
	// Resumed: each instant starts from the state that the log's run was in then.
	// Otherwise the log has an early loss, and the undisturbed run is simulated
	// from its start: its instants are those of the simulated run.
	Resumed bool
	Units   int  // units of the kind
	Some    bool // only some of them were tried, evenly chosen
	TooBig  bool // nothing was simulated
}

// What a curve may cost: pieces simulated in all, and the instants and units
// that it has when that is no limit.
const (
	curveWork  = 4_000_000
	curveAt    = 24
	curveUnits = 16
)

// CurveOf simulates the loss of units at instants over the run, as many as the
// size of the run allows. Nothing comes in the lost one's place.
func CurveOf(run *Run, machines bool) Curve {
	c := Curve{Units: len(run.units(machines, len(run.Machines)+len(run.Workers)))}
	sims := curveWork / max(len(run.DurMs), 1)
	n := min(curveAt, sims/4)
	if n < 4 || c.Units == 0 {
		c.TooBig = c.Units > 0
		return c
	}
	units := run.units(machines, min(curveUnits, max(sims/n-1, 3)))
	c.Some = len(units) < c.Units
	s := New(run)
	span := run.RecordedMs
	if first := run.firstLoss(); len(run.Attempts) > 0 && first >= span*6/10 {
		c.Resumed = true
		span = min(span, first)
	} else {
		span = s.Simulate(&Options{Cluster: Undisturbed}).MakespanMs
	}
	for i := range n {
		at := max(span*int64(2*i+1)/int64(2*n), 1)
		if x := s.delayAt(machines, units, at, c.Resumed); x.Units > 0 {
			c.Points = append(c.Points, x)
		}
	}
	return c
}

// firstLoss is when the first recorded loss struck that was none by choice.
func (r *Run) firstLoss() int64 {
	first := Never
	for i := range r.Removals {
		if x := &r.Removals[i]; !x.Release {
			first = min(first, x.GoneMs)
		}
	}
	return first
}

// delayAt sums up what the loss of each of some units at an instant comes to.
func (s *Sim) delayAt(machines bool, units []int32, at int64, resumed bool) DelayAt {
	opt := Options{Cluster: Undisturbed, ReplaceMs: -1, Seed: 1}
	if resumed {
		opt.FromMs = max(at-1, 1)
	}
	x := DelayAt{AtMs: at}
	without := s.Simulate(&opt)
	if without.Outcome != Done {
		return x
	}
	base := without.MakespanMs
	var delays []int64
	for _, u := range units {
		r := Removal{Machine: -1, GoneMs: at, NoticeMs: at, DetectMs: at + s.run.Rules.DetectMs}
		if machines {
			r.Machine = u
		} else {
			r.Workers = []int32{u}
		}
		opt.Removals = []Removal{r}
		res := s.Simulate(&opt)
		switch {
		case res.Removals == 0:
			continue // not there, or already gone
		case res.Outcome != Done:
			x.Unfinished++
		default:
			delays = append(delays, res.MakespanMs-base)
			x.MeanMs += res.MakespanMs - base
			x.MeanRecomputeMs += res.RecomputeMs()
		}
		x.Units++
	}
	if k := int64(len(delays)); k > 0 {
		slices.Sort(delays)
		x.MeanMs, x.MeanRecomputeMs = x.MeanMs/k, x.MeanRecomputeMs/k
		x.LowMs, x.P50, x.High = delays[0], delays[k/2], delays[k-1]
	}
	return x
}
