package replay

import (
	"errors"
	"path/filepath"
	"testing"

	"tracereplay/ingest"
	"tracereplay/internal/duck"
	"tracereplay/internal/table"
)

// TestSinkKeepsOrder writes rows of several tables between flushes, few at a
// time and more than are worth a load of their own: all are there, in the order
// in which they came.
func TestSinkKeepsOrder(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "x.duckdb")
	w, err := Create(ctx, path, CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	sizes := []int{3, loadRows + 5, 1, 2*loadRows + 1, 7}
	next := int64(0)
	for _, n := range sizes {
		parents, counts := table.NewWriter(ingest.RDDParents, w), table.NewWriter(ingest.EventCounts, w)
		for range n {
			parents.Append(&ingest.RDDParentRow{App: "a", Seq: next})
			counts.Append(&ingest.EventCountRow{Event: "x", Lines: next})
			next++
		}
		if err := errors.Join(parents.Flush(), counts.Flush(), w.Flush()); err != nil {
			t.Fatal(err)
		}
	}
	for _, query := range []string{"SELECT seq FROM rdd_parent", "SELECT lines FROM event_count"} {
		got, err := duck.Query[int64](ctx, w.DB(), query)
		if err != nil {
			t.Fatal(err)
		}
		if int64(len(got)) != next {
			t.Fatalf("%s: %d rows, want %d", query, len(got), next)
		}
		for i, v := range got {
			if v != int64(i) {
				t.Fatalf("%s: row %d is %d", query, i, v)
			}
		}
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
}
