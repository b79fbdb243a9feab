package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"tracereplay/analysis/postmortem"
	"tracereplay/cmd/replay/internal/notebook"
	"tracereplay/internal/duck"
	"tracereplay/internal/human"
	"tracereplay/replay"
)

type notebookOptions struct {
	inputFlags
	runFlags
	out   string
	force bool
}

func notebookCommand() *Command {
	var o notebookOptions
	return &Command{
		Name:  "notebook",
		Usage: "TRACE -o FILE.ipynb",
		Short: "a Jupyter notebook of the postmortem, already filled in",
		Long: `Writes a notebook that tells what each recorded loss cost, with tables and figures as
outputs: it renders without being run. Its cells run against the trace beside it
(Python with duckdb, pandas and matplotlib), so that you can go on asking from there.
TRACE is a trace.duckdb, since the cells need one to read.

Examples:
  $ replay notebook trace.duckdb -o postmortem.ipynb
  replay notebook out/trace.duckdb -o out/postmortem.ipynb --tz Europe/Berlin`,
		Flags: o.add,
		Run:   o.run,
	}
}

func (o *notebookOptions) add(f *pflag.FlagSet) {
	f.StringVarP(&o.out, "output", "o", "", "`FILE` to write")
	f.BoolVar(&o.force, "force", false, "replace FILE if it exists")
	o.runFlags.add(f)
	o.inputFlags.add(f)
}

func (o *notebookOptions) run(ctx context.Context, env *Env, args []string) error {
	if len(args) != 1 || o.out == "" {
		return usagef("give TRACE and -o FILE.ipynb")
	}
	if replay.KindOf(args[0]) != replay.KindFile {
		return usagef("%s is no trace.duckdb: make one with replay ingest, so that the notebook's cells have something to read", args[0])
	}
	return withTrace(ctx, env, &o.inputFlags, args[0], replay.OpenOptions{App: o.app}, func(t *replay.Trace) error {
		n, err := o.fill(ctx, env, t, args[0])
		if err != nil {
			return err
		}
		out := outputFlags{out: o.out, force: o.force}
		return out.to(env, func(w io.Writer, _ bool) error { return n.Write(w) })
	})
}

// fill writes the cells.
func (o *notebookOptions) fill(ctx context.Context, env *Env, t *replay.Trace, path string) (*notebook.Notebook, error) {
	app, err := t.App(o.app)
	if err != nil {
		return nil, err
	}
	zone, err := o.zone(env, app.TimeZone)
	if err != nil {
		return nil, err
	}
	e, err := replay.Explain(ctx, t.DB(), app.App)
	if err != nil {
		return nil, err
	}
	told := postmortem.Input{Story: e.Story, Removals: e.Removals, Reruns: e.Reruns, Chain: e.Chain, Clock: human.ClockIn(zone)}
	text := postmortem.Text(told)
	var n notebook.Notebook
	n.Markdown("# Postmortem\n\nWhat each recorded loss of this run cost, and why finished work ran again. Written by `replay notebook`; the outputs were there before any cell was run.\n\n" +
		notebook.Quote(wrap(app.App+"  "+human.Cut(human.Clean(app.Name.Or("")), 80), 100)))
	for _, p := range text {
		n.Markdown(notebook.Quote(wrap(p, 100)))
	}
	rel, err := filepath.Rel(filepath.Dir(o.out), path)
	if err != nil {
		rel = path
	}
	n.Markdown("## The same, as tables\n\nEach cell asks the trace; `replay sql " + "TRACE QUERY` gives the same answers.")
	n.Code("import duckdb\nimport pandas\n\npandas.set_option(\"display.max_rows\", None, \"display.max_colwidth\", None)\npath = " + notebook.PyString(filepath.ToSlash(rel)) + "\ntrace = duckdb.connect(path, read_only=True)\napp = " + notebook.PyString(app.App))
	if err := o.numbers(ctx, &n, t, postmortem.Numbers(told, otherApps(t, app.App)), filepath.ToSlash(rel)); err != nil {
		return nil, err
	}
	for _, q := range notebookQueries() {
		n.Markdown("**" + q.title + "**")
		if err := o.table(ctx, &n, t, app.App, q.sql); err != nil {
			return nil, err
		}
	}
	n.Markdown("## Figures")
	return &n, o.pictures(ctx, env, t, &n)
}

// otherApps is the application that a query must name, "" where there is no other.
func otherApps(t *replay.Trace, app string) string {
	if len(t.Apps) > 1 {
		return app
	}
	return ""
}

