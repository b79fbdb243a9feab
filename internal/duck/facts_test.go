package duck

import (
	"context"
	"database/sql/driver"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	duckdb "github.com/marcboeker/go-duckdb"
)

// The facts about the driver that Load is built around. When one of these
// tests fails after an upgrade, the driver has been mended: read doc.go again.

// withView registers a view "v" of two integer columns, a = 1, 2, 3 and
// b = 10, 20, 30, through wrap, and runs f with the driver's connection.
func withView(t *testing.T, mem memory.Allocator, wrap func(array.RecordReader) array.RecordReader, f func(db *DB)) {
	t.Helper()
	db := openMemory(t)
	b := array.NewRecordBuilder(mem, arrow.NewSchema([]arrow.Field{
		{Name: "a", Type: arrow.PrimitiveTypes.Int64},
		{Name: "b", Type: arrow.PrimitiveTypes.Int64},
	}, nil))
	defer b.Release()
	b.Field(0).(*array.Int64Builder).AppendValues([]int64{1, 2, 3}, nil)
	b.Field(1).(*array.Int64Builder).AppendValues([]int64{10, 20, 30}, nil)
	rec := b.NewRecord()
	defer rec.Release()
	reader, err := array.NewRecordReader(rec.Schema(), []arrow.Record{rec})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Release()
	var free func()
	err = db.conn.Raw(func(c any) error {
		a, err := duckdb.NewArrowFromConn(c.(driver.Conn))
		if err != nil {
			return err
		}
		free, err = a.RegisterView(wrap(reader), "v")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	defer free()
	f(db)
	if err := db.Exec(context.Background(), "DROP VIEW v"); err != nil {
		t.Fatal(err)
	}
}

func safe(r array.RecordReader) array.RecordReader { return unowned{r} }

func sum(t *testing.T, db *DB, column string) int64 {
	t.Helper()
	n, err := QueryOne[int64](context.Background(), db, "SELECT coalesce(sum(x), 0) FROM (SELECT "+column+" AS x FROM v)")
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestFactViewAnswersWrongColumn(t *testing.T) {
	withView(t, memory.DefaultAllocator, safe, func(db *DB) {
		if got := sum(t, db, "b"); got != 6 {
			t.Errorf("sum of b alone = %d; it used to be the sum of a, 6; right is 60", got)
		}
	})
}

func TestFactViewIsReadOnce(t *testing.T) {
	withView(t, memory.DefaultAllocator, safe, func(db *DB) {
		if first, second := sum(t, db, "a + b"), sum(t, db, "a + b"); first != 66 || second != 0 {
			t.Errorf("sums of the first and second reading = %d and %d; they used to be 66 and 0", first, second)
		}
	})
}

func TestFactDriverKeepsReader(t *testing.T) {
	leak := func(wrap func(array.RecordReader) array.RecordReader) int {
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		withView(t, mem, wrap, func(db *DB) { sum(t, db, "a + b") })
		return mem.CurrentAlloc()
	}
	if got := leak(func(r array.RecordReader) array.RecordReader { return r }); got == 0 {
		t.Error("a plain reader leaves no memory held; it used to")
	}
	if got := leak(safe); got != 0 {
		t.Errorf("an unowned reader leaves %d bytes held", got)
	}
}
