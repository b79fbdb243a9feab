package reporttest

import (
	"tracereplay/analysis"
	"tracereplay/internal/table"
)

// simulation: a loss in the middle of round r delays the run by a quarter of a
// round for each of the rounds before it, the least harmful machine by half of
// that and the most harmful one by twice.
func (m maker) simulation() {
	s := &analysis.Simulation{MakespanMs: m.in.App.ToMs - m.in.App.FromMs + 400, Kind: analysis.Machine, Units: int64(m.Machines), Tried: int64(m.Machines), Resumed: true}
	for r := range int64(m.Rounds) {
		late := (r + 1) * m.RoundMs / 4
		s.Delays = append(s.Delays, analysis.DelayPoint{
			AtMs: StartMs + r*m.RoundMs + m.RoundMs/2, Units: s.Units, LowMs: late / 2, MedianMs: late, HighMs: 2 * late, MeanMs: late,
			RecomputeMs: 3 * late,
		})
	}
	m.in.Simulation, m.in.Fidelity = s, table.Some(0.0040)
}
