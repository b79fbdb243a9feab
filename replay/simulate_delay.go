package replay

import (
	"slices"

	"tracereplay/replay/sim"
)

// Delays is how much later the run ended because of each recorded removal, by
// its number, and because of all of them. Both sides are simulated, so that what
// the simulator gets wrong cancels out; a release, which was a choice, delays
// nothing here.
func (s *SimRun) Delays() (of map[int64]int64, all int64) {
	numbers := make([]int64, 0, len(s.Log.Removals))
	for i := range s.Log.Removals {
		numbers = append(numbers, s.Log.Removals[i].Removal)
	}
	slices.Sort(numbers)
	each, all := sim.Delays(s.Run)
	of = map[int64]int64{}
	for i, ms := range each {
		if !s.Run.Removals[i].Release {
			of[numbers[i]] = ms
		}
	}
	return of, all
}

// LossesAt simulates the loss of every machine (or worker) that is there at an
// instant on the coordinator's clock, from the state that the run was in.
func (s *SimRun) LossesAt(unitKind string, atMs, replaceMs int64) []sim.Loss {
	return sim.LossesAt(s.Run, unitKind == "machine", max(atMs-s.Run.StartMs, 1), replaceMs)
}

// DelayCurve is what a loss comes to at n instants over the run.
func (s *SimRun) DelayCurve(unitKind string, n int) []sim.DelayAt {
	curve := sim.DelayCurve(s.Run, unitKind == "machine", n, -1)
	for i := range curve {
		curve[i].AtMs += s.Run.StartMs
	}
	return curve
}
