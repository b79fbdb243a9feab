package replay

import (
	"context"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"tracereplay/internal/duck"
	"tracereplay/internal/table"
)

// eachRow calls f for each row that a file of directory sql answers: for results
// of many rows, which are not made values of Go one by one.
func eachRow(ctx context.Context, db *duck.DB, f func(arrowRow), name string, args ...any) error {
	reader, err := db.QueryArrow(ctx, query(name), args...)
	if err != nil {
		return fmt.Errorf("query %s: %w", name, duck.Brief(err))
	}
	defer reader.Release()
	for reader.Next() {
		rec := reader.Record()
		for i := range int(rec.NumRows()) {
			f(arrowRow{rec, i})
		}
	}
	return reader.Err()
}

// arrowRow is one row of a record, read by the place of its columns.
type arrowRow struct {
	rec arrow.Record
	i   int
}

func (r arrowRow) int(col int) table.I64 {
	c, ok := r.rec.Column(col).(*array.Int64)
	if !ok || c.IsNull(r.i) {
		return table.I64{}
	}
	return table.Some(c.Value(r.i))
}

func (r arrowRow) bool(col int) table.Opt[bool] {
	c, ok := r.rec.Column(col).(*array.Boolean)
	if !ok || c.IsNull(r.i) {
		return table.Opt[bool]{}
	}
	return table.Some(c.Value(r.i))
}

func (r arrowRow) text(col int) string {
	c, ok := r.rec.Column(col).(*array.String)
	if !ok || c.IsNull(r.i) {
		return ""
	}
	return c.Value(r.i)
}
