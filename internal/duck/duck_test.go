package duck

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/google/go-cmp/cmp"

	"tracereplay/internal/table"
)

func openMemory(t testing.TB) *DB { return open(t, Memory, Options{}) }

func open(t testing.TB, path string, opt Options) *DB {
	t.Helper()
	db, err := Open(context.Background(), path, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

type piece struct {
	ID    int64
	Name  table.Str
	Share table.Opt[float64]
	Done  bool
}

func pieces() *table.Table[piece] {
	return table.New[piece](
		table.Meta{Name: "piece", Grain: "one row per piece", Key: []string{"id"}, Doc: "It's a test."},
		table.Int("id", "ms", "Field", "the piece's number", func(p *piece) int64 { return p.ID }),
		table.OptText("name", "", "it's name", "not named", func(p *piece) table.Str { return p.Name }),
		table.OptFloat("share", "1", "", "share", "unknown", func(p *piece) table.Opt[float64] { return p.Share }),
		table.Bool("is_done", "", "done", func(p *piece) bool { return p.Done }),
	)
}

// record makes a record of two pieces, the second with nulls.
func record(mem memory.Allocator, s *table.Spec) arrow.Record {
	b := array.NewRecordBuilder(mem, s.Schema())
	defer b.Release()
	b.Field(0).(*array.Int64Builder).AppendValues([]int64{1, 2}, nil)
	b.Field(1).(*array.StringBuilder).AppendValues([]string{"one", ""}, []bool{true, false})
	b.Field(2).(*array.Float64Builder).AppendValues([]float64{0.5, 0}, []bool{true, false})
	b.Field(3).(*array.BooleanBuilder).AppendValues([]bool{true, false}, nil)
	return b.NewRecord()
}

type pieceRow struct {
	ID    int64              `col:"id"`
	Name  table.Str          `col:"name"`
	Share table.Opt[float64] `col:"share"`
	Done  bool               `col:"is_done"`
}

func TestLoad(t *testing.T) {
	ctx := context.Background()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	path := filepath.Join(t.TempDir(), "odd ?name%zz#1's.duckdb")
	db, err := Open(ctx, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := &pieces().Spec
	if err := db.CreateTable(ctx, s); err != nil {
		t.Fatal(err)
	}
	rec := record(mem, s)
	defer rec.Release()
	if err := db.Tx(ctx, func() error { return db.Write(s, rec) }); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Dir(path) + "/*"); len(left) != 1 {
		t.Errorf("files left: %q", left)
	}

	again := open(t, path, Options{ReadOnly: true})
	got, err := Query[pieceRow](ctx, again, "SELECT * FROM piece ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	want := []pieceRow{{1, table.Some("one"), table.Some(0.5), true}, {2, table.Str{}, table.Opt[float64]{}, false}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if err := again.Exec(ctx, "DELETE FROM piece"); err == nil {
		t.Error("a read-only file was changed")
	}
}

func TestComments(t *testing.T) {
	ctx := context.Background()
	db := openMemory(t)
	if err := db.CreateTable(ctx, &pieces().Spec); err != nil {
		t.Fatal(err)
	}
	got, err := Query[string](ctx, db, `SELECT comment FROM duckdb_tables() WHERE table_name = 'piece'
		UNION ALL SELECT comment FROM duckdb_columns() WHERE table_name = 'piece' AND column_name = 'name'`)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"one row per piece; key: id; It's a test.", "it's name; null: not named"}; !cmp.Equal(got, want) {
		t.Errorf("comments %q, want %q", got, want)
	}
}

func TestLoadRefuses(t *testing.T) {
	ctx := context.Background()
	db := openMemory(t)
	s := &pieces().Spec
	if err := db.CreateTable(ctx, s); err != nil {
		t.Fatal(err)
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, s.Schema())
	defer b.Release()
	for i := range s.Columns {
		b.Field(i).AppendNull()
	}
	rec := b.NewRecord()
	defer rec.Release()
	if err := db.Load(ctx, s, rec); err == nil || !strings.Contains(err.Error(), "column id: 1 nulls") {
		t.Errorf("a null in a column without null: %v", err)
	}
}

// A failed load inside a transaction leaves nothing, and the session usable.
func TestLoadFails(t *testing.T) {
	ctx := context.Background()
	db := openMemory(t)
	s := &pieces().Spec
	rec := record(memory.DefaultAllocator, s)
	defer rec.Release()
	err := db.Tx(ctx, func() error { return db.Load(ctx, s, rec) })
	if err == nil || !strings.Contains(err.Error(), "loading table piece") {
		t.Fatalf("load into a table that is not there: %v", err)
	}
	if err := db.CreateTable(ctx, s); err != nil {
		t.Fatal(err)
	}
	if err := db.Load(ctx, s, rec); err != nil {
		t.Fatal(err)
	}
}

func TestSealed(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	csv := filepath.Join(dir, "x.csv")
	if err := os.WriteFile(csv, []byte("a\n1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	db := openMemory(t)
	for _, q := range []string{
		"SELECT * FROM read_csv('" + csv + "')",
		"SELECT * FROM '" + csv + "'",
		"SELECT * FROM read_text('" + csv + "')",
		"SELECT * FROM read_blob('" + csv + "')",
		"SELECT * FROM glob('" + dir + "/*')",
		"COPY (SELECT 1) TO '" + csv + "'",
		"EXPORT DATABASE '" + dir + "/e'",
		"IMPORT DATABASE '" + dir + "/e'",
		"ATTACH '" + dir + "/y.duckdb'",
		"INSTALL httpfs",
		"LOAD '" + dir + "/x'",
		"SET enable_external_access = true",
		"RESET enable_external_access",
		"SET autoload_known_extensions = true",
		"SET temp_directory = '" + dir + "'",
		"PRAGMA enable_profiling='json'",
		"SET profiling_output='" + dir + "/p'",
		"SET log_query_path='" + dir + "/q'",
	} {
		if rows, err := db.Rows(ctx, q); err == nil {
			rows.Close()
			t.Errorf("allowed: %s", q)
		}
	}
	if left, _ := filepath.Glob(dir + "/*"); len(left) != 1 {
		t.Errorf("files written: %q", left)
	}
}

func TestUnsealed(t *testing.T) {
	ctx := context.Background()
	csv := filepath.Join(t.TempDir(), "x.csv")
	db := open(t, Memory, Options{Unsealed: true, Threads: 1, MemoryLimit: "200MiB"})
	if err := db.Exec(ctx, "COPY (SELECT 1 AS a) TO '"+csv+"' (FORMAT csv)"); err != nil {
		t.Error(err)
	}
	if err := db.Seal(ctx); err != nil {
		t.Error(err)
	}
	if err := db.Exec(ctx, "COPY (SELECT 1 AS a) TO '"+csv+"' (FORMAT csv)"); err == nil {
		t.Error("a sealed session writes files")
	}
}

func TestUnlocked(t *testing.T) {
	ctx := context.Background()
	db := open(t, Memory, Options{Unlocked: true, Threads: 1})
	if err := db.SetThreads(ctx, 2); err != nil {
		t.Error(err)
	}
	for _, q := range []string{"SELECT * FROM glob('*')", "SET enable_external_access = true", "ATTACH 'x.duckdb'"} {
		if err := db.Exec(ctx, q); err == nil {
			t.Errorf("allowed: %s", q)
		}
	}
	if err := openMemory(t).SetThreads(ctx, 2); err == nil {
		t.Error("a locked setting was changed")
	}
}

func TestQueryShapes(t *testing.T) {
	ctx := context.Background()
	db := openMemory(t)
	sum, err := QueryOne[int64](ctx, db, "SELECT sum(x) FROM range($1) t(x)", 5)
	if err != nil || sum != 10 {
		t.Errorf("a sum: %v %v", sum, err)
	}
	if _, err := QueryOne[int64](ctx, db, "SELECT 10000000000000000000000::HUGEINT"); err == nil {
		t.Error("a number beyond int64 was taken")
	}
	if _, err := QueryOne[int64](ctx, db, "SELECT NULL::BIGINT"); err == nil {
		t.Error("null was taken for a number")
	}
	list, err := QueryOne[[]string](ctx, db, "SELECT ['a', 'b']")
	if err != nil || !cmp.Equal(list, []string{"a", "b"}) {
		t.Errorf("a list: %v %v", list, err)
	}
	type two struct {
		A int64 `col:"a"`
		B int64 `col:"b"`
	}
	for _, q := range []string{"SELECT 1 AS a", "SELECT 1 AS a, 2 AS b, 3 AS c"} {
		if _, err := Query[two](ctx, db, q); err == nil {
			t.Errorf("%s fits a struct with a and b", q)
		}
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	db := openMemory(t)
	cancel()
	if _, err := QueryOne[int64](ctx, db, "SELECT count(*) FROM range(10000000000) a"); err == nil {
		t.Error("a cancelled query answers")
	}
	if n, err := QueryOne[int64](context.Background(), db, "SELECT 1"); n != 1 || err != nil {
		t.Errorf("after a cancelled query: %v %v", n, err)
	}
}

func ExampleQuery() {
	ctx := context.Background()
	db, err := Open(ctx, Memory, Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	type row struct {
		Stage int64     `col:"stage"`
		EndMs table.I64 `col:"end_ms"`
	}
	rows, err := Query[row](ctx, db, "SELECT 7 AS stage, NULL AS end_ms")
	fmt.Println(rows, err)
	// Output: [{7 {0 false}}] <nil>
}

func TestResult(t *testing.T) {
	db := openMemory(t)
	r, err := db.Result(context.Background(), `SELECT 1::TINYINT, 18446744073709551615::UBIGINT, 170141183460469231731687303715884105727::HUGEINT,
		-0.05::DECIMAL(9,2), 1.5::FLOAT, 'x', NULL, true, DATE '2026-03-01', TIMESTAMP '2026-03-01 02:14:30.5', TIME '02:14:30',
		INTERVAL 90 MINUTE, 'a'::BLOB, UUID '00112233-4455-6677-8899-aabbccddeeff', [1, 2], {'a': 1, 'b': [NULL]}, MAP {'k': 1}`)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	row, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	want := []any{
		int64(1), json.Number("18446744073709551615"), json.Number("170141183460469231731687303715884105727"),
		json.Number("-0.05"), 1.5, "x", nil, true, "2026-03-01", "2026-03-01 02:14:30.5", "02:14:30",
		"0 months 0 days 1h30m0s", `\x61`, "00112233-4455-6677-8899-aabbccddeeff",
		[]any{int64(1), int64(2)},
		map[string]any{"a": int64(1), "b": []any{nil}},
		map[string]any{"k": int64(1)},
	}
	if d := cmp.Diff(want, row); d != "" {
		t.Error(d)
	}
	if row, err := r.Next(); row != nil || err != nil {
		t.Error(row, err)
	}
}
