package duck

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

func threadsOf(t *testing.T, db *DB) int64 {
	t.Helper()
	n, err := QueryOne[int64](t.Context(), db, "SELECT current_setting('threads')")
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestOnOneThread has two sessions hold a database to one thread, the second
// longer than the first, and sets another number meanwhile.
func TestOnOneThread(t *testing.T) {
	ctx := t.Context()
	db := open(t, filepath.Join(t.TempDir(), "x.duckdb"), Options{Unlocked: true, Threads: 2})
	beside, err := db.Session(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer beside.Close()
	for _, step := range []struct {
		do   func(context.Context) error
		want int64
	}{
		{db.holdThreads, 1},
		{beside.holdThreads, 1},
		{func(ctx context.Context) error { return db.SetThreads(ctx, 3) }, 1},
		{db.releaseThreads, 1},
		{beside.releaseThreads, 3},
		{func(ctx context.Context) error { return db.SetThreads(ctx, 1) }, 1},
		{db.holdThreads, 1},
		{db.releaseThreads, 1},
	} {
		if err := step.do(ctx); err != nil {
			t.Fatal(err)
		}
		if got := threadsOf(t, db); got != step.want {
			t.Errorf("%d threads, want %d", got, step.want)
		}
	}
}

// TestLoadKeepsThreads loads many rows into a database that uses several threads.
func TestLoadKeepsThreads(t *testing.T) {
	ctx := t.Context()
	db := open(t, filepath.Join(t.TempDir(), "x.duckdb"), Options{Unlocked: true, Threads: 2})
	s := &pieces().Spec
	if err := db.CreateTable(ctx, s); err != nil {
		t.Fatal(err)
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, s.Schema())
	defer b.Release()
	for i := range int64(fewValues) {
		b.Field(0).(*array.Int64Builder).Append(i)
		for _, null := range b.Fields()[1:3] {
			null.AppendNull()
		}
		b.Field(3).(*array.BooleanBuilder).Append(true)
	}
	rec := b.NewRecord()
	defer rec.Release()
	if err := db.Load(ctx, s, rec); err != nil {
		t.Fatal(err)
	}
	if got, err := QueryOne[int64](ctx, db, "SELECT sum(id) FROM piece"); err != nil || got != fewValues*(fewValues-1)/2 {
		t.Errorf("sum %d, %v", got, err)
	}
	if got := threadsOf(t, db); got != 2 {
		t.Errorf("%d threads, want 2 again", got)
	}
}
