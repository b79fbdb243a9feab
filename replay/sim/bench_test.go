package sim

import (
	"fmt"
	"testing"
)

// wide makes a run of rounds stages in a row on machines x 2 workers x 4 slots.
func wide(tasks, rounds, machines int) *Run {
	r := &Run{App: "bench", Rules: RulesFor("spark", "3.5.1", nil), AgainShare: 1}
	for m := range machines {
		r.Machines = append(r.Machines, fmt.Sprint("m", m))
		for w := range 2 {
			r.Workers = append(r.Workers, Worker{Name: fmt.Sprint(2*m + w), Machine: int32(m), Slots: 4, To: Never, Gone: Never})
		}
	}
	rnd := newRandom(7)
	n := int32(tasks / rounds)
	for i := range rounds {
		first := int32(len(r.DurMs))
		s := Stage{ID: int64(i), Makes: int32(i), First: first, Last: first + n, Density: 1, Width: n, EndGapMs: 3, SubmitGapMs: 5}
		if i > 0 {
			s.Reads = []int32{int32(i - 1)}
		}
		if i == rounds-1 {
			s.Makes = -1
		} else {
			d := Dataset{ID: int64(i), Maker: int32(i), Pieces: n, Base: int32(i) * n, Copies: 1}
			if i > 0 {
				d.Inputs = []int32{int32(i - 1)}
			}
			r.Datasets = append(r.Datasets, d)
		}
		r.Stages = append(r.Stages, s)
		for k := range n {
			r.DurMs = append(r.DurMs, 12_000+rnd.below(16_000))
			r.PreMs = append(r.PreMs, 2)
			r.Flags = append(r.Flags, 0)
			r.Part = append(r.Part, k)
		}
	}
	r.Jobs = []Job{{Final: int32(rounds - 1)}}
	return r
}

func benchmark(b *testing.B, tasks int, opt Options) {
	run := wide(tasks, 10, 50)
	s := New(run)
	events := int64(0)
	b.ReportAllocs()
	for b.Loop() {
		opt.Seed++
		r := s.Simulate(&opt)
		if r.Outcome != Done {
			b.Fatal(r.Outcome)
		}
		events += r.Events
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds()/1e6, "Mevents/s")
}

func BenchmarkUndisturbed10k(b *testing.B)  { benchmark(b, 10_000, Options{}) }
func BenchmarkUndisturbed100k(b *testing.B) { benchmark(b, 100_000, Options{}) }

func BenchmarkOneLoss10k(b *testing.B) {
	benchmark(b, 10_000, Options{ReplaceMs: -1, Removals: []Removal{{GoneMs: 300_000, DetectMs: 300_100, Machine: 3}}})
}
