package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"tracereplay/replay"
)

type ingestOptions struct {
	inputFlags
	out          string
	tables       string
	tablesFormat choiceFlag
	force        bool
}

func ingestCommand() *Command {
	var o ingestOptions
	return &Command{
		Name:  "ingest",
		Usage: "LOG... -o FILE.duckdb",
		Short: "read logs into a trace, a DuckDB file that all other commands use",
		Long: `Reads Spark event logs, plain or compressed, whole or rolled, and writes all that
they say, and the lineage derived from it, as tables of a DuckDB file.
"replay tables" tells what each table and column means.

Of a directory of logs as many are read at a time as there are cores (--jobs), and
one bad log does not stop the rest. If that is interrupted, the logs that were
finished are kept in a hidden directory beside FILE (.FILE.parts), and the same
command goes on from there.

What cannot be read is skipped, counted and written to table problem with its
place; the exit code is 3 then. Values are exact in all formats: in csv, text that
begins with = may be a formula to a spreadsheet.

Examples:
  $ replay ingest eventlog.zstd -o trace.duckdb
  $ replay ingest eventlog.zstd --tables tables --tables-format parquet
  replay ingest 'logs/*' --machines pods.csv -o trace.duckdb
  hdfs dfs -cat /logs/app_1 | replay ingest - -o trace.duckdb`,
		Flags: o.add,
		Run:   o.run,
	}
}

func (o *ingestOptions) add(f *pflag.FlagSet) {
	f.StringVarP(&o.out, "output", "o", "", "`FILE` to write the trace to")
	f.StringVar(&o.tables, "tables", "", "also write every table to a file in `DIR`")
	o.tablesFormat = choiceFlag{"parquet", []string{"parquet", "arrow", "csv"}}
	f.Var(&o.tablesFormat, "tables-format", "form of the files: parquet, arrow or csv")
	f.BoolVar(&o.force, "force", false, "replace FILE and DIR if they exist")
	f.StringVar(&o.stdinName, "stdin-name", "", "what the log on standard input is called in messages and tables: `PATH`")
	o.inputFlags.add(f)
}

func (o *ingestOptions) run(ctx context.Context, env *Env, args []string) error {
	switch {
	case len(args) == 0:
		return usagef("a LOG is missing")
	case o.out == "" && o.tables == "":
		return usagef("-o FILE.duckdb is missing: where to write the trace")
	case o.out == "-":
		return usagef("-o -: a trace is a file, it cannot be written to standard output")
	}
	if err := o.validate(); err != nil {
		return err
	}
	if err := o.replaceable(); err != nil {
		return err
	}
	w, err := o.create(ctx, env)
	if err != nil {
		return err
	}
	sum, err := o.fill(ctx, env, args, w)
	if err != nil {
		return errors.Join(err, w.Abort())
	}
	if err := w.Finish(); err != nil {
		return err
	}
	if err := o.export(ctx, w); err != nil {
		return err
	}
	if err := sum.out.removeParts(); err != nil {
		return err
	}
	sum.out.print(env.Err, o.place(), sum.size)
	if err := sum.out.err(); err != nil {
		return err
	}
	return problemsOf(sum.problems)
}

// place is where the result goes, first of all.
func (o *ingestOptions) place() string { return cmp.Or(o.out, o.tables) }

// replaceable refuses to replace a file that is no earlier trace: it may be a
// log that was put where the trace belongs.
func (o *ingestOptions) replaceable() error {
	info, err := os.Stat(o.out)
	if err != nil || !o.force || !info.Mode().IsRegular() || info.Size() == 0 || replay.KindOf(o.out) == replay.KindFile {
		return nil
	}
	return fmt.Errorf("%s exists and is no trace: it is not replaced", o.out)
}

func (o *ingestOptions) create(ctx context.Context, env *Env) (*replay.TraceWriter, error) {
	opt := createOptions(env)
	opt.Force = o.force
	if o.out == "" {
		return replay.CreateTemp(ctx, opt)
	}
	return replay.Create(ctx, o.out, opt)
}

// ingested is what reading the logs came to.
type ingested struct {
	out      *outcome
	size     replay.Size
	problems []replay.ProblemCount
}

func (o *ingestOptions) fill(ctx context.Context, env *Env, logs []string, w *replay.TraceWriter) (sum ingested, err error) {
	if sum.out, err = ingestLogs(ctx, env, &o.inputFlags, logs, w, o.place()); err != nil {
		return sum, err
	}
	if sum.size, err = replay.SizeOf(ctx, w.DB()); err != nil {
		return sum, err
	}
	sum.problems, err = replay.CountProblems(ctx, w.DB())
	return sum, err
}

func (o *ingestOptions) export(ctx context.Context, w *replay.TraceWriter) error {
	if o.tables == "" {
		return nil
	}
	t, err := w.Open(ctx, replay.OpenOptions{})
	if err != nil {
		return err
	}
	err = t.Export(ctx, o.tables, replay.Format(o.tablesFormat.value), o.force)
	if err != nil {
		err = fmt.Errorf("--tables: %w", err)
	}
	return errors.Join(err, t.Close())
}
