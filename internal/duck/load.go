package duck

import (
	"context"
	"database/sql/driver"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	duckdb "github.com/marcboeker/go-duckdb"

	"tracereplay/internal/table"
)

// loadView is the view of records while they are loaded. See the package's doc
// for why no one else may name it. It is an entry of the catalog, which sessions
// share.
func (db *DB) loadView() string {
	if db.isFurther {
		return fmt.Sprintf("__load_%p", db)
	}
	return "__load"
}

// Load appends records, in order, to the declared table. It keeps no reference
// to them. Few large loads are much faster than many small ones.
func (db *DB) Load(ctx context.Context, s *table.Spec, recs ...arrow.Record) error {
	for _, rec := range recs {
		if err := s.Check(rec); err != nil {
			return err
		}
	}
	var err error
	if values(recs) <= fewValues {
		err = db.conn.Raw(func(c any) error { return appendRows(c.(driver.Conn), s, recs) })
	} else {
		err = db.onOneThread(ctx, func() error {
			return db.conn.Raw(func(c any) error { return load(ctx, c.(driver.Conn), db.loadView(), s, recs) })
		})
	}
	if err != nil {
		return fmt.Errorf("loading table %s: %w", s.Name, err)
	}
	return nil
}

// Write makes a DB a table.Sink.
func (db *DB) Write(s *table.Spec, rec arrow.Record) error {
	return db.Load(context.Background(), s, rec)
}

func load(ctx context.Context, c driver.Conn, view string, s *table.Spec, recs []arrow.Record) error {
	a, err := duckdb.NewArrowFromConn(c)
	if err != nil {
		return err
	}
	reader, err := newReader(s, recs)
	if err != nil {
		return err
	}
	defer reader.Release() // last of all: the view reads from it
	free, err := a.RegisterView(unowned{reader}, view)
	if err != nil {
		return err
	}
	defer free()
	exec := c.(driver.ExecerContext)
	_, err = exec.ExecContext(ctx, "INSERT INTO "+Quote(s.Name)+" SELECT * FROM "+view, nil)
	if err != nil {
		// The transaction, if there is one, is beyond help, and takes the view along.
		_, _ = exec.ExecContext(ctx, "DROP VIEW IF EXISTS "+view, nil)
		return err
	}
	_, err = exec.ExecContext(ctx, "DROP VIEW "+view, nil)
	return err
}

// newReader reads records under the table's schema. Check has compared their
// types; the driver is not asked to compare metadata.
func newReader(s *table.Spec, recs []arrow.Record) (array.RecordReader, error) {
	schema := s.Schema()
	same := make([]arrow.Record, len(recs))
	for i, rec := range recs {
		same[i] = array.NewRecord(schema, rec.Columns(), rec.NumRows())
		defer same[i].Release()
	}
	return array.NewRecordReader(schema, same)
}

// unowned is a reader that its user cannot keep alive: the driver takes a
// reference that it never gives back.
type unowned struct{ array.RecordReader }

func (unowned) Retain()  {}
func (unowned) Release() {}
