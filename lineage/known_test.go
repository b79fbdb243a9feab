package lineage_test

import (
	"path/filepath"
	"testing"

	"tracereplay/internal/tabletest"
)

// heldAtLoss counts, per worker, the outputs of a dataset (-1: of all) that a
// removal took, and all that ever stood on the worker.
func heldAtLoss(sink tabletest.Sink, dataset int64) (taken, ever map[string]int) {
	taken, ever = map[string]int{}, map[string]int{}
	outputs := map[int64]tabletest.Row{}
	shuffles := map[int64]bool{}
	for _, d := range sink["dataset"] {
		shuffles[d.Int("dataset")] = d.Text("kind") == "shuffle"
	}
	for _, o := range sink["output"] {
		outputs[o.Int("output")] = o
	}
	for _, r := range sink["residence"] {
		o := outputs[r.Int("output")]
		if !shuffles[o.Int("dataset")] {
			continue
		}
		w := o.Text("worker")
		ever[w]++
		if (dataset < 0 || o.Int("dataset") == dataset) && r.Text("end_reason") == "worker_removed" {
			taken[w]++
		}
	}
	return taken, ever
}

// TestTwoLossesInARunningMapStage: the engine itself says, by re-queueing, which
// outputs of the running stage 238 stood on the two lost workers.
func TestTwoLossesInARunningMapStage(t *testing.T) {
	sink, _ := read(t, filepath.Join(corpus(t), "spark", "01-rapids-exec-lost-fetchfailed.zstd"))
	requeued := map[string]int{}
	for _, r := range sink["resubmit"] {
		if r.Int("stage") == 238 {
			requeued[r.Text("worker")]++
		}
	}
	var dataset int64 = -1
	for _, a := range sink["attempt"] {
		if a.Int("stage") == 238 && a["dataset"] != nil {
			dataset = a.Int("dataset")
		}
	}
	taken, ever := heldAtLoss(sink, dataset)
	all, _ := heldAtLoss(sink, -1)
	upstream := map[string]int{}
	for _, n := range sink["need"] {
		if n.Int("stage") == 238 {
			upstream, _ = heldAtLoss(sink, n.Int("dataset"))
		}
	}
	want := map[string][5]int{ // re-queued, of the running stage, of the stage before it, in all, ever
		"1": {27, 27, 2, 719, 719},
		"2": {23, 23, 2, 827, 827},
	}
	for w, x := range want {
		if got := [5]int{requeued[w], taken[w], upstream[w], all[w], ever[w]}; got != x {
			t.Errorf("worker %s: re-queued, taken, taken of stage 237, taken in all, ever: %v, want %v", w, got, x)
		}
	}
	for _, r := range sink["removal"] {
		if r.Text("kind") != "unknown" || r.Text("reason") != "Executor Process Lost" || r.Int("workers") != 1 {
			t.Errorf("removal %v: want a lone worker of unknown kind", r)
		}
	}
	if n := len(sink["removal"]); n != 2 {
		t.Errorf("%d removals, want 2", n)
	}
}
