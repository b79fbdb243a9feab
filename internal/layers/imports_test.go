package layers

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "tracereplay/"

// mayImport lists, for each package or group of packages (a name and all below
// it), what of this module it may import. The longest name that fits a package
// counts. Data flows one way, so the list reads downwards.
var mayImport = map[string][]string{
	"internal":        {"internal/table"}, // leaves
	"internal/layers": {},
	"internal/table":  {},
	"ingest":          {"internal/problem", "internal/table"},
	"ingest/source":   {"internal/problem"},
	"ingest/spark":    {"ingest", "internal/problem", "internal/table"},
	"lineage":         {"ingest", "internal/problem", "internal/table"}, // no format package
	"replay/result":   {"internal/table"},
	"replay":          {"ingest", "lineage", "replay/climb", "replay/curve", "replay/result", "replay/sim", "replay/span", "replay/states", "replay/trigger", "internal/aside", "internal/duck", "internal/problem", "internal/table"},
	"replay/sim":      {"replay/result", "internal/table"},
	"replay/span":     {},                // intervals of time
	"replay/states":   {"replay/span"},   // what workers do
	"replay/trigger":  {},                // when micro-batches start
	"replay/climb":    {"replay/span"},   // how damage reaches back
	"replay/curve":    {"replay/result"}, // what a loss costs over time
	"replay/width":    {},                // rules of ownership
	"analysis":        {"analysis", "replay/result", "replay/width", "internal/human", "internal/table"},
	"plots":           {"analysis", "replay/result", "internal/human"},

	"cmd/replay": {
		"cmd/replay/internal", "analysis", "plots", "ingest", "ingest/source", "ingest/spark", "lineage", "replay", "replay/result", "replay/sim",
		"internal/aside", "internal/duck", "internal/human", "internal/problem", "internal/table",
	},

	// Helpers of tests and benchmarks.
	"scripts/bench/generate": {"internal/sparkgen"},
	"scripts/bench/multiply": {},
	"internal/naive":         {"ingest", "internal/table"}, // neither lineage nor SQL: it checks both
	"internal/sparkgen":      {"ingest", "lineage", "internal/table"},
	"internal/reporttest":    {"analysis", "replay/result", "internal/human", "internal/table"},
}

// testHelpers may be imported by tests, and by what makes logs for benchmarks.
var testHelpers = []string{"scripts/bench/generate", "internal/naive", "internal/sparkgen", "internal/reporttest", "internal/tabletest"}

// onlyIn lists foreign packages that have one home, and why.
var onlyIn = map[string]struct{ home, why string }{
	"github.com/marcboeker/go-duckdb": {"internal/duck", "its traps are dealt with there: call internal/duck"},
	"gonum.org/v1/plot":               {"plots", "figures go through one theme: add a function to plots"},
}

// withoutDuckDB are packages that must not link DuckDB, not even through
// others: they get results as plain Go types (replay/result).
var withoutDuckDB = []string{"ingest/...", "lineage", "analysis/...", "plots/...", "replay/climb", "replay/curve", "replay/result", "replay/sim", "replay/span", "replay/states", "replay/trigger", "replay/width"}

type pkg struct {
	ImportPath   string
	Imports      []string
	TestImports  []string
	XTestImports []string
}

// list runs go list in the module's root.
func list(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir = "../.."
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %v: %v\n%s", args, err, errs.String())
	}
	return out
}

func packages(t *testing.T) []pkg {
	t.Helper()
	var all []pkg
	dec := json.NewDecoder(strings.NewReader(string(list(t, "-json=ImportPath,Imports,TestImports,XTestImports", "./..."))))
	for {
		var p pkg
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// below tells whether a package is group or lies below it.
func below(name, group string) bool { return name == group || strings.HasPrefix(name, group+"/") }

// rule is the longest key of mayImport that fits.
func rule(name string) string {
	best := ""
	for group := range mayImport {
		if below(name, group) && len(group) > len(best) {
			best = group
		}
	}
	return best
}

func allowed(from, to string) bool {
	group := rule(from)
	for _, ok := range mayImport[group] {
		if to == ok || strings.HasPrefix(ok, "cmd/") && below(to, ok) || ok == "analysis" && below(to, ok) {
			return true
		}
	}
	return false
}

// broken lists what is wrong with the imports of p.
func broken(p pkg) []string {
	var bad []string
	name := strings.TrimPrefix(p.ImportPath, module)
	if rule(name) == "" {
		bad = append(bad, name+" has no rule: give it a line in mayImport")
	}
	for _, imp := range p.Imports {
		own, isOwn := strings.CutPrefix(imp, module)
		switch {
		case isOwn && !allowed(name, own):
			bad = append(bad, name+" imports "+own+": not among what "+rule(name)+" may see; data flows one way (ARCHITECTURE.md)")
		case isOwn && slices.Contains(testHelpers, own) && !slices.Contains(testHelpers, name):
			bad = append(bad, name+" imports "+own+", a helper of tests")
		}
	}
	for _, imp := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
		for foreign, rule := range onlyIn {
			if below(imp, foreign) && !below(name, rule.home) {
				bad = append(bad, name+" imports "+imp+": only "+rule.home+" may; "+rule.why)
			}
		}
	}
	return bad
}

func TestImports(t *testing.T) {
	for _, p := range packages(t) {
		for _, b := range broken(p) {
			t.Error(b)
		}
	}
}

// The rules catch what they are there for.
func TestImportRules(t *testing.T) {
	for _, p := range []pkg{
		{ImportPath: "tracereplay/lineage", Imports: []string{"tracereplay/ingest/spark"}},
		{ImportPath: "tracereplay/ingest", Imports: []string{"tracereplay/lineage"}},
		{ImportPath: "tracereplay/plots", Imports: []string{"tracereplay/replay"}},
		{ImportPath: "tracereplay/internal/human", Imports: []string{"tracereplay/ingest"}},
		{ImportPath: "tracereplay/replay", TestImports: []string{"github.com/marcboeker/go-duckdb"}},
		{ImportPath: "tracereplay/cmd/replay", Imports: []string{"tracereplay/internal/naive"}},
		{ImportPath: "tracereplay/newroom"},
	} {
		if len(broken(p)) == 0 {
			t.Errorf("%+v passes", p)
		}
	}
	for _, p := range []pkg{
		{ImportPath: "tracereplay/ingest/spark", Imports: []string{"tracereplay/ingest", "fmt"}},
		{ImportPath: "tracereplay/analysis/postmortem", Imports: []string{"tracereplay/replay/result"}},
		{ImportPath: "tracereplay/cmd/replay/internal/args", Imports: []string{"time"}},
	} {
		if b := broken(p); len(b) > 0 {
			t.Errorf("%+v: %v", p, b)
		}
	}
}

func TestNoDuckDBBelow(t *testing.T) {
	for _, name := range withoutDuckDB {
		deps := strings.Fields(string(list(t, "-deps", "./"+name)))
		if slices.Contains(deps, "github.com/marcboeker/go-duckdb") {
			t.Errorf("%s links DuckDB through one of its imports", name)
		}
	}
}
