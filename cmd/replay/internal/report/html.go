package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strconv"
	"strings"

	"tracereplay/analysis"
	"tracereplay/internal/human"
	"tracereplay/plots"
)

//go:embed page.gohtml
var pageText string

//go:embed page.css
var pageStyle string

// page is what the template is filled with.
type page struct {
	*analysis.Report
	Title       string
	Facts       string
	Style       template.CSS
	Tiles       []tile
	Sections    []sectionView
	NotesNumber int
	Notes       []analysis.Note
	Problems    []tableView
	Checks      []tableView
	Assumptions []string
	Limits      []string
	Kinds       []string
	Numbers     []numberView
}

// tile is one figure in large.
type tile struct {
	Value template.HTML
	Words string
}

type sectionView struct {
	Number      int
	ID          string
	Title, Lead string
	Plots       []plotView
	Tables      []tableView
	Folded      bool
	Told        []string
}

type plotView struct {
	Name, Note string
	SVG        template.HTML
}

type tableView struct {
	Caption string
	Columns []analysis.Column
	Rows    [][]template.HTML
	Left    int // rows that are not shown
}

// HTML writes the page.
func HTML(w io.Writer, r *analysis.Report, figures []plots.Figure) error {
	t, err := template.New("page").Funcs(template.FuncMap{
		"value": func(name string) template.HTML { return figureHTML(r, r.Figures.Get(name)) },
		"piece": func(p analysis.Piece) template.HTML { return pieceHTML(r, p) },
		"left": func(u analysis.UnitOf) bool {
			return u == analysis.InText || u == analysis.InWords || u == analysis.InInstant
		},
		"clean": func(s string) string { return human.Cut(s, maxName) },
	}).Parse(pageText)
	if err != nil {
		return fmt.Errorf("the page's template: %w", err)
	}
	p, err := newPage(r, figures)
	if err != nil {
		return err
	}
	return t.Execute(w, p)
}

// maxName is how much of a name the page holds, for those who point at it.
const maxName = 2000

// shownName is how much of it is shown.
const shownName = 100

func newPage(r *analysis.Report, figures []plots.Figure) (*page, error) {
	p := &page{
		Report: r, Title: human.Cut(appName(r), 120), Facts: facts(r), Style: template.CSS(plots.CSS() + pageStyle),
		Tiles: tiles(r), Notes: analysis.Notes(), Assumptions: r.Assumptions(), Limits: r.Limits(),
		Problems: views(r, []analysis.Table{r.ProblemTable()}), Checks: views(r, []analysis.Table{r.CheckTable()}),
	}
	p.Numbers = numberViews(r)
	p.NotesNumber = len(sectionsOf(r)) + 2
	byName := make(map[string]plots.Figure)
	for _, f := range figures {
		byName[f.Name] = f
	}
	for i, s := range sectionsOf(r) {
		v := sectionView{Number: i + 2, ID: s.id, Title: s.title, Lead: s.lead, Folded: s.folded, Told: s.told}
		for _, name := range s.plots {
			f := byName[name]
			var b strings.Builder
			if err := f.InlineSVG(&b); err != nil {
				return nil, fmt.Errorf("plot %s: %w", name, err)
			}
			v.Plots = append(v.Plots, plotView{f.Name, f.Note, template.HTML(b.String())})
		}
		if s.table != nil {
			v.Tables = views(r, s.table(r))
		}
		p.Sections = append(p.Sections, v)
	}
	return p, nil
}

// tiles are the figures that are looked for first.
func tiles(r *analysis.Report) []tile {
	var out []tile
	add := func(name, words string) {
		out = append(out, tile{figureHTML(r, r.Figures.Get(name)), words})
	}
	if r.Story.Verdict == analysis.Lost {
		add("loss_again_ms", "of finished work ran again after the recorded loss")
	}
	for _, kind := range []string{analysis.Machine, analysis.Worker} {
		if r.Figures.Has("worst_" + kind + "_recompute_ms") {
			add("worst_"+kind+"_recompute_ms", "to redo if the worst "+kind+" had gone at the worst moment")
			add("worst_"+kind+"_finished_share", "of that had been reported finished")
			break
		}
	}
	for _, kind := range []string{analysis.Machine, analysis.Worker} {
		if name := "expected_" + kind + "_recompute_ms_per_removal"; r.Figures.Has(name) {
			add(name, "to redo per lost "+kind+", in the mean over all moments")
		}
	}
	return out
}

// valueHTML writes a value with its exact form and its name in summary.json.
func valueHTML(name string, text string, v any) template.HTML {
	exact, ok := exactly(v)
	if !ok {
		return template.HTML(template.HTMLEscapeString(text))
	}
	n, x := template.HTMLEscapeString(name), template.HTMLEscapeString(exact)
	return template.HTML(`<data value="` + x + `" title="` + n + " = " + x + `" data-name="` + n + `">` + template.HTMLEscapeString(text) + `</data>`)
}

// exactly is a number as summary.json has it; text has no other form.
func exactly(v any) (string, bool) {
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10), true
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), true
	default:
		return "", false
	}
}

func figureHTML(r *analysis.Report, f analysis.Figure) template.HTML {
	clock := r.In.Clock.Within(r.In.App.FromMs, r.In.App.ToMs)
	if s, ok := f.Value.(string); ok {
		return nameHTML(s)
	}
	return valueHTML(f.Name, f.Text(clock), f.Value)
}

func pieceHTML(r *analysis.Report, p analysis.Piece) template.HTML {
	if p.Figure == "" {
		return template.HTML(template.HTMLEscapeString(p.Text))
	}
	return figureHTML(r, r.Figures.Get(p.Figure))
}

// nameHTML writes a name of the log: what is cut is shown on hover.
func nameHTML(s string) template.HTML {
	short, full := human.Cut(s, shownName), human.Cut(s, maxName)
	if short == full {
		return template.HTML(`<bdi>` + template.HTMLEscapeString(short) + `</bdi>`)
	}
	return template.HTML(`<bdi title="` + template.HTMLEscapeString(full) + `">` + template.HTMLEscapeString(short) + `</bdi>`)
}

func views(r *analysis.Report, tables []analysis.Table) []tableView {
	var out []tableView
	for _, t := range tables {
		if len(t.Rows) == 0 {
			continue
		}
		v := tableView{Caption: t.Title, Columns: t.Columns, Left: t.Total - len(t.Rows)}
		for i, row := range t.Rows {
			cells := make([]template.HTML, len(row))
			for j, c := range t.Columns {
				if s, ok := row[j].(string); ok && c.Unit == analysis.InWords {
					cells[j] = template.HTML(`<span class="words">` + template.HTMLEscapeString(human.Clean(s)) + `</span>`)
					continue
				} else if ok {
					cells[j] = nameHTML(s)
					continue
				}
				cells[j] = valueHTML(fmt.Sprintf("%s[%d].%s", t.Name, i, c.Name), cellText(r, c, row[j]), row[j])
			}
			v.Rows = append(v.Rows, cells)
		}
		out = append(out, v)
	}
	return out
}
