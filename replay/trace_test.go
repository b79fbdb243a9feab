package replay

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/google/go-cmp/cmp"

	"tracereplay/ingest"
	"tracereplay/internal/aside"
	"tracereplay/internal/duck"
	"tracereplay/internal/table"
	"tracereplay/lineage"
)

// fill writes applications a and b, a problem, and two datasets of a.
func fill(t *testing.T, sink table.Sink) {
	t.Helper()
	apps := table.NewWriter(ingest.Apps, sink)
	apps.Append(&ingest.AppRow{App: "b", Log: 1, Engine: "spark", FirstMs: table.Some[int64](5)})
	apps.Append(&ingest.AppRow{App: "a", Log: 2, Engine: "spark", Name: table.Some("=cmd,\"x\"\n")})
	problems := table.NewWriter(ingest.Problems, sink)
	problems.Append(&ingest.ProblemRow{Log: 1, Kind: "cut_line"})
	sets := table.NewWriter(lineage.Datasets, sink)
	sets.Append(&lineage.DatasetRow{App: "a", Dataset: 1, Kind: "shuffle"})
	sets.Append(&lineage.DatasetRow{App: "a", Dataset: 2, Kind: "cache"})
	needs := table.NewWriter(lineage.Needs, sink)
	needs.Append(&lineage.NeedRow{App: "a", Dataset: 1, Stage: 3})
	needs.Append(&lineage.NeedRow{App: "a", Dataset: 2, Stage: 3})
	if err := errors.Join(apps.Flush(), problems.Flush(), sets.Flush(), needs.Flush()); err != nil {
		t.Fatal(err)
	}
}

func makeTrace(t *testing.T, path string, opt CreateOptions) {
	t.Helper()
	w, err := Create(context.Background(), path, opt)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, w)
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
}

func openTrace(t *testing.T, path string) *Trace {
	t.Helper()
	tr, err := Open(context.Background(), path, OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	})
	return tr
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestTrace(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	path := filepath.Join(dir, "x.duckdb")
	makeTrace(t, path, CreateOptions{ToolVersion: "1.0", Command: "replay ingest x"})
	if got := files(t, dir); !cmp.Equal(got, []string{"x.duckdb"}) {
		t.Errorf("files %q", got)
	}
	tr := openTrace(t, path)
	if want := (Meta{SchemaVersion, "1.0", "replay ingest x"}); tr.Meta != want {
		t.Errorf("meta %+v, want %+v", tr.Meta, want)
	}
	if len(tr.Apps) != 2 || tr.Apps[0].App != "b" || tr.Apps[0].FirstMs != table.Some[int64](5) || tr.Apps[1].App != "a" {
		t.Errorf("apps %+v", tr.Apps)
	}
	probs, err := tr.Problems(ctx)
	if want := []ProblemCount{{"cut_line", 1}}; err != nil || !cmp.Equal(probs, want) {
		t.Errorf("problems %v %v", probs, err)
	}
	for query, want := range map[string]int64{"SELECT dataset FROM shuffle": 1, "SELECT dataset FROM edge": 1} {
		if got, err := duck.QueryOne[int64](ctx, tr.DB(), query); err != nil || got != want {
			t.Errorf("%s: %d %v, want %d", query, got, err, want)
		}
	}
	if err := tr.DB().Exec(ctx, "DELETE FROM app"); err == nil {
		t.Error("an open trace was changed")
	}
	if err := tr.DB().Exec(ctx, "CREATE TABLE memory.world AS SELECT * FROM app"); err != nil {
		t.Errorf("a table beside the trace: %v", err)
	}
}

func TestTracePicksApp(t *testing.T) {
	tr := &Trace{Apps: []App{{App: "a"}, {App: "b"}}}
	if a, err := tr.App("b"); err != nil || a.App != "b" {
		t.Error(a, err)
	}
	for _, id := range []string{"", "c"} {
		if _, err := tr.App(id); err == nil || !strings.Contains(err.Error(), "a, b") {
			t.Errorf("app %q: %v", id, err)
		}
	}
	tr.Apps = tr.Apps[:1]
	if a, err := tr.App(""); err != nil || a.App != "a" {
		t.Error(a, err)
	}
}

