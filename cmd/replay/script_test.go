package main

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts in testdata/script call the program as a user does.
// UPDATE_SCRIPTS=1 rewrites what they expect; read the difference.

func TestMain(m *testing.M) {
	if os.Getenv(asReplay) != "" {
		main()
	}
	testscript.Main(m, map[string]func(){"replay": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Setup:               setUp,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "only": only},
	})
}

// setUp gives a script the sample log as eventlog.zstd and in $SAMPLE, and a
// place of its own for temporary files, so that it can see that none is left.
func setUp(env *testscript.Env) error {
	sample, err := filepath.Abs("../../sampletraces/linear-withdrawal.zstd")
	if err != nil {
		return err
	}
	env.Setenv("SAMPLE", sample)
	env.Setenv("PYTHON", cmp.Or(os.Getenv("TRACEREPLAY_PYTHON"), "python3"))
	env.Setenv("TMPDIR", filepath.Join(env.WorkDir, "tmp"))
	return os.Mkdir(filepath.Join(env.WorkDir, "tmp"), 0o777)
}

// exits runs replay and compares its exit code: exits CODE ARGS...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code args...")
	}
	err := ts.Exec("replay", args[1:]...)
	code := "0"
	if err != nil {
		code = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s", code, args[0])
	}
}

// only fails unless a directory holds just these names: only DIR NAMES...
func only(ts *testscript.TestScript, _ bool, args []string) {
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got, want := strings.Join(names, " "), strings.Join(args[1:], " "); got != want {
		ts.Fatalf("%s holds %q, want %q", args[0], got, want)
	}
}

// Every example of a help text that starts with "$ replay" runs, in the order
// of the commands, on the sample log.
func TestExamples(t *testing.T) {
	sample, err := filepath.Abs("../../sampletraces/linear-withdrawal.zstd")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.Symlink(sample, "eventlog.zstd"); err != nil {
		t.Fatal(err)
	}
	for _, c := range commands() {
		for line := range strings.Lines(c.Long) {
			line, ok := strings.CutPrefix(strings.TrimSpace(line), "$ replay ")
			if !ok {
				continue
			}
			var out, errs strings.Builder
			if code := run(context.Background(), words(line), strings.NewReader(""), &out, &errs); code != exitDone {
				t.Errorf("replay %s: exit code %d\n%s", line, code, errs.String())
			}
		}
	}
}

// words splits a line as a shell does, as far as the examples need it.
func words(line string) []string {
	var out []string
	word, quote := "", rune(0)
	for _, r := range line + " " {
		switch {
		case r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote = r
		case quote == 0 && r == ' ':
			if word != "" {
				out = append(out, word)
			}
			word = ""
		default:
			word += string(r)
		}
	}
	return out
}
