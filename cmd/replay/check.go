package main

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"tracereplay/cmd/replay/internal/render"
	"tracereplay/internal/human"
	"tracereplay/replay"
)

type checkOptions struct {
	inputFlags
	outputFlags
	strict bool
}

func checkCommand() *Command {
	var o checkOptions
	return &Command{
		Name:  "check",
		Usage: "LOG|TRACE",
		Short: "show problems of the input, and invariants that do not hold",
		Long: `Lists what was wrong with the input (lines that had to be skipped, events that
contradict each other or lack their partner) and where, then the invariants of the
lineage that do not hold: signs of events that are missing from the log, or of a
fault of the model. Such a finding is no error unless --strict is set.

Examples:
  $ replay check trace.duckdb
  $ replay check eventlog.zstd --strict --format csv`,
		Flags: o.add,
		Run:   o.run,
	}
}

func (o *checkOptions) add(f *pflag.FlagSet) {
	o.outputFlags.add(f)
	f.BoolVar(&o.strict, "strict", false, "fail when an invariant does not hold")
	o.inputFlags.add(f)
}

func (o *checkOptions) run(ctx context.Context, env *Env, args []string) error {
	if len(args) != 1 {
		return usagef("give one LOG or TRACE")
	}
	return withTrace(ctx, env, &o.inputFlags, args[0], replay.OpenOptions{}, func(t *replay.Trace) error {
		if err := o.show(ctx, env, t); err != nil {
			return err
		}
		return o.invariants(ctx, env, t)
	})
}

// show writes all findings.
func (o *checkOptions) show(ctx context.Context, env *Env, t *replay.Trace) error {
	found, err := t.Findings(ctx)
	if err != nil {
		return err
	}
	if len(found) == 0 && o.format.value == "text" {
		return nil // the summary says so
	}
	cols := []render.Column{
		{Name: "class"},
		{Name: "kind"},
		{Name: "app", Hide: true},
		{Name: "file"},
		{Name: "line"},
		{Name: "byte_offset", Hide: true},
		{Name: "seq", Hide: true},
		{Name: "skipped_bytes", Head: "skipped", Kind: render.Bytes},
		{Name: "event"},
		{Name: "detail"},
	}
	return o.write(env, rows{Columns: cols, Each: func(write func([]any) error) error {
		for _, f := range found {
			if err := write([]any{f.Class, f.Kind, f.App, f.File, f.Line, f.Offset, f.Seq, f.Skipped, f.Event, f.Detail}); err != nil {
				return err
			}
		}
		return nil
	}})
}

// invariants sums up how the invariants fared.
func (o *checkOptions) invariants(ctx context.Context, env *Env, t *replay.Trace) error {
	all, err := t.Invariants(ctx)
	if err != nil {
		return err
	}
	broken := 0
	for _, i := range all {
		if i.Violations > 0 {
			broken++
			fmt.Fprintf(env.Err, "does not hold %s of %s: %s\n", human.Counted(i.Violations, "time", "times"), human.Count(i.Looked), render.Safe(i.Statement))
		}
	}
	fmt.Fprintf(env.Err, "%s, %d of them violated\n", human.Counted(int64(len(all)), "invariant", "invariants"), broken)
	if broken > 0 && o.strict {
		return fmt.Errorf("%d of %d invariants do not hold", broken, len(all))
	}
	return nil
}
