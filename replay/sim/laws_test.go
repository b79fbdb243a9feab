package sim

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawRun draws a small run: rounds that read any earlier ones, caches, several
// jobs in a row or side by side, tasks that fail by themselves.
func drawRun(t *rapid.T) *Run {
	n := func(low, high int, what string) int { return rapid.IntRange(low, high).Draw(t, what) }
	r := &Run{App: "drawn", Coordinator: -1, AgainShare: 1, Rules: RulesFor("spark", "3.5.1", nil), Fails: map[int32][]Fail{}}
	r.Rules.FetchWaitMs, r.Rules.FetchTimeoutMs = 300, 2000
	r.Rules.Service = n(0, 3, "service") == 0
	for m := range n(1, 4, "machines") {
		r.Machines = append(r.Machines, fmt.Sprint("m", m))
		for range n(1, 2, "workers") {
			r.Workers = append(r.Workers, Worker{Name: fmt.Sprint("w", len(r.Workers)), Machine: int32(m), Slots: int32(n(1, 3, "slots")), From: int64(n(0, 3, "from") * n(0, 1, "late") * 500), To: Never, Gone: Never})
		}
	}
	base := int32(0)
	for range n(1, 4, "jobs") {
		for range n(1, 3, "rounds") {
			drawStage(t, r, &base, false)
		}
		st := drawStage(t, r, &base, true)
		j := Job{ID: int64(len(r.Jobs)), Final: st, GapMs: int64(n(0, 500, "gap")), EndGapMs: int64(n(0, 20, "end"))}
		if len(r.Jobs) > 0 && n(0, 3, "beside") > 0 {
			j.After = []int32{int32(len(r.Jobs) - 1)}
		}
		r.Jobs = append(r.Jobs, j)
	}
	return r
}

func drawStage(t *rapid.T, r *Run, base *int32, final bool) int32 {
	n := func(low, high int, what string) int { return rapid.IntRange(low, high).Draw(t, what) }
	first := int32(len(r.DurMs))
	pieces := int32(n(1, 6, "pieces"))
	s := Stage{ID: int64(len(r.Stages)), Makes: -1, First: first, Last: first + pieces, Width: pieces, Density: 1, SubmitGapMs: int64(n(0, 30, "submit")), EndGapMs: int64(n(0, 10, "done")), FetchMs: int64(n(0, 200, "fetch"))}
	if n(0, 4, "sparse") == 0 {
		s.Density = 0.3
	}
	for d := range r.Datasets {
		if n(0, 2, "reads") == 0 {
			s.Reads = append(s.Reads, int32(d))
			s.Cached = s.Cached || r.Datasets[d].Cache
		}
	}
	for k := range pieces {
		dur, pre := int32(n(0, 3000, "ms")), int32(n(-5, 30, "pre"))
		r.DurMs, r.PreMs = append(r.DurMs, dur), append(r.PreMs, max(pre, -dur))
		r.Flags, r.Part, r.Source = append(r.Flags, 0), append(r.Part, k), append(r.Source, -1)
		if n(0, 15, "fails") == 0 {
			r.Flags[first+k] = flagFails
			r.Fails[first+k] = []Fail{{int32(n(0, 500, "failed")), true}}
		}
	}
	id := int32(len(r.Stages))
	if !final {
		d := Dataset{ID: int64(len(r.Datasets)), Maker: id, Pieces: pieces, Base: *base, Inputs: s.Reads, Rollback: n(0, 9, "rollback") == 0}
		s.Makes = int32(len(r.Datasets))
		*base += pieces
		r.Datasets = append(r.Datasets, d)
	} else if n(0, 2, "cache") == 0 { // the result stage caches what it computes
		c := Dataset{ID: int64(len(r.Datasets)), Cache: true, Maker: -1, Pieces: pieces, Base: *base, Inputs: s.Reads}
		for k := range pieces {
			c.CostMs = append(c.CostMs, r.DurMs[first+k]/2)
			r.Flags[first+k] |= flagComputes
		}
		*base += pieces
		s.Reads, s.Cached = []int32{int32(len(r.Datasets))}, true
		r.Datasets = append(r.Datasets, c)
	}
	r.Stages = append(r.Stages, s)
	return id
}

// drawLosses draws removals of machines and workers.
func drawLosses(t *rapid.T, r *Run, until int64) *Options {
	opt := &Options{Cluster: Undisturbed, Trace: true, ReplaceMs: int64(rapid.IntRange(0, 2000).Draw(t, "replace")), Seed: rapid.Uint64().Draw(t, "seed")}
	opt.InOrder = rapid.Bool().Draw(t, "order")
	opt.Drain = rapid.Bool().Draw(t, "drain")
	if rapid.Bool().Draw(t, "stays away") {
		opt.ReplaceMs = -1
	}
	for range rapid.IntRange(1, 4).Draw(t, "removals") {
		x := Removal{Machine: -1, GoneMs: rapid.Int64Range(0, until).Draw(t, "gone")}
		x.DetectMs = x.GoneMs + rapid.Int64Range(0, 3000).Draw(t, "detect")
		x.NoticeMs = max(0, x.GoneMs-rapid.Int64Range(0, 1000).Draw(t, "notice"))
		x.Silent = rapid.Bool().Draw(t, "silent")
		if rapid.Bool().Draw(t, "machine") {
			x.Machine = int32(rapid.IntRange(0, len(r.Machines)-1).Draw(t, "which"))
		} else {
			x.Workers = []int32{int32(rapid.IntRange(0, len(r.Workers)-1).Draw(t, "which"))}
		}
		opt.Removals = append(opt.Removals, x)
	}
	return opt
}

