package main

import (
	"context"
	"errors"

	"github.com/spf13/pflag"

	"tracereplay/replay"
	"tracereplay/replay/result"
)

type validateOptions struct {
	inputFlags
	runFlags
	outputFlags
	baseFlags
}

func validateCommand() *Command {
	var o validateOptions
	return &Command{
		Name:  "validate",
		Usage: "ACTUAL",
		Short: "what was predicted of each recorded loss, against what the log shows next",
		Long: `For every recorded removal: stops before the first line that
tells of it, predicts from what had been said until then (and the shape of the jobs
that followed) which finished pieces must run again, surely (low) and at most (high),
and compares with what did run again. With --base, undisturbed runs of the same job:
how large the loss had to be expected to be, as quantiles over their units at the same
progress.

Examples:
  $ replay validate trace.duckdb
  replay validate disturbed.zstd --base twin1.zstd --base twin2.zstd --format csv`,
		Flags: o.add,
		Run:   o.run,
	}
}

func (o *validateOptions) add(f *pflag.FlagSet) {
	o.baseFlags.add(f)
	o.runFlags.add(f)
	o.outputFlags.add(f)
	o.inputFlags.add(f)
}

func (o *validateOptions) run(ctx context.Context, env *Env, args []string) error {
	if len(args) != 1 {
		return usagef("give one ACTUAL: a TRACE with a removal in it")
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
		all, err := replay.Validate(ctx, t.DB(), app.App, bases)
		if err != nil {
			return err
		}
		if len(all) == 0 {
			env.note("no removal to validate in this run")
		}
		return o.write(env, rows{
			Columns: resultColumns(&result.Validations.Spec, map[string]string{
				"removal": "", "in_flight_tasks": "in flight", "predicted_low_tasks": "low", "predicted_high_tasks": "high", "actual_tasks": "ran again",
				"precision": "", "recall": "", "predicted_high_ms": "first runs", "actual_ms": "second runs", "warm_ratio": "warm ratio",
			}),
			Zone: zone, Each: eachResult(&result.Validations.Spec, all),
		})
	})
	return errors.Join(err, closeBases())
}
