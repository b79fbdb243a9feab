package replay

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"

	"tracereplay/internal/aside"
	"tracereplay/internal/duck"
	"tracereplay/internal/table"
)

// Format is a file format of exported tables.
type Format string

// The formats. In csv null is empty and the empty text is "". Values are
// exact in all of them: a spreadsheet that takes text which begins with = for a
// formula must be told not to.
const (
	Parquet Format = "parquet"
	Arrow   Format = "arrow"
	CSV     Format = "csv"
)

// Formats are all formats, the default first.
func Formats() []Format { return []Format{Parquet, Arrow, CSV} }

// Export writes every table of the trace to a file of its own in directory
// dir, task.parquet and so on. The directory appears when it is whole; with
// force it takes the place of an earlier export.
func (t *Trace) Export(ctx context.Context, dir string, format Format, force bool) error {
	p, err := aside.NewDir(dir, force, Metas.Name+"."+string(format))
	if err != nil {
		return err
	}
	err = t.export(ctx, p.Path(), format)
	if err == nil {
		err = p.Commit()
	}
	if err != nil {
		return errors.Join(err, p.Abort())
	}
	return nil
}

func (t *Trace) export(ctx context.Context, dir string, format Format) error {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	// A session of its own: the trace's may not write files.
	db, err := duck.Open(ctx, t.Path(), duck.Options{ReadOnly: true, Unsealed: true})
	if err != nil {
		return err
	}
	for _, s := range Tables() {
		if err = exportTable(ctx, db, s, dir, format); err != nil {
			err = fmt.Errorf("exporting table %s: %w", s.Name, err)
			break
		}
	}
	return errors.Join(err, db.Close())
}

func exportTable(ctx context.Context, db *duck.DB, s *table.Spec, dir string, format Format) error {
	path := filepath.Join(dir, s.Name+"."+string(format))
	switch format {
	case Parquet:
		return copyOut(ctx, db, s, path, "FORMAT parquet, COMPRESSION zstd")
	case CSV:
		return copyOut(ctx, db, s, path, "FORMAT csv, HEADER")
	case Arrow:
		return exportArrow(ctx, db, s, path)
	default:
		return fmt.Errorf("no format %q: it is parquet, arrow or csv", format)
	}
}

func copyOut(ctx context.Context, db *duck.DB, s *table.Spec, path, how string) error {
	// COPY binds no value for its file name.
	name := "'" + strings.ReplaceAll(path, "'", "''") + "'"
	return db.Exec(ctx, "COPY "+duck.Quote(s.Name)+" TO "+name+" ("+how+")")
}

// exportRows is how many rows of a table are in memory at once.
const exportRows = 16 * table.ChunkRows

// exportArrow writes an Arrow IPC file, with what is known of each column as
// metadata of its field.
func exportArrow(ctx context.Context, db *duck.DB, s *table.Spec, path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w, err := ipc.NewFileWriter(f, ipc.WithSchema(s.Schema()))
	if err != nil {
		return errors.Join(err, f.Close())
	}
	return errors.Join(writeArrow(ctx, db, s, w), w.Close(), f.Close())
}

func writeArrow(ctx context.Context, db *duck.DB, s *table.Spec, w *ipc.FileWriter) error {
	rows, err := duck.QueryOne[int64](ctx, db, "SELECT count(*) FROM "+duck.Quote(s.Name))
	if err != nil {
		return err
	}
	return writeRows(ctx, db, s, s.Schema(), rows, w)
}

// recordWriter is a file or a stream of records.
type recordWriter interface{ Write(arrow.Record) error }

// writeRows writes the rows of a table in their order, some at a time.
func writeRows(ctx context.Context, db *duck.DB, s *table.Spec, schema *arrow.Schema, rows int64, w recordWriter) error {
	query := "SELECT * FROM " + duck.Quote(s.Name) + " WHERE rowid >= $1 AND rowid < $2"
	for from := int64(0); from < rows; from += exportRows {
		reader, err := db.QueryArrow(ctx, query, from, from+exportRows)
		if err != nil {
			return err
		}
		err = writeRecords(w, schema, reader)
		reader.Release()
		if err != nil {
			return err
		}
	}
	return nil
}

func writeRecords(w recordWriter, schema *arrow.Schema, reader array.RecordReader) error {
	for reader.Next() {
		rec := array.NewRecord(schema, reader.Record().Columns(), reader.Record().NumRows())
		err := w.Write(rec)
		rec.Release()
		if err != nil {
			return err
		}
	}
	return reader.Err()
}