// numbers adds the numbers of the text, each with the query that gives it: the
// line for a shell beside it, and a cell that asks them all again.
func (o *notebookOptions) numbers(ctx context.Context, n *notebook.Notebook, t *replay.Trace, all []postmortem.Number, trace string) error {
	if len(all) == 0 {
		return nil
	}
	var lines strings.Builder
	code := "numbers = ["
	rows := make([][]string, 0, len(all))
	for _, x := range all {
		v, err := duck.QueryOne[int64](ctx, t.DB(), x.SQL)
		if err != nil {
			return err
		}
		fmt.Fprintf(&lines, "%s\n    %d%s\n", postmortem.CommandLine(trace, x.SQL), v, strings.TrimRight(" "+x.Unit, " "))
		code += "\n    (" + notebook.PyString(numberTitle(x)) + ", " + notebook.PyString(x.Unit) + ",\n     " + notebook.PyString(x.SQL) + "),"
		rows = append(rows, []string{numberTitle(x), fmt.Sprint(v), x.Unit})
	}
	n.Markdown("**The numbers of the text, and the queries that give them**\n\nEach with the line that asks for it in a shell, and its answer.\n\n" + notebook.Quote(lines.String()))
	code += "\n]\npandas.DataFrame([(words, trace.execute(query).fetchone()[0], unit) for words, unit, query in numbers], columns=[\"number\", \"value\", \"unit\"])"
	n.Table(code, []string{"number", "value", "unit"}, rows)
	return nil
}

func numberTitle(x postmortem.Number) string {
	if x.Removal == 0 {
		return x.Words
	}
	return fmt.Sprintf("removal %d, %s", x.Removal, x.Words)
}

// notebookQuery is a question of the notebook; $1 is the application.
type notebookQuery struct{ title, sql string }

func notebookQueries() []notebookQuery {
	return []notebookQuery{
		{"What each removal cost", `SELECT removal, kind, unit_kind, unit, cause, lost_outputs, needed_outputs, pieces_again, rerun_tasks, rerun_ms, oldest_lost_age_ms
FROM removal_cost
WHERE app = $1
ORDER BY rerun_ms DESC, removal
LIMIT 20`},
		{"Why attempts ran again", `SELECT removal, why, triggered_by, count(*) AS attempts, sum(coalesce(rerun_end_ms, rerun_start_ms) - rerun_start_ms)::BIGINT AS slot_ms
FROM rerun_cause
WHERE app = $1
GROUP BY ALL
ORDER BY removal, attempts DESC, why, triggered_by
LIMIT 50`},
		{"The way back through the rounds", `SELECT removal, level, dataset, for_dataset, pieces, again_ms
FROM rerun_chain
WHERE app = $1
ORDER BY removal, level, dataset, for_dataset
LIMIT 50`},
		{"The finished work that ran again, the oldest first", `SELECT removal, why, stage, partition, first_worker, first_success_ms, rerun_task, rerun_worker, rerun_start_ms
FROM rerun_cause
WHERE app = $1 AND first_success_ms IS NOT NULL
ORDER BY first_success_ms, rerun_task
LIMIT 20`},
	}
}

// table runs a query and adds it with its answer.
func (o *notebookOptions) table(ctx context.Context, n *notebook.Notebook, t *replay.Trace, app, sql string) (err error) {
	result, err := t.DB().Result(ctx, sql, app)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, result.Close()) }()
	var rows [][]string
	for {
		row, err := result.Next()
		if err != nil {
			return err
		}
		if row == nil {
			break
		}
		cells := make([]string, len(row))
		for i, v := range row {
			if v != nil {
				cells[i] = human.Cut(human.Clean(fmt.Sprint(v)), 120)
			}
		}
		rows = append(rows, cells)
	}
	// convert_dtypes: a column of whole numbers with nulls stays one of whole numbers.
	n.Table("trace.execute(\"\"\"\n"+sql+"\n\"\"\", [app]).df().convert_dtypes()", result.Columns, rows)
	return nil
}

// pictures adds the report's figures, each with code that draws its like.
func (o *notebookOptions) pictures(ctx context.Context, env *Env, t *replay.Trace, n *notebook.Notebook) error {
	for _, name := range []string{"timeline", "chain", "rounds", "banked", "heatmap"} {
		figure, err := (&plotOptions{inputFlags: o.inputFlags, runFlags: o.runFlags}).figure(ctx, env, t, name)
		if err != nil {
			return err
		}
		var png bytes.Buffer
		if err := figure.WritePNG(&png); err != nil {
			return err
		}
		n.Picture(notebook.Cell(name), png.Bytes(), strings.TrimSpace(figure.Title))
	}
	return nil
}
