package replay_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"tracereplay/internal/duck"
	"tracereplay/replay"
)

// escapeHeader is that of a policy which may read outputs and holders alone.
const escapeHeader = `-- Purpose: It tries to break out.
-- Policy:  escape
-- Inputs:  world.output, world.holder
-- Rewrites: none
-- Costs:   nothing
-- Not for: nothing
-- Moves work: no
`

// TestEscapes runs statements that reach for files, the network, extensions,
// settings and other tables: command policy as a policy of one's own, whose note
// is told where it has one, and command sql as replay sql runs them. OUT stands
// for a directory in which nothing may be written.
func TestEscapes(t *testing.T) {
	out := t.TempDir()
	datadriven.Walk(t, "testdata/escape", func(t *testing.T, path string) {
		world := openRedrawn(t, escapeRun)
		file := makeFile(t)
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			text := strings.ReplaceAll(d.Input, "OUT", out)
			var said string
			switch d.Cmd {
			case "policy":
				d.Input = escapeHeader + text
				said = world.mine(d)
			case "sql":
				said = answer(t, file, text)
			default:
				d.Fatalf(t, "no command %s", d.Cmd)
			}
			if left, err := os.ReadDir(out); err != nil || len(left) > 0 {
				t.Errorf("%s: %s: written: %v %v", d.Pos, text, left, err)
			}
			return brief(strings.ReplaceAll(said, out, "OUT"))
		})
	})
}

const escapeRun = `end 100
worker machine
a      m1
task worker stage start end makes bytes
0    a      0     0     10  s.0   100
dataset kind    inputs partitions
s       shuffle -      1
need by submit last_start until dense
s    1  30     30         50    yes`

// makeFile makes a trace without rows.
func makeFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.duckdb")
	w, err := replay.Create(context.Background(), path, replay.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	return path
}

// answer asks a trace, opened as the commands open it.
func answer(t *testing.T, path, text string) string {
	t.Helper()
	trace, err := replay.Open(context.Background(), path, replay.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer trace.Close()
	result, err := trace.DB().Result(context.Background(), text)
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	defer result.Close()
	rows := 0
	for {
		row, err := result.Next()
		switch {
		case err != nil:
			return "error: " + err.Error() + "\n"
		case row == nil:
			return fmt.Sprintf("no error, %d rows\n", rows)
		}
		rows++
	}
}

// brief is the first line, without what DuckDB suggests.
func brief(said string) string {
	line, _, _ := strings.Cut(said, "\n")
	return line + "\n"
}

// Every function that DuckDB itself calls other than constant, or that reads
// its catalog, is refused in policies.
func TestChanging(t *testing.T) {
	ctx := context.Background()
	names, err := duck.Query[string](ctx, openTrace(t), `SELECT DISTINCT function_name FROM duckdb_functions()
		WHERE function_type = 'scalar' AND stability <> 'CONSISTENT'
		OR function_type = 'macro' AND regexp_matches(macro_definition, 'duckdb_|pragma_|current_|FROM')
		ORDER BY ALL`)
	if err != nil {
		t.Fatal(err)
	}
	if len(names) < 20 {
		t.Errorf("only %q", names)
	}
	refused := map[string]bool{"error": true} // which ends the query
	for _, name := range replay.Changing() {
		refused[name] = true
	}
	for _, name := range names {
		if !refused[name] {
			t.Errorf("a policy may call %s", name)
		}
	}
}
