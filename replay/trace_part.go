package replay

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"tracereplay/internal/duck"
	"tracereplay/internal/table"
)

// A part is what one log of many came to, before all are put into one trace:
// a file of Arrow streams one after the other, one for each table that has
// rows, with the table's name in its metadata.
const partTable = "table"

// logColumn numbers the logs of a trace. A part does not know its number: logs
// may come and go between the run that wrote it and the one that uses it.
const logColumn = "log"

// WritePart writes all rows of the trace, which must have been flushed. Table
// meta stays: the trace that takes the part has its own.
func (w *TraceWriter) WritePart(ctx context.Context, out io.Writer) error {
	for _, s := range Tables() {
		if s == &Metas.Spec {
			continue
		}
		if err := w.writePartTable(ctx, out, s); err != nil {
			return fmt.Errorf("writing a part of table %s: %w", s.Name, err)
		}
	}
	return nil
}

func (w *TraceWriter) writePartTable(ctx context.Context, out io.Writer, s *table.Spec) error {
	rows, err := duck.QueryOne[int64](ctx, w.db, "SELECT count(*) FROM "+duck.Quote(s.Name))
	if err != nil || rows == 0 {
		return err
	}
	schema := partSchema(s)
	stream := ipc.NewWriter(out, ipc.WithSchema(schema), ipc.WithLZ4(), ipc.WithCompressConcurrency(1))
	return errors.Join(writeRows(ctx, w.db, s, schema, rows, stream), stream.Close())
}

// partSchema is a table's schema without what people read.
func partSchema(s *table.Spec) *arrow.Schema {
	fields := make([]arrow.Field, len(s.Columns))
	for i, f := range s.Schema().Fields() {
		fields[i] = arrow.Field{Name: f.Name, Type: f.Type, Nullable: f.Nullable}
	}
	meta := arrow.NewMetadata([]string{partTable}, []string{s.Name})
	return arrow.NewSchema(fields, &meta)
}

// ReadPart adds the rows of a part, as those of log number n.
func (w *TraceWriter) ReadPart(in io.Reader, n int64) error {
	specs := map[string]*table.Spec{}
	for _, s := range Tables() {
		specs[s.Name] = s
	}
	buf := bufio.NewReaderSize(in, 1<<16)
	for {
		if _, err := buf.Peek(1); errors.Is(err, io.EOF) {
			return nil
		}
		if err := w.readPartTable(buf, specs, n); err != nil {
			return err
		}
	}
}

func (w *TraceWriter) readPartTable(in io.Reader, specs map[string]*table.Spec, n int64) error {
	r, err := ipc.NewReader(in)
	if err != nil {
		return fmt.Errorf("reading a part: %w", err)
	}
	defer r.Release()
	name, _ := r.Schema().Metadata().GetValue(partTable)
	s := specs[name]
	if s == nil {
		return fmt.Errorf("reading a part: no table %q", name)
	}
	for r.Next() {
		rec := numbered(r.Record(), n)
		err := w.Write(s, rec)
		rec.Release()
		if err != nil {
			return err
		}
	}
	if err := r.Err(); err != nil {
		return fmt.Errorf("reading a part of table %s: %w", name, err)
	}
	return nil
}

// numbered is a record with the number of its log set.
func numbered(rec arrow.Record, n int64) arrow.Record {
	at := rec.Schema().FieldIndices(logColumn)
	if len(at) == 0 {
		rec.Retain()
		return rec
	}
	b := array.NewInt64Builder(memory.DefaultAllocator)
	defer b.Release()
	b.Reserve(int(rec.NumRows()))
	for range rec.NumRows() {
		b.UnsafeAppend(n)
	}
	col := b.NewArray()
	defer col.Release()
	cols := append([]arrow.Array(nil), rec.Columns()...)
	cols[at[0]] = col
	return array.NewRecord(rec.Schema(), cols, rec.NumRows())
}
