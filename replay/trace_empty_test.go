package replay

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"

	"tracereplay/internal/duck"
)

var update = flag.Bool("update", false, "make the empty trace again")

// TestEmptyTrace compares the empty trace that traces begin from with one that
// the definitions make: the same tables, views, columns and comments.
func TestEmptyTrace(t *testing.T) {
	made := filepath.Join(t.TempDir(), "made.duckdb")
	makeEmpty(t, made)
	if *update {
		packEmpty(t, made)
		return
	}
	kept := filepath.Join(t.TempDir(), "kept.duckdb")
	switch ok, err := writeEmpty(kept); {
	case err != nil:
		t.Fatal(err)
	case !ok:
		t.Fatal("tables have changed since the empty trace was made: go test ./replay -run TestEmptyTrace -update")
	}
	want, got := catalogOf(t, made), catalogOf(t, kept)
	if !slices.Equal(got, want) {
		t.Errorf("the empty trace has\n%q\nthe definitions make\n%q", got, want)
	}
}

// makeEmpty makes all tables by their statements, and no row.
func makeEmpty(t *testing.T, path string) {
	t.Helper()
	w := &TraceWriter{db: openNew(t, path)}
	if err := w.define(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := w.db.Close(); err != nil {
		t.Fatal(err)
	}
}

func openNew(t *testing.T, path string) *duck.DB {
	t.Helper()
	db, err := duck.Open(t.Context(), path, duck.Options{BlockSize: blockSize, Unsealed: true})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// packEmpty copies what the database at made has into a new one, and keeps that
// as it is before its log is written into the file.
func packEmpty(t *testing.T, made string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "new.duckdb")
	db := openNew(t, path)
	defer db.Close()
	for _, step := range []string{"ATTACH '" + made + "' AS made (READ_ONLY)", "COPY FROM DATABASE made TO trace (SCHEMA)"} {
		if err := db.Exec(t.Context(), step); err != nil {
			t.Fatal(err)
		}
	}
	sum, err := definitionsSum()
	if err != nil {
		t.Fatal(err)
	}
	keep(t, "definitions.sha256", []byte(sum+"\n"))
	keep(t, "trace.duckdb.zst", packed(t, path))
	keep(t, "trace.duckdb.wal.zst", packed(t, path+".wal"))
}

func packed(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		t.Fatal(err)
	}
	return enc.EncodeAll(data, nil)
}

func keep(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join("empty", name), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// catalogOf is every table, view and column with its comment, and how many rows.
func catalogOf(t *testing.T, path string) []string {
	t.Helper()
	db, err := duck.Open(t.Context(), path, duck.Options{Unsealed: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	got, err := duck.Query[string](t.Context(), db, catalogSQL)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) < 500 {
		t.Fatalf("only %d entries", len(got))
	}
	return got
}

// catalogSQL tells what a database holds.
const catalogSQL = `
SELECT concat_ws('|', table_name, comment, estimated_size) FROM duckdb_tables() WHERE NOT internal
UNION ALL SELECT concat_ws('|', table_name, column_index, column_name, data_type, is_nullable, comment) FROM duckdb_columns() WHERE NOT internal
UNION ALL SELECT concat_ws('|', view_name, sql) FROM duckdb_views() WHERE NOT internal
ORDER BY ALL`
