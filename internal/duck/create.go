package duck

import (
	"context"
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"tracereplay/internal/table"
)

// CreateTable makes an empty table as declared, with its comments.
func (db *DB) CreateTable(ctx context.Context, s *table.Spec) error {
	steps, err := Definition(s)
	if err != nil {
		return err
	}
	for _, step := range steps {
		if err := db.Exec(ctx, step); err != nil {
			return fmt.Errorf("creating table %s: %w", s.Name, err)
		}
	}
	return nil
}

// Definition is the statements that make an empty table with its comments.
// DuckDB binds no values in COMMENT, hence the quoting.
func Definition(s *table.Spec) ([]string, error) {
	def, err := definition(s)
	if err != nil {
		return nil, err
	}
	steps := []string{def, "COMMENT ON TABLE " + Quote(s.Name) + " IS " + quoteText(Comment(s))}
	for _, c := range s.Columns {
		steps = append(steps, "COMMENT ON COLUMN "+Quote(s.Name)+"."+Quote(c.Name)+" IS "+quoteText(c.Comment()))
	}
	return steps, nil
}

// Comment is the one-line text that DuckDB shows for a table.
func Comment(s *table.Spec) string {
	parts := []string{s.Grain}
	if len(s.Key) > 0 {
		parts = append(parts, "key: "+strings.Join(s.Key, ", "))
	}
	if s.Doc != "" {
		parts = append(parts, s.Doc)
	}
	return strings.Join(parts, "; ")
}

func definition(s *table.Spec) (string, error) {
	cols := make([]string, len(s.Columns))
	for i, c := range s.Columns {
		t, err := TypeName(c.Type)
		if err != nil {
			return "", fmt.Errorf("table %s column %s: %w", s.Name, c.Name, err)
		}
		cols[i] = Quote(c.Name) + " " + t
		if c.Null == "" {
			cols[i] += " NOT NULL"
		}
		if how := compression[c.Type.ID()]; how != "" {
			cols[i] += " USING COMPRESSION " + how
		}
	}
	return "CREATE TABLE " + Quote(s.Name) + " (" + strings.Join(cols, ", ") + ")", nil
}

// compression is how columns of a type are kept. What is not said DuckDB finds
// out by trying all ways on each column, which took half of the time that a
// checkpoint takes.
var compression = map[arrow.Type]string{arrow.STRING: "dictionary"}

// TypeName is DuckDB's name of a type that a column may have.
func TypeName(t arrow.DataType) (string, error) {
	switch t.ID() {
	case arrow.INT64:
		return "BIGINT", nil
	case arrow.FLOAT64:
		return "DOUBLE", nil
	case arrow.STRING:
		return "VARCHAR", nil
	case arrow.BOOL:
		return "BOOLEAN", nil
	default:
		return "", fmt.Errorf("no column may have the type %s", t)
	}
}

// Quote makes an identifier of a name.
func Quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// quoteText makes a literal of a text, where a value cannot be bound.
func quoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
