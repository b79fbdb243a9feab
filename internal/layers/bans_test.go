package layers

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// banned are functions with a better place, by package and name. except is
// where they are at home.
var banned = []struct {
	pkg, name string
	except    []string
	why       string
}{
	{"time", "Now", []string{"cmd/"}, "the same input gives the same result: no clock below cmd"},
	{"time", "Since", []string{"cmd/"}, "no clock below cmd"},
	{"os", "Exit", []string{"cmd/replay/main.go", "scripts/"}, "return an error: only main.go ends the process"},
	{"log", "Fatal", nil, "return an error"},
	{"log", "Fatalf", nil, "return an error"},
	{"log", "Printf", nil, "problems of an input are data (internal/problem), notes go through cmd's Env"},
	{"log", "Println", nil, "problems of an input are data (internal/problem), notes go through cmd's Env"},
	{"fmt", "Print", nil, "write to the io.Writer that the caller gave"},
	{"fmt", "Printf", nil, "write to the io.Writer that the caller gave"},
	{"fmt", "Println", nil, "write to the io.Writer that the caller gave"},
}

// sqlHomes are files that may hold SQL as Go strings: the package that owns
// DuckDB, the plumbing of trace files, whose statements are made of declared
// names, and the notebook, which shows them to its reader.
var sqlHomes = []string{"internal/duck/", "replay/trace", "cmd/replay/notebook"}

// sqlStart is how a statement begins. Keywords are upper case in this project,
// so that prose ("select one") does not match.
var sqlStart = regexp.MustCompile(`^\s*(SELECT|INSERT INTO|CREATE|UPDATE|DELETE FROM|WITH|FROM|COPY|ALTER|DROP|ATTACH|TRUNCATE)\s+[A-Za-z_"(*$]`)

// eachFile calls f for every file of the module with a suffix; path is relative
// to its root.
func eachFile(t *testing.T, suffix string, f func(path string, text []byte)) {
	t.Helper()
	root := os.DirFS("../..")
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != "." || d.Name() == "testdata" || d.Name() == "out"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, suffix):
			return nil
		}
		text, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		f(path, text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func under(path string, places []string) bool {
	for _, p := range places {
		if strings.HasPrefix(path, p) {
			return true
		}
	}
	return false
}

func TestBans(t *testing.T) {
	eachFile(t, ".go", func(path string, text []byte) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		for _, b := range offences(t, path, text) {
			t.Error(b)
		}
	})
}

// offences lists the bans that a Go file breaks.
func offences(t *testing.T, path string, text []byte) []string {
	t.Helper()
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, path, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var bad []string
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.SelectorExpr:
			if why := bannedCall(path, n); why != "" {
				bad = append(bad, files.Position(n.Pos()).String()+": "+why)
			}
		case *ast.BasicLit:
			if isSQL(n) && !under(path, sqlHomes) {
				bad = append(bad, files.Position(n.Pos()).String()+": SQL in a Go string: put it into a .sql file of its package")
			}
		}
		return true
	})
	return bad
}

func bannedCall(path string, s *ast.SelectorExpr) string {
	x, ok := s.X.(*ast.Ident)
	if !ok {
		return ""
	}
	for _, b := range banned {
		if x.Name == b.pkg && s.Sel.Name == b.name && !under(path, b.except) {
			return b.pkg + "." + b.name + ": " + b.why
		}
	}
	return ""
}

func isSQL(lit *ast.BasicLit) bool {
	if lit.Kind != token.STRING {
		return false
	}
	s, err := strconv.Unquote(lit.Value)
	return err == nil && sqlStart.MatchString(s)
}

// The bans catch what they are there for.
func TestBanRules(t *testing.T) {
	for _, line := range []string{"time.Now()", "os.Exit(1)", `fmt.Println("x")`, "f(\"SELECT a FROM b\")", "f(`\n  WITH x AS (SELECT 1) FROM x`)"} {
		text := "package p\nfunc g() { " + line + " }\n"
		if len(offences(t, "analysis/x.go", []byte(text))) != 1 {
			t.Errorf("%s passes", line)
		}
	}
	for path, line := range map[string]string{
		"cmd/replay/x.go": "time.Now()", "cmd/replay/main.go": "os.Exit(1)", "internal/duck/x.go": `f("SELECT 1")`, "analysis/x.go": `f("select one FROM these")`,
	} {
		text := "package p\nfunc g() { " + line + " }\n"
		if bad := offences(t, path, []byte(text)); len(bad) > 0 {
			t.Errorf("%s: %v", path, bad)
		}
	}
}

// Every .sql file starts by saying what it is for.
func TestSQLHeaders(t *testing.T) {
	n := 0
	eachFile(t, ".sql", func(path string, text []byte) {
		n++
		if !strings.HasPrefix(string(text), "-- Purpose: ") {
			t.Errorf("%s: the first line is no header; begin with: -- Purpose: what it answers", path)
		}
	})
	if n == 0 {
		t.Error("no .sql file was found")
	}
}

// Tests do not depend on where the module lies.
func TestNoAbsolutePaths(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{".go", ".md", ".sh", ".txtar", ".sql", ".py"} {
		eachFile(t, suffix, func(path string, text []byte) {
			if strings.Contains(string(text), root+"/") {
				t.Errorf("%s names the directory that this copy of the project lies in", path)
			}
		})
	}
}
