package lineage_test

import (
	"path/filepath"
	"testing"
)

// TestStreamingQuery: a public log of one query; the figures are those of the
// progress reports in it.
func TestStreamingQuery(t *testing.T) {
	sink, _ := read(t, filepath.Join(corpus(t), "spark", "27-streaming-24sql"))
	if n := len(sink["progress"]); n != 8 {
		t.Errorf("%d progress reports, want 8", n)
	}
	var rows, batches int64
	for _, r := range sink["progress"] {
		rows += r.Int("input_rows")
		if r.Int("batch") != batches {
			t.Errorf("report %d is of batch %d", batches, r.Int("batch"))
		}
		batches++
	}
	first := sink["progress"][0]
	if first.Int("input_rows") != 3 || first.Int("add_batch_ms") != 3011 || first.Int("trigger_ms") != 7109 || first.Int("commit_ms")-first.Int("start_ms") != 7109 {
		t.Errorf("first report: %v", first)
	}
	if s := sink["state"][0]; s.Int("rows_total") != 1 || s.Int("memory_bytes") != 776 || s.Int("current_bytes") != 488 {
		t.Errorf("first state: %v", s)
	}
	if n := len(sink["recovery_point"]); n != 8 {
		t.Errorf("%d recovery points, want 8", n)
	}
	for _, r := range sink["state_partition"] {
		if r.Text("query") == "" || r["batch"] == nil {
			t.Errorf("a state partition of no batch: %v", r)
		}
	}
	if n := len(sink["state_partition"]); rows != 641 || n != 16 {
		t.Errorf("%d rows, %d state partitions kept; want 641 and 16: 2 in each batch", rows, n)
	}
}
