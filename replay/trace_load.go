package replay

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"tracereplay/ingest"
	"tracereplay/internal/duck"
	"tracereplay/internal/table"
)

// OpenTables opens a directory of exported tables (Parquet): they are loaded
// into a temporary trace, so that queries see the same tables either way. Of a
// data set of many applications (scripts/fleet) only opt.App is loaded, if set.
func OpenTables(ctx context.Context, dir string, opt OpenOptions) (*Trace, error) {
	w, err := CreateTemp(ctx, CreateOptions{unsealed: true, MemoryLimit: tablesMemory})
	if err != nil {
		return nil, err
	}
	if err := w.loadTables(ctx, dir, opt.App); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", dir, err), w.Abort())
	}
	if err := w.Finish(); err != nil {
		return nil, err
	}
	return w.Open(ctx, opt)
}

// tablesMemory is what DuckDB may hold while it loads tables: five hundred files
// at once have buffers of their own, which a data set of a thousand logs fills.
const tablesMemory = "2GiB"

func (w *TraceWriter) loadTables(ctx context.Context, dir, app string) error {
	if err := w.Flush(); err != nil {
		return err
	}
	if err := w.db.SetThreads(ctx, runtime.GOMAXPROCS(0)); err != nil {
		return err
	}
	parts := appParts(dir, app)
	return w.db.Tx(ctx, func() error {
		if err := w.db.Exec(ctx, "DELETE FROM meta"); err != nil { // the directory has its own
			return err
		}
		for _, s := range Tables() {
			if err := loadTable(ctx, w.db, s, dir, parts); err != nil {
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

// loadTable loads one table of a directory, or of the parts of a data set.
func loadTable(ctx context.Context, db *duck.DB, s *table.Spec, dir string, parts []appPart) error {
	files := tableFiles(dir, s.Name)
	if len(files) == 0 {
		return fmt.Errorf("no Parquet file of table %s", s.Name)
	}
	if parts == nil {
		return loadFiles(ctx, db, s, files, 0)
	}
	var all []string
	for _, p := range parts {
		files := partFiles(dir, s.Name, p.name)
		if s == &ingest.Apps.Spec && len(files) > 1 {
			return fmt.Errorf("%s holds %d logs of one application: the fleet program keeps one when it has finished", p.name, len(files))
		}
		all = append(all, files...)
		if isNumbered(s) && len(files) > 0 { // each part has counted its log as the first
			if err := loadFiles(ctx, db, s, files, p.number); err != nil {
				return err
			}
		}
	}
	if isNumbered(s) {
		return nil
	}
	for chunk := range slices.Chunk(all, filesAtOnce) {
		if err := loadFiles(ctx, db, s, chunk, 0); err != nil {
			return err
		}
	}
	return nil
}

// filesAtOnce bounds a statement that names files.
const filesAtOnce = 500

func isNumbered(s *table.Spec) bool {
	return slices.ContainsFunc(s.Columns, func(c table.Column) bool { return c.Name == logColumn })
}

// loadFiles loads files of one table, in this order. A number other than 0 is
// that of their log.
func loadFiles(ctx context.Context, db *duck.DB, s *table.Spec, files []string, number int64) error {
	cols := make([]string, len(s.Columns))
	for i, c := range s.Columns {
		cols[i] = duck.Quote(c.Name)
		if c.Name == logColumn && number > 0 {
			cols[i] = fmt.Sprint(number)
		}
	}
	names := make([]string, len(files)) // a list is not bound
	for i, f := range files {
		names[i] = "'" + strings.ReplaceAll(f, "'", "''") + "'"
	}
	from := " FROM read_parquet([" + strings.Join(names, ", ") + "], hive_partitioning = false)"
	query := "INSERT INTO " + duck.Quote(s.Name) + " SELECT " + strings.Join(cols, ", ") + from
	if s == &Metas.Spec {
		query = loadMeta + from + " GROUP BY schema_version HAVING count(*) > 0 AND schema_version NOT IN (SELECT schema_version FROM meta)"
	}
	if err := db.Exec(ctx, query); err != nil {
		if len(files) > 1 {
			return fmt.Errorf("loading table %s from %s and %d more files: %w", s.Name, files[0], len(files)-1, err)
		}
		return fmt.Errorf("loading %s: %w", files[0], err)
	}
	return nil
}

// loadMeta makes one row of the rows of many parts.
const loadMeta = "INSERT INTO meta SELECT schema_version, max(tool_version), min(command)"
