package report_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tracereplay/analysis"
	"tracereplay/cmd/replay/internal/report"
	"tracereplay/internal/reporttest"
)

var update = flag.Bool("update", false, "rewrite the golden files; read their difference")

func small() *analysis.Report {
	s := reporttest.Small()
	in := reporttest.Inputs(s)
	reporttest.Withdraw(in, s, 1, 2)
	return analysis.New(in)
}

func written(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func page(t *testing.T, r *analysis.Report) string {
	return written(t, func(w io.Writer) error { return report.HTML(w, r, report.Figures(r)) })
}

func summary(t *testing.T, r *analysis.Report) string {
	return written(t, func(w io.Writer) error { return report.Summary(w, r) })
}

func markdown(t *testing.T, r *analysis.Report) string {
	return written(t, func(w io.Writer) error { return report.Markdown(w, r) })
}

func TestGolden(t *testing.T) {
	r := small()
	svg := regexp.MustCompile(`(?s)<svg .*?</svg>|<style>.*?</style>`) // package plots has goldens of its own
	for name, got := range map[string]string{
		"report.html":  svg.ReplaceAllString(page(t, r), "<!-- left out -->"),
		"report.md":    markdown(t, r),
		"summary.json": summary(t, r),
	} {
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s differs; -update rewrites it", path)
		}
	}
}

// dataElement is a value on the page: its name in summary.json, its exact form.
var dataElement = regexp.MustCompile(`<data value="([^"]*)" title="[^"]*" data-name="([^"]*)">`)

// Every number on the page stands in summary.json under the name it carries.
func TestPageIsSummary(t *testing.T) {
	for _, r := range []*analysis.Report{small(), analysis.New(reporttest.HostileInputs()), analysis.New(&analysis.Inputs{Kind: analysis.Machine})} {
		var all map[string]any
		d := json.NewDecoder(strings.NewReader(summary(t, r)))
		d.UseNumber()
		if err := d.Decode(&all); err != nil {
			t.Fatal(err)
		}
		found := dataElement.FindAllStringSubmatch(page(t, r), -1)
		for _, m := range found {
			value, name := html.UnescapeString(m[1]), m[2]
			if got := lookUp(all, name); !sameNumber(got, value) {
				t.Errorf("%s is %s on the page and %v in summary.json", name, value, got)
			}
		}
		t.Logf("%d values compared", len(found))
	}
}

var inTable = regexp.MustCompile(`^(\w+)\[(\d+)\]\.(\w+)$`)

// lookUp finds name, or table[row].column.
func lookUp(all map[string]any, name string) any {
	m := inTable.FindStringSubmatch(name)
	if m == nil {
		return all[name]
	}
	rows, _ := all[m[1]].([]any)
	i, _ := strconv.Atoi(m[2])
	if i >= len(rows) {
		return nil
	}
	row, _ := rows[i].(map[string]any)
	return row[m[3]]
}

func sameNumber(a any, b string) bool {
	n, ok := a.(json.Number)
	if !ok {
		return false
	}
	x, err1 := n.Float64()
	y, err2 := strconv.ParseFloat(b, 64)
	return err1 == nil && err2 == nil && x == y
}

// tag is the name of any element that a browser would see.
var tag = regexp.MustCompile(`<(/?[a-zA-Z!?][^\s>/]*)`)

// Names from logs put no element, attribute or address into the page, and do
// not make it large.
func TestHostilePage(t *testing.T) {
	allowed := map[string]bool{"!DOCTYPE": true}
	for _, m := range tag.FindAllStringSubmatch(page(t, small()), -1) {
		allowed[m[1]] = true
	}
	for _, name := range []string{"summary", "/summary", "details", "/details"} {
		allowed[name] = true
	}
	r := analysis.New(reporttest.HostileInputs())
	got := page(t, r)
	for _, m := range tag.FindAllStringSubmatch(got, -1) {
		if !allowed[m[1]] {
			t.Errorf("an element %q is in the page", m[1])
		}
	}
	if n := len(got); n > 5<<20 {
		t.Errorf("the page has %d bytes", n)
	}
	if i := strings.IndexAny(got, "\x00\x1b\x07\u202e\u2066\u200b\ufeff"); i >= 0 {
		t.Errorf("the page holds control characters: %q", got[max(i-200, 0):min(i+50, len(got))])
	}
	if strings.Contains(got, "ZgotmplZ") {
		t.Error("the template refused a value")
	}
	noAddresses(t, got)
}

