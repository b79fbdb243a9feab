package lineage

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tracereplay/ingest"
	"tracereplay/internal/table"
)

// togetherPlain is the rule of machines.together, which looks at all that left
// and at all workers.
func togetherPlain(rest []*leaving, workers []ingest.WorkerRow) []*leaving {
	first := rest[0]
	if !first.row.Machine.OK || first.c.stated && first.c.kind != "withdrawal" && first.c.cause != "decommission" {
		return rest[:1]
	}
	var members []*leaving
	gone := map[string]bool{}
	for _, l := range rest {
		if l.removal == 0 && l.row.Machine == first.row.Machine && l.ms-first.ms <= machineWindowMs && sameStory(first.c, l.c) {
			members = append(members, l)
			gone[l.row.Worker] = true
		}
	}
	if c := strongest(members).c; c.stated && c.kind == "withdrawal" {
		return members
	}
	for i := range workers {
		w := &workers[i]
		if w.Machine == first.row.Machine && !w.IsCoordinator && !gone[w.Worker] && livedAt(w, first.ms) {
			return rest[:1]
		}
	}
	if len(members) < 2 {
		return rest[:1]
	}
	return members
}

func wholeMachinePlain(first *leaving, members []*leaving, workers []ingest.WorkerRow) bool {
	n := 0
	for i := range workers {
		w := &workers[i]
		if first.row.Machine.OK && w.Machine == first.row.Machine && !w.IsCoordinator && livedAt(w, first.ms) {
			n++
		}
	}
	return n > 0 && n <= len(members)
}

// TestTogetherRandom compares with the plain rules: workers of few machines that
// come and go within few windows, with clocks that go back.
func TestTogetherRandom(t *testing.T) {
	reasons := []string{"worker lost", "Executor decommission", "heartbeat timed out", "Command exited with code 1", "killed by driver", "", "slave lost"}
	whole, several := 0, 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 5))
		workers, all := randomLeaving(r, reasons)
		machines := machinesOf(workers, all)
		for i, l := range all {
			if l.removal != 0 {
				continue
			}
			want, got := togetherPlain(all[i:], workers), machines.together(l)
			if !slices.Equal(want, got) {
				t.Fatalf("seed %d: %d went with %s; want %d", seed, len(got), l.row.Worker, len(want))
			}
			first := strongest(got)
			is := machines.wholeMachine(first, got)
			if is != wholeMachinePlain(first, got, workers) {
				t.Fatalf("seed %d: whole machine of %s: %v", seed, first.row.Worker, is)
			}
			if is {
				whole++
			}
			if len(got) > 1 {
				several++
			}
			for _, m := range got {
				m.removal = int64(i) + 1
			}
		}
	}
	if whole < 1000 || several < 1000 {
		t.Errorf("%d whole machines, %d removals of several workers: too few to show anything", whole, several)
	}
}

func randomLeaving(r *rand.Rand, reasons []string) (workers []ingest.WorkerRow, all []*leaving) {
	for i := range r.IntN(12) {
		w := ingest.WorkerRow{Worker: fmt.Sprint(i), AddedSeq: table.Some(int64(i)), IsCoordinator: r.IntN(10) == 0}
		if r.IntN(8) > 0 {
			w.Machine = table.Some(fmt.Sprint("m", r.IntN(3)))
		}
		if r.IntN(8) > 0 {
			w.AddedMs = table.Some(r.Int64N(30_000))
		}
		if r.IntN(4) > 0 {
			w.RemovedSeq = table.Some(100 + r.Int64N(20))
		}
		if w.RemovedSeq.OK && r.IntN(8) > 0 {
			w.RemovedMs = table.Some(r.Int64N(4) * machineWindowMs)
			if r.IntN(2) == 0 {
				w.RemovedMs.V += r.Int64N(3)
			}
		}
		w.Reason = table.NonEmpty(reasons[r.IntN(len(reasons))])
		workers = append(workers, w)
	}
	for i := range workers {
		if row := &workers[i]; row.RemovedSeq.OK && !row.IsCoordinator {
			all = append(all, &leaving{w: int32(i), row: row, c: classify(row.Reason.V), ms: row.RemovedMs.Or(r.Int64N(40_000))})
		}
	}
	slices.SortStableFunc(all, func(x, y *leaving) int { return int(x.row.RemovedSeq.V - y.row.RemovedSeq.V) })
	return workers, all
}
