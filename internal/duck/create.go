package duck

import (
	"context"
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"tracereplay/internal/table"
)

// CreateBare makes an empty table as declared, without the comments: for a
// table that nobody will look at.
func (db *DB) CreateBare(ctx context.Context, s *table.Spec) error {
	def, err := definition(s)
	if err != nil {
		return err
	}
	if err := db.Exec(ctx, def); err != nil {
		return fmt.Errorf("creating table %s: %w", s.Name, err)
	}
	return nil
}

// CreateTable makes an empty table as declared, with its comments.
func (db *DB) CreateTable(ctx context.Context, s *table.Spec) error {
	if err := db.CreateBare(ctx, s); err != nil {
		return err
	}
	// DuckDB binds no values in COMMENT, hence the quoting.
	if err := db.Exec(ctx, "COMMENT ON TABLE "+Quote(s.Name)+" IS "+quoteText(Comment(s))); err != nil {
		return fmt.Errorf("comment on table %s: %w", s.Name, err)
	}
	for _, c := range s.Columns {
		if err := db.Exec(ctx, "COMMENT ON COLUMN "+Quote(s.Name)+"."+Quote(c.Name)+" IS "+quoteText(c.Comment())); err != nil {
			return fmt.Errorf("comment on column %s.%s: %w", s.Name, c.Name, err)
		}
	}
	return nil
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
	}
	return "CREATE TABLE " + Quote(s.Name) + " (" + strings.Join(cols, ", ") + ")", nil
}

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