// noAddresses fails when the page could load anything, or run it.
func noAddresses(t *testing.T, page string) {
	t.Helper()
	const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">`
	if !strings.Contains(page, policy) {
		t.Error("the page has no content security policy")
	}
	for _, m := range regexp.MustCompile(`<[a-z]+ [^>]*\b(src|href|action|on[a-z]+|srcset|data|poster)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if m[1] != "href" || !regexp.MustCompile(`^plots/[a-z]+\.svg$`).MatchString(m[2]) {
			t.Errorf("%s=%q is in the page", m[1], m[2])
		}
	}
}

// In markdown a hostile name stays inside its cell and is no markup.
func TestHostileMarkdown(t *testing.T) {
	got := markdown(t, analysis.New(reporttest.HostileInputs()))
	cells := 0
	for line := range strings.Lines(got) {
		line = strings.TrimSuffix(line, "\n")
		if !strings.HasPrefix(line, "|") {
			cells = 0
			continue
		}
		if n := strings.Count(line, "|"); cells == 0 {
			cells = n
		} else if n != cells {
			t.Errorf("a row of %d cells in a table of %d: %s", n, cells, line)
		}
	}
	body, _, _ := strings.Cut(got, "The same again:")
	for _, bad := range []string{"<", "](", "`code`", "http://", "\x1b", "\u202e"} {
		if strings.Contains(body, bad) {
			t.Errorf("%q is in the markdown", bad)
		}
	}
	if len(got) > 200_000 {
		t.Errorf("%d bytes", len(got))
	}
}

func TestSummaryIsJSON(t *testing.T) {
	for _, r := range []*analysis.Report{small(), analysis.New(reporttest.HostileInputs())} {
		var all map[string]any
		if err := json.Unmarshal([]byte(summary(t, r)), &all); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"fidelity_error", "problems", "checks", "paragraph", "verdict"} {
			if _, ok := all[name]; !ok {
				t.Errorf("%s is missing", name)
			}
		}
	}
}

// The same inputs give the same files.
func TestSameBytes(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	for _, dir := range []string{first, second} {
		if err := report.Write(dir, small()); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(first, "*"))
	more, err2 := filepath.Glob(filepath.Join(first, "plots", "*"))
	if err != nil || err2 != nil || len(files) != 4 || len(more) != 12 {
		t.Fatalf("%v %v: %v %v", files, more, err, err2)
	}
	for _, path := range append(files, more...) {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			continue
		}
		rel, _ := filepath.Rel(first, path)
		a, err1 := os.ReadFile(path)
		b, err2 := os.ReadFile(filepath.Join(second, rel))
		if err1 != nil || err2 != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs (%v, %v)", rel, err1, err2)
		}
	}
}

// A page about 1,000 machines is below 5 MB.
func TestWidePage(t *testing.T) {
	if n := len(page(t, analysis.New(reporttest.Inputs(reporttest.Wide())))); n > 5<<20 {
		t.Errorf("%d bytes", n)
	} else {
		t.Logf("%d bytes", n)
	}
}

func TestCommandLine(t *testing.T) {
	got := report.CommandLine([]string{"report", "my log.zstd", "it's", "-o", "out", "--tz", "Europe/Berlin", "", "$(x)"})
	want := `replay report 'my log.zstd' 'it'\''s' -o out --tz Europe/Berlin '' '$(x)'`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestLook(t *testing.T) {
	dir := os.Getenv("LOOK")
	if dir == "" {
		t.Skip("set LOOK to a directory to look at pages")
	}
	s := reporttest.Size{Machines: 8, Rounds: 9, Bins: 200, RoundMs: 40_000}
	in := reporttest.Inputs(s)
	reporttest.Withdraw(in, s, 2, 5)
	for i, in := range []*analysis.Inputs{in, reporttest.HostileInputs(), reporttest.Inputs(reporttest.Wide())} {
		sub := filepath.Join(dir, fmt.Sprint(i))
		if err := os.MkdirAll(sub, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := report.Write(sub, analysis.New(in)); err != nil {
			t.Fatal(err)
		}
	}
}
