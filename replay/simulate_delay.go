package replay

import "tracereplay/replay/sim"

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
