package analysis

import "slices"

// Spread is how the cost of a removal at a random instant is distributed.
type Spread struct {
	Curves []Quantiles // one per kind of unit
	MaxMs  float64
	Empty  string
}

func spread(in *Inputs) Spread {
	var s Spread
	for _, q := range byKind(in.Spread) {
		if q.LifeMs == 0 {
			continue
		}
		s.Curves = append(s.Curves, q)
		s.MaxMs = max(s.MaxMs, q.At[100])
	}
	if len(s.Curves) == 0 {
		s.Empty = noUnits(in)
	}
	return s
}

// byKind orders machines before workers before services.
func byKind(all []Quantiles) []Quantiles {
	place := map[string]int{Machine: 0, Worker: 1, Service: 2}
	return slices.SortedStableFunc(slices.Values(all), func(a, b Quantiles) int { return place[a.Kind] - place[b.Kind] })
}

// FreeShare is the part of removals that cost nothing, in whole percent.
func (q Quantiles) FreeShare() float64 {
	n := 0
	for n <= 100 && q.At[n] <= 0 {
		n++
	}
	return float64(max(0, n-1)) / 100
}
