package replay

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tracereplay/internal/duck"
	"tracereplay/internal/table"
)

// OpenTables opens a directory of exported tables (Parquet): they are loaded
// into a temporary trace, so that queries see the same tables either way.
func OpenTables(ctx context.Context, dir string, opt OpenOptions) (*Trace, error) {
	w, err := CreateTemp(ctx, CreateOptions{unsealed: true})
	if err != nil {
		return nil, err
	}
	if err := w.loadTables(ctx, dir); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", dir, err), w.Abort())
	}
	if err := w.Finish(); err != nil {
		return nil, err
	}
	return w.Open(ctx, opt)
}

func (w *TraceWriter) loadTables(ctx context.Context, dir string) error {
	if err := w.Flush(); err != nil {
		return err
	}
	return w.db.Tx(ctx, func() error {
		if err := w.db.Exec(ctx, "DELETE FROM meta"); err != nil { // the directory has its own
			return err
		}
		for _, s := range Tables() {
			if err := loadFiles(ctx, w.db, s, tableFiles(dir, s.Name)); err != nil {
				return err
			}
			if s == &Metas.Spec {
				if _, err := readMeta(ctx, w.db); err != nil { // before columns that may differ
					return err
				}
			}
		}
		return nil
	})
}

func loadFiles(ctx context.Context, db *duck.DB, s *table.Spec, files []string) error {
	if len(files) == 0 {
		return fmt.Errorf("no Parquet file of table %s", s.Name)
	}
	cols := make([]string, len(s.Columns))
	for i, c := range s.Columns {
		cols[i] = duck.Quote(c.Name)
	}
	list := "SELECT " + strings.Join(cols, ", ") + " FROM read_parquet($1)"
	if s == &Metas.Spec { // every part of a data set has the same row
		list = strings.Replace(list, "SELECT", "SELECT DISTINCT", 1)
	}
	for _, file := range files {
		if err := db.Exec(ctx, "INSERT INTO "+duck.Quote(s.Name)+" "+list, file); err != nil {
			return fmt.Errorf("loading %s: %w", file, err)
		}
	}
	return nil
}
