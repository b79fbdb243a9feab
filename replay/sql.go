package replay

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"

	"tracereplay/internal/duck"
)

//go:embed sql
var queries embed.FS

// query is the text of a file of directory sql, named without its ending.
func query(name string) string {
	text, err := queries.ReadFile("sql/" + name + ".sql")
	if err != nil {
		panic("replay: " + err.Error())
	}
	return string(text)
}

// run executes files of directory sql one after the other, each with the same
// bound values.
func run(ctx context.Context, db *duck.DB, names []string, args ...any) error {
	for _, name := range names {
		if err := db.Exec(ctx, query(name), args...); err != nil {
			return fmt.Errorf("query %s: %w", name, duck.Brief(err))
		}
	}
	return nil
}

// rows executes a file of directory sql that answers rows.
func rows[T any](ctx context.Context, db *duck.DB, name string, args ...any) ([]T, error) {
	out, err := duck.Query[T](ctx, db, query(name), args...)
	if err != nil {
		return nil, fmt.Errorf("query %s: %w", name, duck.Brief(err))
	}
	return out, nil
}

// row executes a file of directory sql that answers one row.
func row[T any](ctx context.Context, db *duck.DB, name string, args ...any) (T, error) {
	out, err := duck.QueryOne[T](ctx, db, query(name), args...)
	if err != nil {
		return out, fmt.Errorf("query %s: %w", name, duck.Brief(err))
	}
	return out, nil
}

// listRows is how many rows are handed to the database at a time: some 5 MB.
const listRows = 100_000

// appendLists executes a file of directory sql that appends rows to a table: it
// takes some at a time, as a list for each column, in JSON.
func appendLists(ctx context.Context, db *duck.DB, name string, cols [][]int64) error {
	for first := 0; first < len(cols[0]); first += listRows {
		part := make([][]int64, len(cols))
		for i, col := range cols {
			part[i] = col[first:min(first+listRows, len(col))]
		}
		text, err := json.Marshal(part)
		if err != nil {
			return err
		}
		if err := run(ctx, db, []string{name}, string(text)); err != nil {
			return err
		}
	}
	return nil
}
