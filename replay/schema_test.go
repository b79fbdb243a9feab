package replay

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var updateSchema = flag.Bool("update-schema", false, "rewrite testdata/schema.txt, which needs another SchemaVersion")

// schemaText is what SchemaVersion stands for: all that a query can rely on,
// and nothing that only people read.
func schemaText(version int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "schema version %d\n", version)
	for _, s := range Tables() {
		fmt.Fprintf(&b, "\ntable %s key (%s)\n", s.Name, strings.Join(s.Key, ", "))
		for _, c := range s.Columns {
			null := ""
			if c.Null != "" {
				null = " null"
			}
			fmt.Fprintf(&b, "%s %s%s\n", c.Name, c.Type, null)
		}
	}
	b.WriteString("\n")
	for line := range strings.Lines(viewsSQL) {
		if line != "\n" && !strings.HasPrefix(line, "--") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// What stands in a trace is committed beside its version: a change of a table,
// a column, a type, a key or a view asks for another version, so that no trace
// of before is read as one of after.
func TestSchemaVersion(t *testing.T) {
	path := filepath.Join("testdata", "schema.txt")
	committed, err := os.ReadFile(path)
	if err != nil && !*updateSchema {
		t.Fatal(err)
	}
	want, got := string(committed), schemaText(SchemaVersion)
	if got == want {
		return
	}
	first, _, _ := strings.Cut(want, "\n")
	sameVersion := strings.HasPrefix(got, first+"\n")
	switch {
	case sameVersion:
		t.Fatalf("the declared tables changed, and SchemaVersion is still %d: traces of before would be read as those of now.\n"+
			"Raise SchemaVersion in replay/trace_meta.go, tell it in CHANGELOG.md, then go test ./replay -run TestSchemaVersion -update-schema\n%s",
			SchemaVersion, cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
	case *updateSchema:
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Fatalf("SchemaVersion is %d, testdata/schema.txt has %q: go test ./replay -run TestSchemaVersion -update-schema", SchemaVersion, first)
	}
}

// The text notices each kind of change.
func TestSchemaTextNotices(t *testing.T) {
	base := schemaText(SchemaVersion)
	s := Tables()[1]
	columns, key, name := s.Columns, s.Key, s.Name
	restore := func() { s.Columns, s.Key, s.Name = columns, key, name }
	defer restore()
	for what, change := range map[string]func(){
		"a table's name":     func() { s.Name = "other" },
		"a key":              func() { s.Key = append(slices.Clone(key), "x") },
		"a column less":      func() { s.Columns = columns[1:] },
		"a column's name":    func() { s.Columns = slices.Clone(columns); s.Columns[0].Name = "other" },
		"a column's type":    func() { s.Columns = slices.Clone(columns); s.Columns[0].Type = Metas.Columns[1].Type },
		"a column's null":    func() { s.Columns = slices.Clone(columns); s.Columns[0].Null = "unknown" },
		"the columns' order": func() { s.Columns = slices.Clone(columns); slices.Reverse(s.Columns) },
	} {
		change()
		if schemaText(SchemaVersion) == base {
			t.Errorf("%s changed unnoticed", what)
		}
		restore()
	}
	s.Columns = slices.Clone(columns)
	s.Columns[0].Doc = "other words"
	if schemaText(SchemaVersion) != base {
		t.Error("other words alone ask for another version")
	}
}
