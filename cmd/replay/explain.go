package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"tracereplay/analysis/postmortem"
	"tracereplay/cmd/replay/internal/render"
	"tracereplay/internal/human"
	"tracereplay/replay"
	"tracereplay/replay/result"
)

type explainOptions struct {
	inputFlags
	runFlags
	outputFlags
	baseFlags
	tasks bool
}

func explainCommand() *Command {
	var o explainOptions
	return &Command{
		Name:  "explain",
		Usage: "TRACE",
		Short: "what each recorded loss cost, and why finished work ran again",
		Long: `Tells of every worker or machine that left during the run: what stood on it, what
of that was still needed, what ran again because of it and why, how long it lay
unnoticed and how long the repair took. Text is one paragraph for each removal that
cost something, the costliest first; csv and json have one row a removal. With
--tasks: one row for each attempt that ran a piece again, with its first run. With
--base, good runs of the same job: why this one ended later, split into parts that add
up (csv and json: rows part,ms).

Examples:
  $ replay explain trace.duckdb
  $ replay explain trace.duckdb --tasks --format csv -o reruns.csv
  zcat eventlog.gz | replay explain -`,
		Flags: o.add,
		Run:   o.run,
	}
}

func (o *explainOptions) add(f *pflag.FlagSet) {
	f.BoolVar(&o.tasks, "tasks", false, "one row for each attempt that ran a piece again")
	o.baseFlags.add(f)
	o.runFlags.add(f)
	o.outputFlags.add(f)
	o.inputFlags.add(f)
}

func (o *explainOptions) run(ctx context.Context, env *Env, args []string) error {
	if len(args) != 1 {
		return usagef("give one TRACE")
	}
	if o.tasks && len(o.base) > 0 {
		return usagef("give one of --tasks and --base")
	}
	bases, closeBases, err := o.open(ctx, env, &o.inputFlags)
	if err != nil {
		return errors.Join(err, closeBases())
	}
	err = withTrace(ctx, env, &o.inputFlags, args[0], replay.OpenOptions{App: o.app}, func(t *replay.Trace) error {
		app, err := t.App(o.app)
		if err != nil {
			return err
		}
		zone, err := o.zone(env, app.TimeZone)
		if err != nil {
			return err
		}
		e, err := replay.Explain(ctx, t.DB(), app.App)
		if err != nil {
			return err
		}
		if !o.tasks {
			if err := replay.FillDelays(ctx, t.DB(), app.App, e.Removals); err != nil {
				return err
			}
		}
		if len(bases) == 0 {
			return o.print(env, e, human.ClockIn(zone))
		}
		return o.printLateness(ctx, env, t, app.App, e, bases)
	})
	return errors.Join(err, closeBases())
}

// printLateness tells why the run ended later than good ones.
func (o *explainOptions) printLateness(ctx context.Context, env *Env, t *replay.Trace, app string, e *replay.Explanation, bases []replay.Base) error {
	own, err := replay.Spans(ctx, t.DB(), app)
	if err != nil {
		return err
	}
	var good [][]result.WorkerSpan
	for _, b := range bases {
		s, err := replay.Spans(ctx, b.DB, b.App)
		if err != nil {
			return err
		}
		good = append(good, s)
	}
	late, parts := postmortem.Lateness(e.Removals, own, good)
	if o.format.value == "text" {
		return o.to(env, func(w io.Writer, _ bool) error {
			_, err := fmt.Fprintln(w, wrap(postmortem.LatenessText(late, parts, len(good)), 100))
			return err
		})
	}
	return o.write(env, rows{
		Columns: []render.Column{{Name: "part"}, {Name: "ms", Kind: render.Duration}},
		Each: func(write func([]any) error) error {
			for _, p := range parts {
				if err := write([]any{p.Name, p.Ms}); err != nil {
					return err
				}
			}
			return nil
		},
	})
}

func (o *explainOptions) print(env *Env, e *replay.Explanation, clock human.Clock) error {
	switch {
	case o.tasks:
		return o.write(env, rows{
			Columns: resultColumns(&result.Reruns.Spec, map[string]string{
				"removal": "", "why": "", "stage": "", "partition": "", "first_worker": "", "first_success_ms": "first success",
				"rerun_task": "", "rerun_worker": "", "rerun_start_ms": "run again", "triggered_by": "triggered by",
			}),
			Zone: clock.Location(), Each: eachResult(&result.Reruns.Spec, e.Reruns),
		})
	case o.format.value != "text":
		return o.write(env, rows{Columns: resultColumns(&result.Removals.Spec, nil), Each: eachResult(&result.Removals.Spec, e.Removals)})
	}
	paragraphs := postmortem.Text(postmortem.Input{Story: e.Story, Removals: e.Removals, Reruns: e.Reruns, Chain: e.Chain, Clock: clock})
	return o.to(env, func(w io.Writer, _ bool) error {
		for i, p := range paragraphs {
			if i > 0 {
				fmt.Fprintln(w)
			}
			if _, err := fmt.Fprintln(w, wrap(p, 100)); err != nil {
				return err
			}
		}
		return nil
	})
}
