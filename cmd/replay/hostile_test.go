package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"tracereplay/internal/reporttest"
)

// textField is a field of an event that holds free text, or a name.
var textField = regexp.MustCompile(`"(App Name|App ID|User|Host|Executor ID|Stage Name|Name|Callsite|Details|Removed Reason|Loss Reason|Message|` +
	`Description|Failure Reason|Kill Reason|description|details|physicalPlanDescription|simpleString|nodeName|errorMessage|name|exception|Java Home|` +
	`spark\.app\.name|spark\.job\.description|spark\.jobGroup\.id|spark\.driver\.host|spark\.executor\.extraJavaOptions)":"((?:[^"\\]|\\.)*)"`)

// hostileLog is a real log whose texts all try to do something. Equal texts
// stay equal and others stay apart, so that it is the same run.
func hostileLog(t *testing.T, path string) []byte {
	t.Helper()
	log := []byte(unzstd(t, path))
	texts := reporttest.Hostile()
	known := map[string]int{}
	large := 0
	return textField.ReplaceAllFunc(log, func(field []byte) []byte {
		m := textField.FindSubmatch(field)
		key, old := string(m[1]), string(m[2])
		if old == "driver" || strings.HasPrefix(old, "internal.metrics") {
			return field
		}
		n, ok := known[old]
		if !ok {
			n = len(known)
			known[old] = n
		}
		text := texts[n%len(texts)]
		if len(text) > 1<<16 {
			if large++; large > 20 || key == "Host" || key == "Executor ID" {
				text = text[:200]
			}
		}
		return fmt.Appendf(nil, `"%s":%s`, key, quoted(text+fmt.Sprint(" ", n)))
	})
}

