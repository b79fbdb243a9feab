// Package table declares tables once: names, types, units, null meanings and
// where each value comes from. From the same declaration come the Arrow
// schema, the DuckDB table with its comments, `replay tables` and
// docs/tables.md.
//
// A table is declared as a value of Table[R], where R is the Go type of one
// row and every column names the function that reads its value from a row:
//
//	var jobs = table.New[Job](table.Meta{Name: "job", ...},
//		table.Int("job", "", "Job ID", "the log's job id", func(r *Job) int64 { return r.Job }),
//		table.OptInt("end_ms", "ms", "Completion Time", "...", "the job never ended", func(r *Job) table.I64 { return r.End }),
//	)
package table

import (
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// Opt is a value that may be unknown. The zero value is unknown (null).
type Opt[T any] struct {
	V  T
	OK bool
}

// Some is a known value.
func Some[T any](v T) Opt[T] { return Opt[T]{V: v, OK: true} }

// I64 and Str are the optional types that rows use most.
type (
	I64 = Opt[int64]
	Str = Opt[string]
)

// Or returns the value, or d when it is unknown.
func (o Opt[T]) Or(d T) T {
	if o.OK {
		return o.V
	}
	return d
}

// NonEmpty is s, or null when s is empty.
func NonEmpty(s string) Str { return Str{V: s, OK: s != ""} }

// Meta says what a table is.
type Meta struct {
	Name  string
	Layer string   // ingest, lineage or result: who fills it
	Grain string   // "one row per ..."
	Key   []string // columns that identify a row
	Order []string // sort order of the rows
	Doc   string   // what a reader must know beyond the columns
}

// Column says what one column is.
type Column struct {
	Name   string
	Type   arrow.DataType
	Unit   string // "" for ids, names and counts
	Source string // field of the log, or how it is derived
	Doc    string
	Null   string // what null means; "" when the column is never null
}

// Spec is the declaration of a table without its row type.
type Spec struct {
	Meta
	Columns []Column
}

// Schema is the Arrow schema, with docs and units as field metadata.
func (s *Spec) Schema() *arrow.Schema {
	fields := make([]arrow.Field, len(s.Columns))
	for i, c := range s.Columns {
		md := arrow.NewMetadata([]string{"unit", "source", "doc", "null"}, []string{c.Unit, c.Source, c.Doc, c.Null})
		fields[i] = arrow.Field{Name: c.Name, Type: c.Type, Nullable: c.Null != "", Metadata: md}
	}
	return arrow.NewSchema(fields, nil)
}

// Check tells whether a record has this table's columns and no null where the
// declaration allows none.
func (s *Spec) Check(rec arrow.Record) error {
	if int(rec.NumCols()) != len(s.Columns) {
		return fmt.Errorf("table %s: %d columns, want %d", s.Name, rec.NumCols(), len(s.Columns))
	}
	for i, c := range s.Columns {
		f := rec.Schema().Field(i)
		if f.Name != c.Name || !arrow.TypeEqual(f.Type, c.Type) {
			return fmt.Errorf("table %s column %d: %s %s, want %s %s", s.Name, i, f.Name, f.Type, c.Name, c.Type)
		}
		if n := rec.Column(i).NullN(); n > 0 && c.Null == "" {
			return fmt.Errorf("table %s column %s: %d nulls in a column without null", s.Name, c.Name, n)
		}
	}
	return nil
}

// Comment is the one-line text that DuckDB shows for a column.
func (c Column) Comment() string {
	parts := []string{c.Doc}
	if c.Unit != "" {
		parts = append(parts, "unit: "+c.Unit)
	}
	if c.Source != "" {
		parts = append(parts, "source: "+c.Source)
	}
	if c.Null != "" {
		parts = append(parts, "null: "+c.Null)
	}
	return strings.Join(parts, "; ")
}

// Col is a column of a table whose rows are R.
type Col[R any] struct {
	Column
	append func(array.Builder, *R)
}

// Table is a declared table whose rows are R.
type Table[R any] struct {
	Spec
	cols []Col[R]
}

// New declares a table.
func New[R any](m Meta, cols ...Col[R]) *Table[R] {
	t := &Table[R]{Spec: Spec{Meta: m}, cols: cols}
	for _, c := range cols {
		t.Columns = append(t.Columns, c.Column)
	}
	return t
}

// Int declares an int64 column that is never null.
func Int[R any](name, unit, source, doc string, get func(*R) int64) Col[R] {
	return Col[R]{
		Column{name, arrow.PrimitiveTypes.Int64, unit, source, doc, ""},
		func(b array.Builder, r *R) { b.(*array.Int64Builder).Append(get(r)) },
	}
}

// OptInt declares an int64 column; null says what an unknown value means.
func OptInt[R any](name, unit, source, doc, null string, get func(*R) I64) Col[R] {
	return Col[R]{
		Column{name, arrow.PrimitiveTypes.Int64, unit, source, doc, null},
		func(b array.Builder, r *R) {
			if v := get(r); v.OK {
				b.(*array.Int64Builder).Append(v.V)
			} else {
				b.AppendNull()
			}
		},
	}
}

// OptFloat declares a float64 column; null says what an unknown value means.
func OptFloat[R any](name, unit, source, doc, null string, get func(*R) Opt[float64]) Col[R] {
	return Col[R]{
		Column{name, arrow.PrimitiveTypes.Float64, unit, source, doc, null},
		func(b array.Builder, r *R) {
			if v := get(r); v.OK {
				b.(*array.Float64Builder).Append(v.V)
			} else {
				b.AppendNull()
			}
		},
	}
}

// Text declares a string column that is never null.
func Text[R any](name, source, doc string, get func(*R) string) Col[R] {
	return Col[R]{
		Column{name, arrow.BinaryTypes.String, "", source, doc, ""},
		func(b array.Builder, r *R) { b.(*array.StringBuilder).Append(get(r)) },
	}
}

// OptText declares a string column; null says what an unknown value means.
func OptText[R any](name, source, doc, null string, get func(*R) Str) Col[R] {
	return Col[R]{
		Column{name, arrow.BinaryTypes.String, "", source, doc, null},
		func(b array.Builder, r *R) {
			if v := get(r); v.OK {
				b.(*array.StringBuilder).Append(v.V)
			} else {
				b.AppendNull()
			}
		},
	}
}

// Bool declares a boolean column that is never null.
func Bool[R any](name, source, doc string, get func(*R) bool) Col[R] {
	return Col[R]{
		Column{name, arrow.FixedWidthTypes.Boolean, "", source, doc, ""},
		func(b array.Builder, r *R) { b.(*array.BooleanBuilder).Append(get(r)) },
	}
}

// OptBool declares a boolean column; null says what an unknown value means.
func OptBool[R any](name, source, doc, null string, get func(*R) Opt[bool]) Col[R] {
	return Col[R]{
		Column{name, arrow.FixedWidthTypes.Boolean, "", source, doc, null},
		func(b array.Builder, r *R) {
			if v := get(r); v.OK {
				b.(*array.BooleanBuilder).Append(v.V)
			} else {
				b.AppendNull()
			}
		},
	}
}

// Sink takes finished records. It must retain what it keeps; the caller
// releases the record afterwards.
type Sink interface {
	Write(s *Spec, rec arrow.Record) error
}

// ChunkRows is how many rows a Writer gathers before it hands them on: a quarter
// of a DuckDB row group, so that loading goes on while the log is read, and little
// is left for its end.
const ChunkRows = 30_720

// manyRows is from how many rows on a chunk is likely to become full: instead of
// doubling it again and again, which copies it as often, room is made for all.
const manyRows = 2_048

// Writer gathers rows of one table and hands them to a sink in chunks.
type Writer[R any] struct {
	table *Table[R]
	sink  Sink
	b     *array.RecordBuilder
	row   R // being appended
	n     int
	err   error
}

// NewWriter writes rows of t to sink.
func NewWriter[R any](t *Table[R], sink Sink) *Writer[R] {
	return &Writer[R]{table: t, sink: sink}
}

// Append adds one row. An error of the sink is kept and returned by Flush.
func (w *Writer[R]) Append(r *R) {
	if w.b == nil {
		w.b = array.NewRecordBuilder(memory.DefaultAllocator, w.table.Schema())
	}
	w.row = *r // so that r does not escape: the row of each task would be allocated
	for i := range w.table.cols {
		w.table.cols[i].append(w.b.Field(i), &w.row)
	}
	switch w.n++; w.n {
	case manyRows:
		w.b.Reserve(ChunkRows - manyRows)
	case ChunkRows:
		w.flush()
	}
}

// Flush hands on what is left and returns the first error of the sink.
func (w *Writer[R]) Flush() error {
	w.flush()
	return w.err
}

func (w *Writer[R]) flush() {
	if w.n == 0 {
		return
	}
	rec := w.b.NewRecord()
	w.n = 0
	if w.err == nil {
		w.err = w.sink.Write(&w.table.Spec, rec)
	}
	rec.Release()
}
