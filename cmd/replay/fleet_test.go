package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// fleetLogs are logs whose names have the order of their applications.
var fleetLogs = []string{"linear-withdrawal", "diamond-withdrawal", "sparse-exit"}

// must runs a command that has to end well, and returns its output.
func must(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(t.Context(), args, nil, &out, &errs); code != exitDone {
		t.Fatalf("replay %v: exit code %d, %s", args, code, errs.String())
	}
	return out.String()
}

// A data set as scripts/fleet leaves it answers as a trace of the same logs does.
func TestFleetDirectory(t *testing.T) {
	dir := t.TempDir()
	fleet := filepath.Join(dir, "fleet")
	logs := fleetCopies(t, filepath.Join(dir, "logs"))
	for app, log := range logs {
		layOut(t, fleet, app, log)
	}
	one := filepath.Join(dir, "one.duckdb")
	must(t, "ingest", filepath.Join(dir, "logs"), "-o", one)
	sameAnswers(t, one, fleet)

	const app = "app-2"
	if got, want := must(t, "explain", fleet, "--app", app, "--format", "csv"), must(t, "explain", one, "--app", app, "--format", "csv"); got != want {
		t.Errorf("explain of one application:\n%s\nwant\n%s", got, want)
	}
	var errs bytes.Buffer
	if code := run(t.Context(), []string{"explain", fleet}, nil, io.Discard, &errs); code != exitFailed || !strings.Contains(errs.String(), "--app") {
		t.Errorf("no application was named: %d, %s", code, errs.String())
	}

	// What has no row of table app was not finished; two logs of one are not guessed at.
	if err := os.Rename(filepath.Join(fleet, "app", "app=app-1"), filepath.Join(dir, "gone")); err != nil {
		t.Fatal(err)
	}
	if got := must(t, "sql", fleet, "SELECT DISTINCT app FROM task ORDER BY app", "--format", "csv"); got != "app\napp-2\napp-3\n" {
		t.Errorf("an unfinished log: %s", got)
	}
	writeLog(t, filepath.Join(fleet, "app", "app=app-2", "other.parquet"), "")
	errs.Reset()
	if code := run(t.Context(), []string{"sql", fleet, "FROM app"}, nil, io.Discard, &errs); code != exitFailed || !strings.Contains(errs.String(), "2 logs of one application") {
		t.Errorf("two logs of one application: %d, %s", code, errs.String())
	}
}

// fleetCopies writes logs under names of their applications, app-1 and so on.
func fleetCopies(t *testing.T, dir string) map[string]string {
	t.Helper()
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	logs := map[string]string{}
	for i, name := range fleetLogs {
		app := fmt.Sprintf("app-%d", i+1)
		logs[app] = filepath.Join(dir, app)
		text := unzstd(t, filepath.Join("../../sampletraces", name+".zstd"))
		_, after, _ := strings.Cut(text, `"App ID":"`)
		id, _, _ := strings.Cut(after, `"`)
		writeLog(t, logs[app], strings.ReplaceAll(text, id, app))
	}
	return logs
}

func unzstd(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func writeLog(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// layOut adds a log to a data set: every table whose file has rows, and the
// columns of all.
func layOut(t *testing.T, fleet, app, log string) {
	t.Helper()
	tables := filepath.Join(t.TempDir(), "tables")
	must(t, "ingest", log, "--tables", tables)
	files, err := filepath.Glob(filepath.Join(tables, "*.parquet"))
	if err != nil || len(files) == 0 {
		t.Fatal("no tables", err)
	}
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".parquet")
		part := filepath.Join(fleet, name, "app="+app)
		if err := os.MkdirAll(part, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(f, filepath.Join(part, "k.parquet")); err != nil {
			t.Fatal(err)
		}
	}
}

// sameAnswers compares all tables of two traces, but for what tells how the
// logs were read. Rows are compared in their order.
func sameAnswers(t *testing.T, want, got string) {
	t.Helper()
	tables := must(t, "sql", want, "SELECT table_name FROM duckdb_tables() WHERE database_name = current_database() ORDER BY table_name", "--format", "csv")
	w, g := digest(t, want, tables), digest(t, got, tables)
	if w != g {
		t.Errorf("tables differ: rows and hash of each\n%s\nwant\n%s", g, w)
	}
}

// digest has a line for each table: rows, and a hash of all of them.
func digest(t *testing.T, trace, tables string) string {
	var asks []string
	for _, name := range strings.Fields(tables)[1:] {
		row := "x"
		switch name {
		case "meta":
			continue
		case "source": // of a stream the file is not known
			row = "(x.log, x.part, x.text_bytes, x.lines, x.first_seq)"
		case "problem":
			row = "(x.log, x.app, x.kind, x.seq)"
		}
		asks = append(asks, fmt.Sprintf(`SELECT '%s' AS name, count(*) AS n, coalesce(sum(hash(%s)::HUGEINT)::VARCHAR, '') AS h FROM "%s" AS x`, name, row, name))
	}
	return must(t, "sql", trace, strings.Join(asks, " UNION ALL ")+" ORDER BY name", "--format", "csv")
}

// The program itself, where there are PySpark and Java to run it.
func TestFleetProgram(t *testing.T) {
	python := cmp.Or(os.Getenv("TRACEREPLAY_PYSPARK"), "python3")
	if out, err := exec.Command(python, "-c", "import pyspark").CombinedOutput(); err != nil {
		t.Skipf("no pyspark (TRACEREPLAY_PYSPARK names a Python that has it): %v %s", err, lastLine(out))
	}
	if _, err := exec.LookPath("java"); err != nil {
		t.Skip("no java: ", err)
	}
	if testing.Short() {
		t.Skip("starts Spark three times")
	}
	dir := t.TempDir()
	logs, out := filepath.Join(dir, "logs"), filepath.Join(dir, "fleet")
	fleetCopies(t, logs)
	one := filepath.Join(dir, "one.duckdb")
	must(t, "ingest", logs, "-o", one)
	writeLog(t, filepath.Join(logs, "broken"), "no log\n")

	run := func(flags ...string) string {
		t.Helper()
		cmd := exec.Command(python, append([]string{"../../scripts/fleet/fleet.py", logs, "--out", out, "--replay", programOfTests(t, dir)}, flags...)...)
		cmd.Env = append(os.Environ(), "PYSPARK_SUBMIT_ARGS=--master local[2] --driver-memory 600m pyspark-shell", "PYSPARK_PYTHON="+python)
		text, err := cmd.CombinedOutput()
		if err == nil || cmd.ProcessState.ExitCode() != exitProblems {
			t.Fatalf("exit code %d, want %d: %v\n%s", cmd.ProcessState.ExitCode(), exitProblems, err, text)
		}
		return string(text)
	}
	for _, flags := range [][]string{nil, {"--hadoop"}} {
		if text := run(flags...); !strings.Contains(text, "3 done, 1 refused") || !strings.Contains(text, "not a Spark event log") {
			t.Errorf("%v: %s", flags, text)
		}
		sameAnswers(t, one, out)
		if flags == nil {
			if text := run(); !strings.Contains(text, "4 of them finished by an earlier run") {
				t.Errorf("a second run: %s", text)
			}
			out = filepath.Join(dir, "by-hadoop")
		}
	}
}

func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}

// programOfTests is a file that runs this test binary as the program.
func programOfTests(t *testing.T, dir string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "replay")
	writeLog(t, path, "#!/bin/sh\n"+asReplay+"=1 exec '"+self+"' \"$@\"\n")
	if err := os.Chmod(path, 0o777); err != nil {
		t.Fatal(err)
	}
	return path
}
