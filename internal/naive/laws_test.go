package naive

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"tracereplay/internal/sparkgen"
)

// eachInstant calls do for units and instants of generated runs: all units, and
// of their breakpoints a few.
func eachInstant(t *testing.T, runs int64, do func(t *testing.T, w *World, u Unit, ms int64)) {
	for seed := range runs {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			log, _ := sparkgen.Generate(seed, sparkgen.Options{})
			w := load(t, log)
			for _, kind := range []Kind{WorkerUnit, MachineUnit} {
				for _, u := range w.Units(kind) {
					points := w.Breakpoints(u)
					for i := 0; i < len(points); i += 1 + len(points)/12 {
						do(t, w, u, points[i])
					}
				}
			}
		})
	}
}

// Low is never more than high, and totals are the sums of their parts.
func TestLowIsAtMostHigh(t *testing.T) {
	eachInstant(t, 150, func(t *testing.T, w *World, u Unit, ms int64) {
		f := w.At(u, ms)
		low := []int64{f.OwedLowOutputs + f.ClimbLowOutputs, f.OwedLowMs + f.ClimbLowMs, f.RecomputeLowMs, f.InterruptedLow}
		high := []int64{f.OwedOutputs + f.ClimbOutputs, f.OwedMs + f.ClimbMs, f.RecomputeMs, f.InterruptedHigh}
		for i := range low {
			if low[i] > high[i] {
				t.Errorf("%s %s at %d: low %v, high %v", u.Kind, u.Name, ms, low, high)
			}
		}
		if f.RecomputeMs != f.InFlightMs+f.OwedMs+f.ClimbMs+f.CachedMs {
			t.Errorf("%s %s at %d: recompute %d is not the sum of its parts", u.Kind, u.Name, ms, f.RecomputeMs)
		}
		if f.EngineRedoOutputs < f.OwedOutputs+f.ClimbOutputs || f.EngineRedoMs < f.RecomputeMs {
			t.Errorf("%s %s at %d: the engine redoes %d outputs, less than %d", u.Kind, u.Name, ms, f.EngineRedoOutputs, f.OwedOutputs+f.ClimbOutputs)
		}
		if len(f.OwedPieces) != int(f.OwedOutputs) || len(f.ClimbPieces) != int(f.ClimbOutputs) || len(f.CachedPieces) != int(f.CachedBlocks) {
			t.Errorf("%s %s at %d: pieces and counts disagree", u.Kind, u.Name, ms)
		}
	})
}

// A machine with one worker, and no shuffle service, costs what its worker costs.
func TestMachineOfOneWorker(t *testing.T) {
	n := 0
	eachInstant(t, 150, func(t *testing.T, w *World, u Unit, ms int64) {
		if u.Kind != MachineUnit {
			return
		}
		var on []*worker
		for _, x := range w.workers {
			if x.machine == u.Name {
				on = append(on, x)
			}
		}
		shared := slices.ContainsFunc(w.datasets, func(d *dataset) bool {
			for _, outs := range d.pieces {
				for _, o := range outs {
					if len(o.stays) > 0 && o.stays[0].holder.machine != "" {
						return true
					}
				}
			}
			return false
		})
		if len(on) != 1 || shared {
			return
		}
		n++
		one := w.At(Unit{Kind: WorkerUnit, Name: on[0].id}, ms)
		if all := w.At(u, ms); !reflect.DeepEqual(one, all) {
			t.Errorf("machine %s at %d: %+v, its only worker: %+v", u.Name, ms, all, one)
		}
	})
	if n == 0 {
		t.Error("no machine of one worker was generated")
	}
}

// What one worker loses its machine loses too: of lost outputs and attempts in
// flight the machine has at least as many as each of its workers.
func TestMachineTakesItsWorkers(t *testing.T) {
	eachInstant(t, 150, func(t *testing.T, w *World, u Unit, ms int64) {
		if u.Kind != WorkerUnit {
			return
		}
		one := w.At(u, ms)
		all := w.At(Unit{Kind: MachineUnit, Name: w.worker(u.Name).machine}, ms)
		if one.InFlightMs > all.InFlightMs || one.RecomputeMs > all.RecomputeMs || one.OwedOutputs+one.ClimbOutputs > all.OwedOutputs+all.ClimbOutputs {
			t.Errorf("at %d worker %s costs %+v, its machine %+v", ms, u.Name, one, all)
		}
	})
}

// Between two breakpoints nothing jumps: only what is in flight grows, by the
// time that passes for each attempt, and what is interrupted and the age with it.
func TestNothingJumpsBetweenBreakpoints(t *testing.T) {
	for seed := range int64(60) {
		log, _ := sparkgen.Generate(seed, sparkgen.Options{})
		w := load(t, log)
		for _, u := range w.Units(WorkerUnit) {
			points := w.Breakpoints(u)
			for i := 0; i+1 < len(points); i += 1 + len(points)/20 {
				from, to := points[i], points[i+1]-1
				a, b := w.At(u, from), w.At(u, to)
				a.InFlightMs += a.InFlightTasks * (to - from)
				a.InterruptedHighMs += a.InterruptedHigh * (to - from)
				for _, sum := range []*int64{&a.RecomputeMs, &a.RecomputeLowMs, &a.EngineRedoMs} {
					*sum += a.InFlightTasks * (to - from)
				}
				if a.OldestLostAgeMs.OK {
					a.OldestLostAgeMs.V += to - from
				}
				if !reflect.DeepEqual(a, b) {
					t.Errorf("seed %d worker %s jumps between %d and %d:\n%+v\n%+v", seed, u.Name, from, to, a, b)
				}
			}
		}
	}
}

// A stage attempt finds every shuffle that it reads complete, and a map stage
// attempt has as many tasks as pieces were missing: what the log says of the
// engine agrees with what was rebuilt of it.
func TestSubmissionsAgree(t *testing.T) {
	n := 0
	for seed := range int64(seeds) {
		log, truth := sparkgen.Generate(seed, sparkgen.Options{})
		if !truth.BlockUpdates && slices.ContainsFunc(truth.Outputs, func(o sparkgen.TrueOutput) bool { return o.Shuffle < 0 }) {
			continue // what a cache hid is not sure
		}
		w := load(t, log)
		for _, r := range w.rounds {
			if r.isMap && int64(len(r.missing)) != r.tasks {
				t.Errorf("seed %d stage %d.%d: %d tasks, missing are %v", seed, r.stage, r.attempt, r.tasks, r.missing)
			}
			for _, x := range r.reads {
				if x.of.cache || r.tasks == 0 {
					continue
				}
				n++
				for p := range x.of.size {
					if !slices.ContainsFunc(x.of.pieces[p], func(o *output) bool {
						return slices.ContainsFunc(o.stays, func(s *stay) bool { return s.from <= r.submit.V && r.submit.V <= s.to })
					}) {
						t.Errorf("seed %d stage %d.%d was submitted without %s[%d]", seed, r.stage, r.attempt, x.of, p)
					}
				}
			}
		}
	}
	t.Logf("%d reads were complete", n)
}
