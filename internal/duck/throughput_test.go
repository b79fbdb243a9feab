package duck_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"tracereplay/ingest"
	"tracereplay/internal/duck"
	"tracereplay/internal/table"
)

// BenchmarkLoad loads the widest table, task, into a file, a chunk an
// operation, and writes rows/s. Run with -benchtime=20x or more.
func BenchmarkLoad(b *testing.B) {
	for _, block := range []int{16 << 10, 64 << 10, 256 << 10} {
		b.Run(fmt.Sprintf("block=%d", block), func(b *testing.B) { benchmarkLoad(b, block) })
	}
}

func benchmarkLoad(b *testing.B, block int) {
	ctx := context.Background()
	db, err := duck.Open(ctx, filepath.Join(b.TempDir(), "t.duckdb"), duck.Options{Threads: 1, BlockSize: block})
	if err != nil {
		b.Fatal(err)
	}
	s := &ingest.Tasks.Spec
	if err := db.CreateTable(ctx, s); err != nil {
		b.Fatal(err)
	}
	rec := chunk(s)
	defer rec.Release()
	b.ResetTimer()
	err = db.Tx(ctx, func() error {
		for b.Loop() {
			if err := db.Write(s, rec); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)*float64(rec.NumRows())/b.Elapsed().Seconds(), "rows/s")
}

// chunk makes a record of numbers that vary as a log's do.
func chunk(s *table.Spec) arrow.Record {
	rb := array.NewRecordBuilder(memory.DefaultAllocator, s.Schema())
	defer rb.Release()
	for i := range s.Columns {
		for row := range table.ChunkRows {
			appendValue(rb.Field(i), row, i)
		}
	}
	return rb.NewRecord()
}

func appendValue(b array.Builder, row, col int) {
	v := int64(row) * 2654435761 % int64(1+col*997)
	switch b := b.(type) {
	case *array.Int64Builder:
		b.Append(v)
	case *array.Float64Builder:
		b.Append(float64(v))
	case *array.StringBuilder:
		b.Append(fmt.Sprintf("worker-%d", v%40))
	case *array.BooleanBuilder:
		b.Append(v%2 == 0)
	}
}
