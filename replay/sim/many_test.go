package sim

import (
	"math"
	"reflect"
	"testing"
)

// Any number of threads gives the same samples, and each can be had again.
func TestManyThreads(t *testing.T) {
	run := wide(2000, 5, 10)
	opt := Options{Seed: 42, ReplaceMs: 60_000, Losses: Losses{RatePerHour: 2, NoticeMs: 120_000}}
	one := Many(run, opt, 64, 1)
	if many := Many(run, opt, 64, 7); !reflect.DeepEqual(one, many) {
		t.Fatal("samples differ between 1 and 7 threads")
	}
	removals := int32(0)
	for i := range one {
		removals += one[i].Removals
	}
	if removals == 0 {
		t.Fatal("nothing was lost")
	}
	opt.Seed = one[17].Seed
	if again := New(run).Simulate(&opt).Sample(17); again != one[17] {
		t.Fatalf("run 17 again: %+v, was %+v", again, one[17])
	}
}

// The lives drawn have the rate that was asked for, and a bathtub loses as many
// machines in a day.
func TestLives(t *testing.T) {
	for _, life := range []Lifetime{Exponential, Bathtub} {
		l := Losses{RatePerHour: 0.05, Lifetime: life}
		gone, early, hours := 0, 0, 0.0
		for m := range int32(20_000) {
			h := float64(l.lifeMs(7, m, 0, 1)) / 3_600_000
			if h < 24 {
				gone++
			}
			if h < 1 {
				early++
			}
			hours += min(h, 24)
		}
		want := 1 - math.Exp(-0.05*24)
		if got := float64(gone) / 20_000; math.Abs(got-want) > 0.01 {
			t.Errorf("lifetime %d: %.3f go within a day, want %.3f", life, got, want)
		}
		if life == Exponential && math.Abs(float64(gone)/hours-0.05) > 0.002 {
			t.Errorf("rate %.4f", float64(gone)/hours)
		}
		if life == Bathtub && early < 3*20_000*5/100 {
			t.Errorf("bathtub: only %d go in the first hour", early)
		}
	}
}

// Groups: the rate of a machine stays the same, several go together.
func TestGroups(t *testing.T) {
	run := wide(1600, 4, 20)
	opt := Options{ReplaceMs: 1000, Losses: Losses{RatePerHour: 3}}
	mean := func(share float64, window int64) (float64, float64) {
		o := opt
		o.Losses.Share, o.Losses.WindowMs = share, window
		n, hours, most := 0.0, 0.0, 0.0
		for _, s := range Many(run, o, 300, 0) {
			n, hours = n+float64(s.Removals), hours+float64(s.MakespanMs)/3_600_000
			most = max(most, float64(s.Removals))
		}
		return n / hours, most
	}
	alone, _ := mean(0, 0)
	together, most := mean(0.25, 30_000)
	if math.Abs(together/alone-1) > 0.15 {
		t.Errorf("%.1f removals an hour in groups, %.1f alone", together, alone)
	}
	if most < 5 {
		t.Errorf("at most %.0f together", most)
	}
}

func TestQuantiles(t *testing.T) {
	var list []float64
	for i := range 1000 {
		list = append(list, float64(999-i))
	}
	q := Quantiles(list, 0.5, 0.99)
	if q[0].V != 499 || q[0].Low > 470 || q[0].High < 528 || q[1].V != 989 || q[1].Low >= 989 || q[1].High <= 989 {
		t.Errorf("%+v", q)
	}
	if q := Quantiles([]float64{5}, 0.5); q[0].V != 5 || q[0].Low != 5 || q[0].High != 5 {
		t.Errorf("%+v", q)
	}
}
