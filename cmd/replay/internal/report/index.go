package report

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"strings"

	"tracereplay/analysis"
	"tracereplay/internal/human"
	"tracereplay/plots"
)

//go:embed index.gohtml
var indexText string

// Entry is one application of a trace that holds several.
type Entry struct {
	Dir    string // of its report, below that of the index
	App    string
	Report *analysis.Report
	Err    error // why there is no report of it
}

// AppDir names the directory of the n-th application's report, from 1.
func AppDir(n int, app string) string {
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, human.Cut(app, 60))
	return fmt.Sprintf("app-%03d-%s", n, safe)
}

// WriteIndex writes the pages that lead to the reports of several applications.
func WriteIndex(dir string, entries []Entry) error {
	for _, file := range []struct {
		name  string
		write func(io.Writer, []Entry) error
	}{{"report.html", indexHTML}, {"report.md", indexMarkdown}, {Marker, indexSummary}} {
		err := writeFile(filepath.Join(dir, file.name), func(w io.Writer) error { return file.write(w, entries) })
		if err != nil {
			return err
		}
	}
	return nil
}

// Name is what the application is called on the index.
func (e Entry) Name() string {
	if e.Report == nil {
		return e.App
	}
	return appName(e.Report)
}

// Facts are its run in one line.
func (e Entry) Facts() string {
	if e.Report == nil {
		return ""
	}
	return facts(e.Report)
}

func indexHTML(w io.Writer, entries []Entry) error {
	t, err := template.New("index").Funcs(template.FuncMap{
		"name":  nameHTML,
		"piece": pieceHTML,
		"clean": func(v any) string { return human.Cut(fmt.Sprint(v), maxName) },
	}).Parse(indexText)
	if err != nil {
		return fmt.Errorf("the index's template: %w", err)
	}
	return t.Execute(w, struct {
		Style   template.CSS
		Entries []Entry
	}{template.CSS(plots.CSS() + pageStyle), entries})
}

func indexMarkdown(w io.Writer, entries []Entry) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "# Blast radius of %s\n", human.Counted(int64(len(entries)), "application", "applications"))
	for _, e := range entries {
		fmt.Fprintf(b, "\n## [%s](%s/report.md)\n\n", md(e.Name(), 120), e.Dir)
		if e.Err != nil {
			fmt.Fprintf(b, "No report: %s\n", md(e.Err.Error(), 500))
			continue
		}
		fmt.Fprintf(b, "%s\n\n", md(e.Facts(), 1000))
		mdStory(b, e.Report.Story)
	}
	return b.Flush()
}

func indexSummary(w io.Writer, entries []Entry) error {
	apps := []map[string]any{}
	for _, e := range entries {
		a := map[string]any{"app": harmless(e.App), "directory": e.Dir, "error": nil}
		if e.Err != nil {
			a["error"] = harmless(e.Err.Error())
			apps = append(apps, a)
			continue
		}
		a["verdict"] = string(e.Report.Story.Verdict)
		a["paragraph"] = e.Report.Story.Plain()
		for _, f := range e.Report.Figures.All() {
			a[f.Name] = harmless(f.Value)
		}
		apps = append(apps, a)
	}
	text, err := json.MarshalIndent(map[string]any{"apps": apps}, "", " ")
	if err != nil {
		return fmt.Errorf("summary.json: %w", err)
	}
	_, err = w.Write(append(text, '\n'))
	return err
}
