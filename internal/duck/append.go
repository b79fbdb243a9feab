package duck

import (
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	duckdb "github.com/marcboeker/go-duckdb"

	"tracereplay/internal/table"
)

// fewValues is up to how many values rows are appended one by one, 0.1 us a value,
// instead of by a statement that has to be planned, 0.6 to 1 ms.
const fewValues = 4_000

func values(recs []arrow.Record) int64 {
	n := int64(0)
	for _, rec := range recs {
		n += rec.NumRows() * rec.NumCols()
	}
	return n
}

// appendRows is load for few rows.
func appendRows(c driver.Conn, s *table.Spec, recs []arrow.Record) (err error) {
	a, err := duckdb.NewAppenderFromConn(c, "", s.Name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	row := make([]driver.Value, len(s.Columns))
	for _, rec := range recs {
		for i := range int(rec.NumRows()) {
			for j := range row {
				if row[j], err = valueAt(rec.Column(j), i); err != nil {
					return fmt.Errorf("column %s: %w", s.Columns[j].Name, err)
				}
			}
			if err := a.AppendRow(row...); err != nil {
				return err
			}
		}
	}
	return nil
}

// valueAt is a value of a column as the driver takes it; its types are those of
// TypeName.
func valueAt(col arrow.Array, i int) (driver.Value, error) {
	if col.IsNull(i) {
		return nil, nil
	}
	switch col := col.(type) {
	case *array.Int64:
		return col.Value(i), nil
	case *array.Float64:
		return col.Value(i), nil
	case *array.String:
		return col.Value(i), nil
	case *array.Boolean:
		return col.Value(i), nil
	default:
		return nil, fmt.Errorf("no column may have the type %s", col.DataType())
	}
}
