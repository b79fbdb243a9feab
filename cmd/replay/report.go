package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"tracereplay/analysis"
	"tracereplay/cmd/replay/internal/render"
	"tracereplay/cmd/replay/internal/report"
	"tracereplay/cmd/replay/internal/report/gather"
	"tracereplay/internal/aside"
	"tracereplay/internal/table"
	"tracereplay/replay"
)

type reportOptions struct {
	inputFlags
	runFlags
	out      string
	force    bool
	policies []string
	rate     float64
	price    priceFlag
}

func reportCommand() *Command {
	var o reportOptions
	return &Command{
		Name:  "report",
		Usage: "LOG... -o DIR",
		Short: "read logs and write a page that says what losses would have cost",
		Long: `Reads logs and writes to DIR: report.html, a page that needs no network; report.md, the
same in short; summary.json, every figure of the page by name; plots/*.svg; and
trace.duckdb, the tables behind them, which all other commands read. One trace may be
given in place of logs. The paragraph of the page is printed, too. Logs of several
applications make a page each, and an index. The page compares policies that apply to
the run: those of --policy, else a list of common ones; --policy none leaves them out.

Examples:
  $ replay report eventlog.zstd -o report
  replay report 'logs/app_1*' --tz Europe/Berlin -o report
  replay report eventlog.zstd --policy drain=30s --policy detached-shuffle=node -o report
  replay report eventlog.zstd --rate 0.05 -o report
  replay report trace.duckdb --app application_1_0042 -o report`,
		Flags: o.add,
		Run:   o.run,
	}
}

func (o *reportOptions) add(f *pflag.FlagSet) {
	f.StringVarP(&o.out, "output", "o", "", "`DIR` to write the report to")
	f.BoolVar(&o.force, "force", false, "replace DIR if it holds an earlier report")
	f.StringArrayVar(&o.policies, "policy", nil, "`POLICY` to compare, as in replay whatif; may be repeated; none: no policies")
	f.Float64Var(&o.rate, "rate", 0, "`R` removals of each unit an hour: of a machine, a machine-hour; also how long the run takes when losses are drawn")
	f.Var(&o.price, "price", "an hour of a machine: on-demand=`X,spot=Y`")
	o.runFlags.add(f)
	o.inputFlags.add(f)
}

func (o *reportOptions) run(ctx context.Context, env *Env, args []string) error {
	switch {
	case len(args) == 0:
		return usagef("a LOG is missing")
	case o.out == "":
		return usagef("-o DIR is missing: where to write the report")
	case !(o.rate >= 0 && o.rate <= 1e6):
		return usagef("--rate %v: give removals of a unit an hour", o.rate)
	case o.out == "-":
		return usagef("-o -: a report is a directory, it cannot be written to standard output")
	}
	if err := o.validate(); err != nil {
		return err
	}
	if _, err := o.chains(); err != nil {
		return err
	}
	dir, err := aside.NewDir(o.out, o.force, report.Marker)
	if err != nil {
		return err
	}
	counts, err := o.fill(ctx, env, args, dir.Path())
	if err != nil {
		return errors.Join(err, dir.Abort())
	}
	if err := dir.Commit(); err != nil {
		return err
	}
	env.note("%s is written", filepath.Join(o.out, "report.html"))
	return problemsOf(counts)
}

// fill makes the directory and writes everything that is in it.
func (o *reportOptions) fill(ctx context.Context, env *Env, logs []string, dir string) ([]replay.ProblemCount, error) {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	t, err := o.trace(ctx, env, logs, filepath.Join(dir, "trace.duckdb"))
	if err != nil {
		return nil, err
	}
	counts, err := t.Problems(ctx)
	if err == nil {
		err = o.report(ctx, env, t, dir)
	}
	return counts, errors.Join(err, t.Close())
}

// trace makes the trace at path: from logs, or as a copy of one that is given.
func (o *reportOptions) trace(ctx context.Context, env *Env, logs []string, path string) (*replay.Trace, error) {
	if len(logs) == 1 && replay.KindOf(logs[0]) == replay.KindFile {
		if o.machines != "" {
			return nil, usagef("--machines is of use where a log is read, and %s is a trace: give it to replay ingest", logs[0])
		}
		given, err := replay.Open(ctx, logs[0], replay.OpenOptions{}) // what is wrong with it is told by its own name
		if err != nil {
			return nil, err
		}
		if err := errors.Join(given.Close(), copyFile(path, logs[0])); err != nil {
			return nil, err
		}
		return replay.Open(ctx, path, replay.OpenOptions{})
	}
	w, err := replay.Create(ctx, path, createOptions(env))
	if err != nil {
		return nil, err
	}
	out, err := ingestLogs(ctx, env, &o.inputFlags, logs, w, "")
	if err != nil {
		return nil, errors.Join(err, w.Abort())
	}
	out.printNotes(env.Err)
	if err := w.Finish(); err != nil {
		return nil, err
	}
	return w.Open(ctx, replay.OpenOptions{})
}

// report writes the pages and prints their paragraphs: of the application that
// is asked for or the only one, else of each, with an index.
func (o *reportOptions) report(ctx context.Context, env *Env, t *replay.Trace, dir string) error {
	if o.app != "" || len(t.Apps) < 2 {
		app, err := t.App(o.app)
		if err != nil {
			return err
		}
		_, err = o.reportApp(ctx, env, t, app, dir)
		return err
	}
	var entries []report.Entry
	for i, app := range t.Apps {
		e := report.Entry{Dir: report.AppDir(i+1, app.App), App: app.App}
		below := filepath.Join(dir, e.Dir)
		if err := os.Mkdir(below, 0o777); err != nil {
			return err
		}
		if e.Report, e.Err = o.reportApp(ctx, env, t, app, below); e.Err != nil {
			if ctx.Err() != nil {
				return e.Err
			}
			env.note("no report of %s: %v", app.App, e.Err)
		}
		entries = append(entries, e)
	}
	return report.WriteIndex(dir, entries)
}

// reportApp writes the page of one application and what stands beside it.
func (o *reportOptions) reportApp(ctx context.Context, env *Env, t *replay.Trace, app replay.App, dir string) (*analysis.Report, error) {
	zone, err := o.zone(env, app.TimeZone)
	if err != nil {
		return nil, err
	}
	opt := gather.Options{App: app.App, Zone: zone, Command: report.CommandLine(env.Line), Price: o.price.Opt, IsUsual: len(o.policies) == 0, Cores: o.cores()}
	if opt.Policies, err = o.chains(); err != nil {
		return nil, err
	}
	if o.rate > 0 {
		opt.Rate, opt.Losses = table.Some(o.rate), gather.LossRate{PerHour: o.rate, Policies: o.policies}
	}
	in, err := gather.Inputs(ctx, t, opt)
	if err != nil {
		return nil, err
	}
	r := analysis.New(in)
	if err := report.Write(dir, r); err != nil {
		return nil, err
	}
	if len(t.Apps) > 1 {
		if _, err := fmt.Fprintf(env.Out, "%s: ", render.Safe(app.App)); err != nil {
			return nil, err
		}
	}
	for _, line := range append([]string{r.Story.Plain()}, r.Story.Caveats...) {
		if _, err := fmt.Fprintln(env.Out, render.Safe(line)); err != nil {
			return nil, err
		}
	}
	return r, ctx.Err()
}

// chains are the policies that the page compares.
func (o *reportOptions) chains() ([]replay.Chain, error) {
	if len(o.policies) == 1 && o.policies[0] == "none" {
		return nil, nil
	}
	w := whatifOptions{policies: o.policies}
	return w.chains()
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