// The views work whatever the file is called when it is opened.
func TestTraceUnderAnotherName(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "x.duckdb")
	makeTrace(t, path, CreateOptions{})
	db, err := duck.Open(ctx, duck.Memory, duck.Options{Unsealed: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Exec(ctx, "ATTACH '"+path+"' AS other (READ_ONLY); USE other"); err != nil {
		t.Fatal(err)
	}
	if n, err := duck.QueryOne[int64](ctx, db, "SELECT count(*) FROM edge"); n != 1 || err != nil {
		t.Errorf("view edge of a trace under another name: %d %v", n, err)
	}
}

func TestTraceRefuses(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	setVersion := func(v string) func(string) {
		return func(path string) {
			makeTrace(t, path, CreateOptions{})
			change(t, path, "UPDATE meta SET schema_version = "+v)
		}
	}
	for name, c := range map[string]struct {
		make func(path string)
		want string
	}{
		"newer": {setVersion("999"), "use a newer replay"},
		"older": {setVersion("0"), "replay ingest"},
		"other": {func(path string) { change(t, path, "CREATE TABLE x (a INT)") }, "not a trace"},
		"text":  {func(path string) { writeFile(t, path, strings.Repeat("text ", 100)) }, "no DuckDB file"},
		"empty": {func(path string) { writeFile(t, path, "") }, "no DuckDB file"},
		"torn": {func(path string) {
			makeTrace(t, path, CreateOptions{})
			if err := os.Truncate(path, 5000); err != nil {
				t.Fatal(err)
			}
		}, "torn"},
		"dir": {func(path string) { _ = os.Mkdir(path, 0o777) }, "no DuckDB file"},
	} {
		path := filepath.Join(dir, name)
		c.make(path)
		tr, err := Open(ctx, path, OpenOptions{})
		if err == nil {
			tr.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func change(t *testing.T, path, query string) {
	t.Helper()
	db, err := duck.Open(context.Background(), path, duck.Options{Unsealed: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Exec(context.Background(), query), db.Close()); err != nil {
		t.Fatal(err)
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestTraceIsNotReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.duckdb")
	makeTrace(t, path, CreateOptions{Command: "first"})
	var exists *aside.ExistsError
	if _, err := Create(context.Background(), path, CreateOptions{}); !errors.As(err, &exists) {
		t.Errorf("an existing trace: %v", err)
	}
	makeTrace(t, path, CreateOptions{Command: "second", Force: true})
	if tr := openTrace(t, path); tr.Meta.Command != "second" {
		t.Errorf("command %q", tr.Meta.Command)
	}
}

func TestTraceAbort(t *testing.T) {
	dir := t.TempDir()
	w, err := Create(context.Background(), filepath.Join(dir, "x.duckdb"), CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	fill(t, w)
	if err := w.Abort(); err != nil {
		t.Fatal(err)
	}
	if got := files(t, dir); len(got) != 0 {
		t.Errorf("left: %q", got)
	}
}

// A failed load fails the trace, and nothing is left of it.
func TestTraceLoadFails(t *testing.T) {
	dir := t.TempDir()
	w, err := Create(context.Background(), filepath.Join(dir, "x.duckdb"), CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := w.DB().Exec(context.Background(), "DROP TABLE app"); err != nil {
		t.Fatal(err)
	}
	fill(t, w)
	if err := w.Finish(); err == nil || !strings.Contains(err.Error(), "loading table app") {
		t.Errorf("Finish: %v", err)
	}
	if got := files(t, dir); len(got) != 0 {
		t.Errorf("left: %q", got)
	}
}

func TestTempTrace(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	ctx := context.Background()
	w, err := CreateTemp(ctx, CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	fill(t, w)
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	tr, err := w.Open(ctx, OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(tr.Apps) != 2 {
		t.Errorf("apps %v", tr.Apps)
	}
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	if got := files(t, tmp); len(got) != 0 {
		t.Errorf("left: %q", got)
	}
}

func TestExport(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	path := filepath.Join(dir, "it's.duckdb")
	makeTrace(t, path, CreateOptions{Command: "x"})
	tr := openTrace(t, path)
	for _, f := range Formats() {
		out := filepath.Join(dir, "out's "+string(f))
		for _, force := range []bool{false, true} {
			if err := tr.Export(ctx, out, f, force); err != nil {
				t.Fatal(err)
			}
		}
		if got := files(t, out); len(got) != len(Tables()) {
			t.Errorf("%s: %d files, want %d", f, len(got), len(Tables()))
		}
		if err := tr.Export(ctx, out, f, false); err == nil {
			t.Errorf("%s: an export was replaced without force", f)
		}
	}
	if err := tr.Export(ctx, dir, CSV, true); err == nil {
		t.Error("a directory that is no export was replaced")
	}
	t.Run("csv", func(t *testing.T) { testCSV(t, filepath.Join(dir, "out's csv", "app.csv")) })
	t.Run("arrow", func(t *testing.T) { testArrow(t, filepath.Join(dir, "out's arrow", "dataset.arrow")) })
	t.Run("parquet", func(t *testing.T) { testParquet(t, filepath.Join(dir, "out's parquet")) })
}

func testCSV(t *testing.T, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitN(string(text), "\n", 3)
	if !strings.HasPrefix(lines[0], "app,log,engine,") {
		t.Errorf("header %q", lines[0])
	}
	if !strings.Contains(lines[2], "\"=cmd,\"\"x\"\"\n\"") {
		t.Errorf("a hostile name is not exact: %q", lines[2])
	}
}

func testArrow(t *testing.T, path string) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := ipc.NewFileReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	rec, err := r.Record(0)
	if err != nil {
		t.Fatal(err)
	}
	if err := lineage.Datasets.Check(rec); err != nil || rec.NumRows() != 2 {
		t.Errorf("%d rows, %v", rec.NumRows(), err)
	}
	if _, ok := r.Schema().Field(0).Metadata.GetValue("doc"); !ok {
		t.Error("columns carry no docs")
	}
}

func testParquet(t *testing.T, dir string) {
	if KindOf(dir) != KindTables {
		t.Fatalf("kind %v", KindOf(dir))
	}
	tr, err := OpenTables(context.Background(), dir, OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	if len(tr.Apps) != 2 || tr.Meta.Command != "x" {
		t.Errorf("apps %v, meta %v", tr.Apps, tr.Meta)
	}
	other := filepath.Join(t.TempDir(), "meta.parquet")
	for version, want := range map[string]string{"999": "use a newer replay", "0": "make it again from the logs"} {
		change(t, duck.Memory, "COPY (SELECT "+version+"::BIGINT AS schema_version, '' AS tool_version, '' AS command) TO '"+other+"' (FORMAT parquet)")
		was := filepath.Join(dir, "meta.parquet")
		if err := errors.Join(os.Rename(was, was+".kept"), os.Rename(other, was)); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenTables(context.Background(), dir, OpenOptions{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("schema version %s: %v", version, err)
		}
		if err := os.Rename(was+".kept", was); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(dir, "task.parquet")); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenTables(context.Background(), dir, OpenOptions{}); err == nil || !strings.Contains(err.Error(), "table task") {
		t.Errorf("a table is missing: %v", err)
	}
}

func TestKindOf(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	makeTrace(t, path, CreateOptions{})
	log := filepath.Join(dir, "log.duckdb")
	writeFile(t, log, `{"Event":"SparkListenerLogStart","Spark Version":"3.5.0"}`)
	for arg, want := range map[string]Kind{path: KindFile, dir: KindLog, log: KindLog, "-": KindLog, dir + "/none": KindLog} {
		if got := KindOf(arg); got != want {
			t.Errorf("%s: %v, want %v", arg, got, want)
		}
	}
}
