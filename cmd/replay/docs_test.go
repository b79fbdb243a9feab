package main

import (
	"context"
	"os"
	"strings"
	"testing"

	"tracereplay/replay"
)

// docs/tables.md comes from the declarations.
func TestTablesDocIsFresh(t *testing.T) {
	want, err := os.ReadFile("../../docs/tables.md")
	if err != nil {
		t.Error(err)
	}
	var got strings.Builder
	if err := writeMarkdown(&got, replay.Tables()); err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Error("docs/tables.md is stale; refresh it with: go run ./cmd/replay tables --format markdown -o docs/tables.md --force")
	}
}

// Every view of a trace is documented.
func TestViewsAreDocumented(t *testing.T) {
	views := replay.Views()
	if len(views) == 0 {
		t.Error("no views")
	}
	for _, v := range views {
		if v.Name == "" || v.Grain == "" || v.Doc == "" {
			t.Errorf("%+v", v)
		}
	}
}

// Every command can be called for help, and says how it is used.
func TestHelp(t *testing.T) {
	for _, c := range commands() {
		var out, errs strings.Builder
		if code := run(context.Background(), []string{c.Name, "--help"}, nil, &out, &errs); code != exitDone || errs.Len() > 0 {
			t.Errorf("%s --help: exit code %d, %s", c.Name, code, errs.String())
		}
		for _, want := range []string{"Usage: replay " + c.Name, "Examples:"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s --help has no %q", c.Name, want)
			}
		}
		for line := range strings.Lines(c.Long + "\n" + c.Short) {
			if len(line) > 100 {
				t.Errorf("%s: a long line: %s", c.Name, line)
			}
		}
	}
}
