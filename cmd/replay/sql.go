package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"tracereplay/cmd/replay/internal/render"
	"tracereplay/replay"
)

type sqlOptions struct {
	inputFlags
	outputFlags
	external bool
}

func sqlCommand() *Command {
	var o sqlOptions
	return &Command{
		Name:  "sql",
		Usage: "TRACE QUERY",
		Short: "query the tables of a trace",
		Long: `Runs a query in DuckDB's SQL on the tables of a trace, which it cannot change;
"replay tables" tells what they hold. QUERY - is read from standard input. SQL can
neither read nor write files, nor load extensions, unless --external-access is set.
Of several statements, all run, and the last one's rows are written.

Examples:
  $ replay sql trace.duckdb "SELECT status, count(*) AS tasks FROM task GROUP BY ALL ORDER BY ALL"
  $ replay sql trace.duckdb "FROM removal" --format csv -o removals.csv`,
		Flags: o.add,
		Run:   o.run,
	}
}

func (o *sqlOptions) add(f *pflag.FlagSet) {
	o.outputFlags.add(f)
	f.BoolVar(&o.external, "external-access", false, "let the query read and write files and load extensions")
	o.inputFlags.add(f)
}

func (o *sqlOptions) run(ctx context.Context, env *Env, args []string) error {
	if len(args) != 2 {
		return usagef("give TRACE and QUERY (in quotes)")
	}
	query := args[1]
	if query == "-" {
		text, err := io.ReadAll(env.In)
		if err != nil {
			return fmt.Errorf("reading the query: %w", err)
		}
		query = string(text)
	}
	return withTrace(ctx, env, &o.inputFlags, args[0], replay.OpenOptions{Unsealed: o.external}, func(t *replay.Trace) error {
		return o.query(ctx, env, t, query)
	})
}

func (o *sqlOptions) query(ctx context.Context, env *Env, t *replay.Trace, query string) (err error) {
	result, err := t.DB().Result(ctx, query)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, result.Close()) }()
	cols := make([]render.Column, len(result.Columns))
	for i, name := range result.Columns {
		cols[i] = render.Column{Name: name}
	}
	return o.write(env, rows{Columns: cols, Null: "NULL", Each: func(write func([]any) error) error {
		for {
			row, err := result.Next()
			if row == nil || err != nil {
				return err
			}
			if err := write(row); err != nil {
				return err
			}
		}
	}})
}
