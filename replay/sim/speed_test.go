package sim

import (
	"fmt"
	"testing"
)

// wide makes a run of rounds stages in a row on machines x 2 workers x 4 slots.
func wide(tasks, rounds, machines int) *Run {
	r := &Run{App: "bench", Rules: RulesFor("spark", "3.5.1", nil), AgainShare: 1, Coordinator: -1}
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
			d := Dataset{ID: int64(i), Maker: int32(i), Pieces: n, Base: int32(i) * n}
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
			r.Part, r.Source = append(r.Part, k), append(r.Source, -1)
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

// BenchmarkMany is the promise: 1,000 runs of 10,000 tasks in about 2 s on two
// cores.
func BenchmarkMany1000x10k(b *testing.B) {
	run := wide(10_000, 10, 50)
	for b.Loop() {
		Many(run, Options{ReplaceMs: 120_000, Losses: Losses{RatePerHour: 0.02, NoticeMs: 120_000}}, 1000, 0)
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/1000runs")
}
