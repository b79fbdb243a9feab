package duck

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"reflect"

	"github.com/apache/arrow/go/v17/arrow/array"
	duckdb "github.com/marcboeker/go-duckdb"
)

// Exec runs one statement or several; args are bound to the last.
func (db *DB) Exec(ctx context.Context, query string, args ...any) error {
	_, err := db.ExecRows(ctx, query, args...)
	return err
}

// ExecRows is Exec; it tells how many rows a statement wrote, such as one that
// makes a table from a query.
func (db *DB) ExecRows(ctx context.Context, query string, args ...any) (int64, error) {
	db.binding.Lock()
	defer db.binding.Unlock()
	query, args, err := db.bind(ctx, query, args)
	if err != nil {
		return 0, err
	}
	r, err := db.conn.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// Tx runs f inside a transaction: all of what it changes, or, on an error,
// nothing.
func (db *DB) Tx(ctx context.Context, f func() error) error {
	if err := db.Exec(ctx, "BEGIN TRANSACTION"); err != nil {
		return err
	}
	if err := f(); err != nil {
		// Not ctx: it may be the reason why f failed.
		return errors.Join(err, db.Exec(context.Background(), "ROLLBACK"))
	}
	return db.Exec(ctx, "COMMIT")
}

// Rows runs a query of any shape. The caller closes the rows. Results are held
// in memory by DuckDB until then.
func (db *DB) Rows(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	db.binding.Lock()
	defer db.binding.Unlock()
	query, args, err := db.bind(ctx, query, args)
	if err != nil {
		return nil, err
	}
	return db.conn.QueryContext(ctx, query, args...)
}

// Query runs a query and returns its rows. T is a type that one column fits,
// or a struct with one field for each column, named by the tag `col:"name"`.
// A column that may be null wants a table.Opt, or a pointer.
func Query[T any](ctx context.Context, db *DB, query string, args ...any) ([]T, error) {
	rows, err := db.Rows(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	scan, err := newScanner(reflect.TypeFor[T](), names)
	if err != nil {
		return nil, err
	}
	var out []T
	for rows.Next() {
		if err := rows.Scan(scan.targets...); err != nil {
			return nil, err
		}
		var v T
		if err := scan.assign(reflect.ValueOf(&v).Elem()); err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

// QueryOne runs a query that has exactly one row.
func QueryOne[T any](ctx context.Context, db *DB, query string, args ...any) (T, error) {
	all, err := Query[T](ctx, db, query, args...)
	if err != nil {
		return *new(T), err
	}
	if len(all) != 1 {
		return *new(T), fmt.Errorf("%d rows where one was expected", len(all))
	}
	return all[0], nil
}

// QueryArrow runs a query and returns its result as Arrow records, all of them
// in memory at once: it is for exports of bounded pieces. The caller releases
// the reader.
func (db *DB) QueryArrow(ctx context.Context, query string, args ...any) (array.RecordReader, error) {
	db.binding.Lock()
	defer db.binding.Unlock()
	query, args, err := db.bind(ctx, query, args)
	if err != nil {
		return nil, err
	}
	var reader array.RecordReader
	err = db.conn.Raw(func(c any) error {
		a, err := duckdb.NewArrowFromConn(c.(driver.Conn))
		if err != nil {
			return err
		}
		reader, err = a.QueryContext(ctx, query, args...)
		return err
	})
	return reader, err
}