// quoted writes a JSON string in which bytes that are no text stay as they are.
func quoted(s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for s != "" {
		n := 0
		for n < len(s) {
			r, size := utf8.DecodeRuneInString(s[n:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			n += size
		}
		_ = enc.Encode(s[:n])
		text := bytes.TrimSuffix(bytes.TrimSpace(b.Bytes()), []byte(`"`))
		b = *bytes.NewBuffer(text)
		if n < len(s) {
			b.WriteByte(s[n])
			n++
		}
		if s = s[n:]; s != "" {
			rest := quoted(s)
			b.Write(rest[1 : len(rest)-1])
			s = ""
		}
	}
	b.WriteByte('"')
	return b.Bytes()
}

// unsafe are characters that no terminal, page or plain file of ours may hold.
const unsafe = "\x00\x07\x1b\x7f\u009b\u202e\u2066\u200b\ufeff"

// Hostile text in every free field of a real log does nothing in any output,
// and changes no figure.
func TestHostileLog(t *testing.T) {
	for _, sample := range []string{"linear-withdrawal", "sql-withdrawal", "stream-count-withdrawal"} {
		t.Run(sample, func(t *testing.T) {
			path := filepath.Join("../../sampletraces", sample+".zstd")
			dir := t.TempDir()
			log, out := filepath.Join(dir, "log"), filepath.Join(dir, "out")
			if err := os.WriteFile(log, hostileLog(t, path), 0o666); err != nil {
				t.Fatal(err)
			}
			said := saidBy(t, "report", log, "-o", out)
			trace := filepath.Join(out, "trace.duckdb")
			commands := [][]string{{"explain", trace}, {"sql", trace, "SELECT * FROM sql_execution"}}
			switch sample {
			case "linear-withdrawal":
				commands = append(commands, others(trace)...)
			case "stream-count-withdrawal":
				commands = append(commands, ofStreams(trace)...)
			}
			for _, args := range commands {
				said += saidBy(t, args...)
			}
			if strings.ContainsAny(said, unsafe) || !utf8.ValidString(said) {
				t.Errorf("what is said holds control characters: %q", around(said))
			}
			checkPage(t, out)
			checkFigures(t, out, trace, dir)
			checkFormulas(t, trace)
			sameFiguresAs(t, path, trace)
		})
	}
}

// others are the commands that need not meet every sample.
func others(trace string) [][]string {
	return [][]string{
		{"blast", trace},
		{"check", trace},
		{"validate", trace},
		{"whatif", trace, "--policy", "replicate=2"},
		{"simulate", trace, "--runs", "2", "--rate", "3"},
		{"sql", trace, "SELECT * FROM stage"},
		{"sql", trace, "SELECT * FROM setting"},
	}
}

// ofStreams are the commands that a stream's names meet.
func ofStreams(trace string) [][]string {
	return [][]string{
		{"stream", trace},
		{"stream", trace, "--rows", "delay"},
		{"stream", trace, "--policy", "standby=1"},
		{"width", trace, "--to", "4"},
		{"sql", trace, "FROM streaming_query"},
	}
}

// saidBy is all that a command prints.
func saidBy(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if code := run(t.Context(), args, nil, &out, &out); code != exitDone {
		t.Fatalf("replay %v: exit %d: %.2000s", args, code, &out)
	}
	return out.String()
}

// around is where the first unsafe character stands.
func around(s string) string {
	i := max(0, strings.IndexAny(s, unsafe))
	return s[max(0, i-40):min(len(s), i+40)]
}

func checkPage(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{"report.html", "report.md"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"<script", "<img", "<b><b>", "</title></svg>"} {
			if strings.Contains(strings.ToLower(string(text)), bad) {
				t.Errorf("%s holds %s", name, bad)
			}
		}
		if strings.ContainsAny(string(text), unsafe) || !utf8.Valid(text) {
			t.Errorf("%s holds control characters: %q", name, around(string(text)))
		}
		if len(text) > 8<<20 {
			t.Errorf("%s has %d bytes", name, len(text))
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err != nil || !json.Valid(text) {
		t.Errorf("summary.json: %v, valid %v", err, json.Valid(text))
	}
}

// checkFigures looks at figures, and at the notebook.
func checkFigures(t *testing.T, dir, trace, scratch string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "plots", "*.svg"))
	if err != nil || len(files) == 0 {
		t.Fatal("no figures", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(string(text), unsafe) || regexp.MustCompile(`(?i)<(script|img|a|foreignObject|iframe|b)\b|\son[a-z]+=|xlink|href=`).Match(text) {
			t.Errorf("%s holds what it must not", filepath.Base(file))
		}
	}
	book := filepath.Join(scratch, "book.ipynb")
	saidBy(t, "notebook", trace, "-o", book)
	text, err := os.ReadFile(book)
	if err != nil {
		t.Fatal(err)
	}
	checkNotebook(t, text)
}

func checkNotebook(t *testing.T, text []byte) {
	t.Helper()
	var book struct {
		Cells []struct {
			Type    string   `json:"cell_type"`
			Source  []string `json:"source"`
			Outputs []struct {
				Data map[string]any `json:"data"`
			} `json:"outputs"`
		} `json:"cells"`
	}
	if err := json.Unmarshal(text, &book); err != nil {
		t.Fatal(err)
	}
	for i, c := range book.Cells {
		for _, line := range c.Source {
			// Markdown of a log's is in a block of code, which begins with four spaces.
			if c.Type == "markdown" && strings.Contains(line, "<") && !strings.HasPrefix(line, "    ") {
				t.Errorf("cell %d has markup: %q", i, line)
			}
			if strings.ContainsAny(line, unsafe) {
				t.Errorf("cell %d holds control characters: %q", i, around(line))
			}
		}
		for _, o := range c.Outputs {
			page := strings.ToLower(fmt.Sprint(o.Data["text/html"]))
			for _, bad := range []string{"<script", "<img", "<svg", "<b>"} {
				if strings.Contains(page, bad) {
					t.Errorf("the output of cell %d holds %s", i, bad)
				}
			}
		}
	}
}

// checkFormulas: no cell of a table begins as a spreadsheet's formula does.
func checkFormulas(t *testing.T, trace string) {
	t.Helper()
	for _, args := range [][]string{{"blast", trace}, {"explain", trace}, {"sql", trace, "SELECT * FROM stage"}, {"sql", trace, "SELECT * FROM setting"}} {
		text := saidBy(t, append(args, "--format", "csv")...)
		all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(args, err)
		}
		for _, row := range all {
			for _, cell := range row {
				if strings.HasPrefix(cell, "=") || strings.HasPrefix(cell, "@") {
					t.Errorf("%v: %.80q", args, cell)
				}
			}
		}
	}
}

// sameFiguresAs compares with the run before its names were changed.
func sameFiguresAs(t *testing.T, log, trace string) {
	t.Helper()
	query := "SELECT (SELECT count(*) FROM task), (SELECT sum(run_ms) FROM task), (SELECT count(*) FROM machine), (SELECT count(*) FROM removal), " +
		"(SELECT sum(rerun_ms) FROM removal_cost), (SELECT sum(lost_outputs) FROM removal_cost)"
	plain, hostile := saidBy(t, "sql", log, query, "--format", "csv"), saidBy(t, "sql", trace, query, "--format", "csv")
	last := func(s string) string { return strings.TrimSpace(s[strings.LastIndex(strings.TrimSpace(s), "\n")+1:]) }
	if last(plain) != last(hostile) {
		t.Errorf("figures %s, without hostile names %s", last(hostile), last(plain))
	}
}
