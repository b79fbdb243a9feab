// Package tabletest keeps the rows of tables in memory, for tests.
package tabletest

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"tracereplay/internal/table"
)

// Row is a row by column name; a null is absent.
type Row map[string]any

// Int is an int64 value, 0 when null.
func (r Row) Int(col string) int64 {
	n, _ := r[col].(int64)
	return n
}

// Text is a string value, "" when null.
func (r Row) Text(col string) string {
	s, _ := r[col].(string)
	return s
}

// Sink keeps rows by table.
type Sink map[string][]Row

// Write implements table.Sink. It checks the record against the declaration.
func (s Sink) Write(spec *table.Spec, rec arrow.Record) error {
	if err := spec.Check(rec); err != nil {
		return err
	}
	for i := range int(rec.NumRows()) {
		row := Row{}
		for c := range spec.Columns {
			if v, ok := value(rec.Column(c), i); ok {
				row[spec.Columns[c].Name] = v
			}
		}
		s[spec.Name] = append(s[spec.Name], row)
	}
	return nil
}

func value(col arrow.Array, i int) (any, bool) {
	if col.IsNull(i) {
		return nil, false
	}
	switch c := col.(type) {
	case *array.Int64:
		return c.Value(i), true
	case *array.Float64:
		return c.Value(i), true
	case *array.Boolean:
		return c.Value(i), true
	case *array.String:
		return c.Value(i), true
	}
	return col.ValueStr(i), true
}
