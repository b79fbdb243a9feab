package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"tracereplay/analysis"
	"tracereplay/cmd/replay/internal/args"
	"tracereplay/cmd/replay/internal/report"
	"tracereplay/cmd/replay/internal/report/gather"
	"tracereplay/plots"
	"tracereplay/replay"
)

type plotOptions struct {
	inputFlags
	runFlags
	out      string
	force    bool
	list     bool
	unit     string
	from, to string
	policies []string
}

func plotCommand() *Command {
	var o plotOptions
	return &Command{
		Name:  "plot",
		Usage: "NAME TRACE -o FILE.svg|.png|.pdf",
		Short: "draw one figure of the report",
		Long: `Draws one figure of the report as a file of its own. --from, --to and --unit look at a
part of it closely. --list tells which figures there are; for a postmortem: timeline,
chain and banked.

Examples:
  $ replay plot --list
  $ replay plot heatmap trace.duckdb -o heatmap.png
  $ replay plot timeline trace.duckdb -o timeline.svg
  $ replay plot banked trace.duckdb --unit machine:m2 --from 40% --to 83% -o m2.pdf`,
		Flags: o.add,
		Run:   o.run,
	}
}

func (o *plotOptions) add(f *pflag.FlagSet) {
	f.StringVarP(&o.out, "output", "o", "", "`FILE` to draw to; its ending says how: .svg, .png or .pdf")
	f.BoolVar(&o.force, "force", false, "replace FILE if it exists")
	f.BoolVar(&o.list, "list", false, "list the figures")
	f.StringVar(&o.unit, "unit", "", "only one `UNIT`: a worker's id, a machine's name, or worker:ID, machine:NAME, service:NAME (heatmap, banked, timeline, chain)")
	f.StringVar(&o.from, "from", "", "from this `INSTANT` on: RFC 3339, epoch ms, 02:14, +50m (since the start), or 83%")
	f.StringVar(&o.to, "to", "", "up to this `INSTANT`")
	f.StringArrayVar(&o.policies, "policy", nil, "`POLICY` to compare in the figures of policies; may be repeated")
	o.runFlags.add(f)
	o.inputFlags.add(f)
}

func (o *plotOptions) run(ctx context.Context, env *Env, args []string) error {
	if o.list {
		return listPlots(env.Out)
	}
	if len(args) != 2 {
		return usagef("give NAME and TRACE; --list tells which names there are")
	}
	if !slices.Contains(plotNames(), args[0]) {
		return usagef("there is no plot %q: it is one of %s", args[0], strings.Join(plotNames(), ", "))
	}
	ending := strings.ToLower(filepath.Ext(o.out))
	if !slices.Contains(plots.Formats(), ending) {
		return usagef("-o FILE: its ending is one of %s", strings.Join(plots.Formats(), ", "))
	}
	return withTrace(ctx, env, &o.inputFlags, args[1], replay.OpenOptions{App: o.app}, func(t *replay.Trace) error {
		f, err := o.figure(ctx, env, t, args[0])
		if err != nil {
			return err
		}
		if f.Empty != "" {
			env.note("there is nothing to draw: %s", f.Empty)
		}
		out := outputFlags{out: o.out, force: o.force}
		return out.to(env, func(w io.Writer, _ bool) error { return f.Write(w, ending) })
	})
}

// figure gathers what the figures show and draws the one that is asked for.
func (o *plotOptions) figure(ctx context.Context, env *Env, t *replay.Trace, name string) (plots.Figure, error) {
	app, err := t.App(o.app)
	if err != nil {
		return plots.Figure{}, err
	}
	opt := gather.Options{App: app.App, Cores: o.cores()}
	if opt.Zone, err = o.zone(env, app.TimeZone); err != nil {
		return plots.Figure{}, err
	}
	if err := o.narrow(ctx, t, &opt); err != nil {
		return plots.Figure{}, err
	}
	inputs := gather.Inputs
	if name == "timeline" || name == "chain" { // of recorded losses: no curve is needed
		inputs = gather.Losses
	}
	if slices.Contains([]string{"policies", "bypolicy", "saving"}, name) {
		w := whatifOptions{policies: o.policies}
		if opt.Policies, err = w.chains(); err != nil {
			return plots.Figure{}, err
		}
	}
	in, err := inputs(ctx, t, opt)
	if err != nil {
		return plots.Figure{}, err
	}
	for _, f := range report.Figures(analysis.New(in)) {
		if f.Name == name {
			return f, nil
		}
	}
	return plots.Figure{}, fmt.Errorf("the report has no figure %q", name)
}

// narrow reads --from, --to and --unit.
func (o *plotOptions) narrow(ctx context.Context, t *replay.Trace, opt *gather.Options) (err error) {
	if o.from == "" && o.to == "" && o.unit == "" {
		return nil
	}
	w, err := replay.OpenWorld(ctx, t.DB(), opt.App)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	run := args.Run{StartMs: w.Span().StartMs, EndMs: w.Span().EndMs, Zone: opt.Zone}
	if opt.View.FromMs, err = resolve("--from", o.from, run, run.StartMs); err != nil {
		return err
	}
	if opt.View.ToMs, err = resolve("--to", o.to, run, run.EndMs); err != nil {
		return err
	}
	if opt.View.ToMs <= opt.View.FromMs {
		return usagef("--to is not after --from")
	}
	if o.unit == "" {
		return nil
	}
	pick := blastOptions{unit: o.unit}
	var b replay.BlastOptions
	if err := pick.pick(ctx, w, &b); err != nil {
		return err
	}
	opt.Kind, opt.Unit = b.UnitKind, b.Unit
	return nil
}

// resolve reads the instant of a flag, or gives what it is when not set.
func resolve(flag, text string, run args.Run, unset int64) (int64, error) {
	if text == "" {
		return unset, nil
	}
	at, err := args.ParseInstant(text)
	if err != nil {
		return 0, usagef("%s: %v", flag, err)
	}
	ms, err := at.Resolve(run)
	if err != nil {
		return 0, usagef("%s: %v", flag, err)
	}
	return ms, nil
}

// emptyFigures are all figures of a run in which nothing happened: their names
// and titles are those of every other run.
func emptyFigures() []plots.Figure {
	return report.Figures(analysis.New(&analysis.Inputs{Kind: analysis.Machine}))
}

func plotNames() []string {
	var names []string
	for _, f := range emptyFigures() {
		names = append(names, f.Name)
	}
	return names
}

func listPlots(w io.Writer) error {
	for _, f := range emptyFigures() {
		if _, err := fmt.Fprintf(w, "%-13s %s\n", f.Name, f.Title); err != nil {
			return err
		}
	}
	return nil
}
