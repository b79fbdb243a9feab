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
	quiet := m.in.App.ToMs - m.in.App.FromMs
	m.in.Makespans = &analysis.Makespans{
		RatePerHour: 0.05, Runs: 300, QuietMs: quiet,
		Policies: []analysis.PolicyMakespan{
			{Policy: "recorded", Done: 297, P10: quiet, P50: quiet * 11 / 10, P90: quiet * 15 / 10, P99: quiet * 2, Max: quiet * 3, Losses: 1.2},
			{Policy: "drain", Done: 300, P10: quiet, P50: quiet * 105 / 100, P90: quiet * 12 / 10, P99: quiet * 17 / 10, Max: quiet * 2, Losses: 1.2},
			{Policy: "redo=job", Why: "redo is not laid out in time"},
		},
		BadDay: analysis.BadDay{Policy: "recorded", Seed: 17, MakespanMs: quiet * 2, Losses: []analysis.BadLoss{{Unit: "machine m01", AfterMs: quiet / 2, RerunTasks: 30}}},
	}
}
