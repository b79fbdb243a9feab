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

// loadView is the view of a record while it is loaded. See the package's doc
// for why no one else may name it.
const loadView = "__load"

// Load appends a record to the declared table. It keeps no reference to rec.
func (db *DB) Load(ctx context.Context, s *table.Spec, rec arrow.Record) error {
	if err := s.Check(rec); err != nil {
		return err
	}
	err := db.conn.Raw(func(c any) error { return loadRecord(ctx, c.(driver.Conn), s.Name, rec) })
	if err != nil {
		return fmt.Errorf("loading table %s: %w", s.Name, err)
	}
	return nil
}

// Write makes a DB a table.Sink.
func (db *DB) Write(s *table.Spec, rec arrow.Record) error {
	return db.Load(context.Background(), s, rec)
}

func loadRecord(ctx context.Context, c driver.Conn, name string, rec arrow.Record) error {
	a, err := duckdb.NewArrowFromConn(c)
	if err != nil {
		return err
	}
	reader, err := array.NewRecordReader(rec.Schema(), []arrow.Record{rec})
	if err != nil {
		return err
	}
	defer reader.Release() // last of all: the view reads from it
	free, err := a.RegisterView(unowned{reader}, loadView)
	if err != nil {
		return err
	}
	defer free()
	exec := c.(driver.ExecerContext)
	_, err = exec.ExecContext(ctx, "INSERT INTO "+Quote(name)+" SELECT * FROM "+loadView, nil)
	if err != nil {
		// The transaction, if there is one, is beyond help, and takes the view along.
		_, _ = exec.ExecContext(ctx, "DROP VIEW IF EXISTS "+loadView, nil)
		return err
	}
	_, err = exec.ExecContext(ctx, "DROP VIEW "+loadView, nil)
	return err
}

// unowned is a reader that its user cannot keep alive: the driver takes a
// reference that it never gives back.
type unowned struct{ array.RecordReader }

func (unowned) Retain()  {}
func (unowned) Release() {}
