package analysis

// expected is the row of a kind.
func expected(rows []Expected, kind string) (Expected, bool) {
	for _, e := range rows {
		if e.Kind == kind {
			return e, true
		}
	}
	return Expected{}, false
}

// PerRun is the expected cost of a run at a rate per machine-hour: the
// integral of the cost over the units' lives, times the rate.
func (e Expected) PerRun(perHour float64) float64 {
	const hourMs = 3_600_000
	return e.Mean.Sum() * float64(e.LifeMs) / hourMs * perHour
}