// Nothing lost: every piece that a job needs runs once, and the slots' time is
// the pieces' time.
func TestLawsUndisturbed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRun(t)
		s := New(r)
		opt := &Options{Cluster: Undisturbed, Trace: true, Seed: rapid.Uint64().Draw(t, "seed")}
		res := s.Simulate(opt)
		if res.Outcome != Done || res.RerunTasks > 0 || res.RecomputeMs() > 0 {
			t.Fatalf("%+v", res)
		}
		checkTrace(t, r, s, res)
		work, ran := int64(0), map[int32]int{}
		for _, x := range res.Tasks {
			if x.Status == "success" {
				ran[x.Task]++
				work += x.EndMs - x.StartMs
			}
		}
		want := int64(0)
		for task := range ran {
			if ran[task] != 1 {
				t.Fatalf("piece %d succeeded %d times", task, ran[task])
			}
			want += int64(r.DurMs[task] + min(r.PreMs[task], 0))
		}
		cached := slices.ContainsFunc(r.Datasets, func(d Dataset) bool { return d.Cache })
		if work != want && !cached { // side by side, jobs compute a cache in another order
			t.Fatalf("slot time %d, pieces' time %d", work, want)
		}
		for _, j := range r.Jobs {
			for task := r.Stages[j.Final].First; task < r.Stages[j.Final].Last; task++ {
				if ran[task] != 1 {
					t.Fatalf("piece %d of a job's last stage did not run", task)
				}
			}
		}
		// A loss after the end changes nothing.
		end := res.MakespanMs
		opt.Removals = []Removal{{GoneMs: end + 1, DetectMs: end + 2, NoticeMs: end + 1, Machine: 0}}
		if again := s.Simulate(opt); again.MakespanMs != end || again.RerunTasks > 0 {
			t.Fatalf("a loss after the end: %d, was %d", again.MakespanMs, end)
		}
	})
}

func TestLawsWithLosses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRun(t)
		s := New(r)
		base := s.Simulate(&Options{Cluster: Undisturbed}).MakespanMs
		opt := drawLosses(t, r, base+1000)
		res := s.Simulate(opt)
		checkTrace(t, r, s, res)
		switch res.Outcome {
		case Done:
			for _, j := range r.Jobs {
				for task := r.Stages[j.Final].First; task < r.Stages[j.Final].Last; task++ {
					if s.ran[task] == 0 {
						t.Fatalf("piece %d of a job's last stage never succeeded", task)
					}
				}
			}
		case Stalled:
			if opt.ReplaceMs >= 0 {
				t.Fatal("stalled although lost workers are replaced")
			}
		case Aborted:
		default:
			t.Fatalf("outcome %q", res.Outcome)
		}
		rerun, ms := int32(0), int64(0)
		seen := map[int32]bool{}
		for _, x := range res.Tasks {
			if x.Status != "success" {
				continue
			}
			if seen[x.Task] {
				rerun++
				ms += x.EndMs - x.StartMs
			}
			seen[x.Task] = true
		}
		if rerun != res.RerunTasks || ms != res.RerunMs {
			t.Fatalf("%d attempts repeat pieces (%d ms), counted %d (%d ms)", rerun, ms, res.RerunTasks, res.RerunMs)
		}
		if len(opt.Removals) > 0 && res.Outcome == Done {
			one := res.MakespanMs
			if again := s.Simulate(opt); again.MakespanMs != one {
				t.Fatalf("again: %d, was %d", again.MakespanMs, one)
			}
		}
	})
}

// checkTrace holds the laws of any run: no slot runs two attempts at once, none
// on a worker that is not there, and a success has had its inputs.
func checkTrace(t *rapid.T, r *Run, s *Sim, res *Result) {
	bySlot := map[[2]int32][]TaskRun{}
	ended := map[int32]int64{} // first success
	for _, x := range res.Tasks {
		if x.EndMs < x.StartMs {
			t.Fatalf("ends before it starts: %+v", x)
		}
		k := [2]int32{x.Worker, x.Slot}
		bySlot[k] = append(bySlot[k], x)
		if e, ok := ended[x.Task]; x.Status == "success" && (!ok || x.EndMs < e) {
			ended[x.Task] = x.EndMs
		}
	}
	for k, list := range bySlot {
		slices.SortStableFunc(list, func(a, b TaskRun) int {
			return cmp.Or(cmp.Compare(a.StartMs, b.StartMs), cmp.Compare(a.EndMs, b.EndMs))
		})
		for i := range list[1:] {
			if list[i+1].StartMs < list[i].EndMs {
				t.Fatalf("slot %v runs two: %+v %+v", k, list[i], list[i+1])
			}
		}
		w := &s.workers[k[0]]
		for _, x := range list {
			if x.StartMs < w.from || x.Status == "success" && x.EndMs > w.gone {
				t.Fatalf("worker lives %d-%d: %+v", w.from, w.gone, x)
			}
		}
	}
	for _, x := range res.Tasks {
		if x.Status != "success" {
			continue
		}
		for _, d := range r.Stages[x.Stage].Reads {
			ds := &r.Datasets[d]
			if ds.Maker < 0 {
				continue
			}
			for p := range ds.Pieces {
				if e, ok := ended[r.Stages[ds.Maker].First+p]; !ok || e > x.StartMs {
					t.Fatalf("started at %d before its input %d/%d: %+v", x.StartMs, d, p, x)
				}
			}
		}
	}
}
