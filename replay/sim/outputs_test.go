package sim

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestHeldBy compares what a place is said to hold with a look at all pieces,
// while pieces move about at random.
func TestHeldBy(t *testing.T) {
	places := []int32{0, 1, 2, service(0), service(1), durable, nowhere}
	s := &Sim{
		where: make([]int32, 40), next: make([]int32, 40), prev: make([]int32, 40),
		workers: make([]workerState, 3), machines: make([]machineState, 2),
	}
	for p := range s.where {
		s.where[p] = nowhere
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		s.put(r.Int32N(40), places[r.IntN(len(places))])
		for _, place := range places[:5] {
			var want []int32
			for p, at := range s.where {
				if at == place {
					want = append(want, int32(p))
				}
			}
			if got := s.heldBy(place); !slices.Equal(got, want) {
				t.Fatalf("place %d holds %v, want %v", place, got, want)
			}
		}
	}
}
