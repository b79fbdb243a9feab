package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/pflag"

	"tracereplay/analysis/streaming"
	"tracereplay/cmd/replay/internal/args"
	"tracereplay/cmd/replay/internal/render"
	"tracereplay/internal/human"
	"tracereplay/internal/table"
	"tracereplay/replay"
	"tracereplay/replay/result"
)

type streamOptions struct {
	inputFlags
	runFlags
	outputFlags
	kind      choiceFlag
	unit      string
	at        string
	rows      choiceFlag
	trigger   args.Duration
	policies  []string
	bandwidth rateFlag
}

func streamCommand() *Command {
	var o streamOptions
	return &Command{
		Name:  "stream",
		Usage: "TRACE",
		Short: "what a lost machine costs a streaming query per batch, and how far a restart goes back",
		Long: `For every micro-batch of every streaming query: what losing each worker or machine at
its worst moment would have cost in slot time (work of the running batch alone: earlier
batches are committed), and the partitions of state that stood on it and would be loaded
again from the checkpoint. Sizes are shares of what the log tells per operator: a bound.
A restart of the coordinator is another subject, shown apart: the rows that are read again.

Of a loss that the log has: how much longer the batch took that it hit, predicted from
the state just before it, and seen; and how many batches after it started late.

Text is a paragraph and the batches of each query. csv and json have one row a batch and
unit, or with --rows one a batch, query, recorded loss (delay), or (with --at) unit and
its state then. With --policy: one row a query, policy and end of what is assumed.

Examples:
  $ replay stream trace.duckdb
  replay stream trace.duckdb --unit machine:m2 --format csv
  replay stream trace.duckdb --rows batch --format csv
  replay stream trace.duckdb --rows delay --format csv
  replay stream trace.duckdb --rows state --at 83% --format csv
  replay stream trace.duckdb --policy trigger=1500ms --policy snapshots=1 --policy standby=1`,
		Flags: o.add,
		Run:   o.run,
	}
}

func (o *streamOptions) add(f *pflag.FlagSet) {
	o.kind = choiceFlag{"", []string{"worker", "machine"}}
	o.rows = choiceFlag{"loss", []string{"loss", "batch", "query", "state", "delay"}}
	f.Var(&o.kind, "unit-kind", "only units of one kind: worker or machine")
	f.StringVar(&o.unit, "unit", "", "only one `UNIT`: a worker's id, a machine's name, or worker:ID, machine:NAME")
	f.Var(&o.rows, "rows", "what csv and json have a row for: loss (a batch and unit), batch, query, delay (a recorded loss), or state (a unit, at --at)")
	f.StringVar(&o.at, "at", "", "for --rows state: at one `INSTANT`: RFC 3339, epoch ms, 02:14, +50m (since the start), or 83%")
	o.bandwidth = streaming.DefaultBandwidth
	f.StringArrayVar(&o.policies, "policy", nil, "what `POLICY` changes: trigger=DURATION, snapshots=N, changelog or standby=N; may be given several times")
	f.Var(&o.bandwidth, "bandwidth", "with --policy: `BYTES` a second at which state is read: 40MiB, 1GB, or bits: 1Gbit")
	f.Var(&o.trigger, "trigger", "`DURATION` between triggers; default: what the starts of the batches show")
	o.runFlags.add(f)
	o.outputFlags.add(f)
	o.inputFlags.add(f)
}

func (o *streamOptions) run(ctx context.Context, env *Env, names []string) error {
	switch {
	case len(names) != 1:
		return usagef("give one TRACE")
	case (o.rows.value == "state") != (o.at != ""):
		return usagef("--rows state and --at INSTANT go together")
	}
	policies, err := o.parsePolicies()
	if err != nil {
		return err
	}
	return withTrace(ctx, env, &o.inputFlags, names[0], replay.OpenOptions{App: o.app}, func(t *replay.Trace) error {
		app, err := t.App(o.app)
		if err != nil {
			return err
		}
		zone, err := o.zone(env, app.TimeZone)
		if err != nil {
			return err
		}
		w, err := replay.OpenWorld(ctx, t.DB(), app.App)
		if err != nil {
			return err
		}
		opt := replay.BlastOptions{UnitKind: o.kind.value}
		if o.unit != "" {
			pick := blastOptions{unit: o.unit}
			if err := pick.pick(ctx, w, &opt); err != nil {
				return err
			}
		}
		clock := human.ClockIn(zone)
		if len(policies) > 0 {
			return o.whatIf(ctx, env, w, replay.Units{Kind: opt.UnitKind, Unit: opt.Unit}, policies)
		}
		if o.at != "" {
			ms, err := resolve("--at", o.at, args.Run{StartMs: w.Span().StartMs, EndMs: w.Span().EndMs, Zone: zone}, 0)
			if err != nil {
				return err
			}
			opt.At = &ms
			_, state, err := replay.StreamAt(ctx, w, opt)
			if err != nil {
				return err
			}
			return writeStream(env, o, &result.StreamStates.Spec, state, clock)
		}
		s, err := replay.Stream(ctx, w, replay.Units{Kind: opt.UnitKind, Unit: opt.Unit})
		if err != nil {
			return err
		}
		if len(s.Queries) == 0 {
			env.note("no streaming query ran; replay blast tells what losses cost a finite job")
		}
		var delays []result.StreamDelay
		if o.rows.value == "delay" || o.rows.value == "loss" && o.format.value == "text" {
			if delays, err = replay.StreamDelays(ctx, w, o.delayOptions()); err != nil {
				return err
			}
		}
		return o.print(env, s, delays, clock.Within(w.Span().StartMs, w.Span().EndMs))
	})
}

func (o *streamOptions) delayOptions() replay.DelayOptions {
	var opt replay.DelayOptions
	if o.trigger > 0 {
		opt.IntervalMs = table.Some(time.Duration(o.trigger).Milliseconds())
	}
	return opt
}

// parsePolicies reads --policy.
func (o *streamOptions) parsePolicies() ([]streaming.Policy, error) {
	var out []streaming.Policy
	for _, text := range o.policies {
		p, err := streaming.ParsePolicy(text)
		if err != nil {
			return nil, usagef("--policy: %v", err)
		}
		out = append(out, p)
	}
	if len(out) > 0 && o.rows.value != "loss" {
		return nil, usagef("--policy and --rows do not go together")
	}
	return out, nil
}

// whatIf writes what policies change.
func (o *streamOptions) whatIf(ctx context.Context, env *Env, w *replay.World, u replay.Units, policies []streaming.Policy) error {
	queries, usual, err := replay.StreamUsual(ctx, w, u)
	if err != nil {
		return err
	}
	if len(queries) == 0 {
		env.note("%s", streaming.FiniteText)
	}
	all := streaming.Policies(queries, usual, policies, int64(o.bandwidth))
	cols := resultColumns(&result.StreamPolicies.Spec, map[string]string{
		"policy": "", "assumption": "if", "cycle_ms": "every", "batch_ms": "takes", "mean_recompute_ms": "to redo", "restart_rows": "rows again",
		"quiesce_ms": "quiesce", "load_bytes": "to load", "load_ms": "loading", "written_bytes_per_hour": "written/h", "memory_bytes": "memory",
		"state_files_per_hour": "files/h", "why": "",
	})
	for i, c := range cols {
		if c.Name == "cycle_ms" || c.Name == "batch_ms" || c.Name == "quiesce_ms" || c.Name == "transfer_ms" {
			cols[i].Kind = render.Duration
		}
	}
	return o.write(env, rows{Columns: cols, Each: eachResult(&result.StreamPolicies.Spec, all)})
}

// print writes what is asked for.
func (o *streamOptions) print(env *Env, s *replay.Streaming, delays []result.StreamDelay, clock human.Clock) error {
	switch {
	case o.rows.value == "delay":
		return writeStream(env, o, &result.StreamDelays.Spec, delays, clock)
	case o.rows.value == "batch":
		return writeStream(env, o, &result.StreamBatches.Spec, s.Batches, clock)
	case o.rows.value == "query":
		return writeStream(env, o, &result.StreamQueries.Spec, s.Queries, clock)
	case o.format.value != "text":
		return writeStream(env, o, &result.StreamLosses.Spec, s.Losses, clock)
	}
	r := streaming.New(&streaming.Inputs{Clock: clock, Queries: s.Queries, Batches: s.Batches, Losses: s.Losses})
	return o.to(env, func(w io.Writer, terminal bool) error {
		for i, q := range r.Queries {
			if i > 0 {
				fmt.Fprintln(w)
			}
			fmt.Fprintln(w, wrap(r.Plain(i), 100)+"\n")
			if err := streamBatches(w, q, clock, terminal); err != nil {
				return err
			}
			for _, sentence := range streaming.DelayText(delays, q.Query, clock) {
				fmt.Fprintln(w, "\n"+wrap(sentence, 100))
			}
		}
		return nil
	})
}

// streamBatches writes the table of a query's batches.
func streamBatches(w io.Writer, q streaming.Query, clock human.Clock, terminal bool) error {
	unit := q.Kind
	if unit == "" {
		unit = "unit"
	}
	out := render.New(w, render.Format("text"), []render.Column{
		{Name: "batch"},
		{Name: "began", Kind: render.Instant},
		{Name: "took", Kind: render.Duration},
		{Name: "rows", Kind: render.Count},
		{Name: "state", Kind: render.Bytes},
		{Name: "moved", Kind: render.Count},
		{Name: "worst " + unit},
		{Name: "to redo", Kind: render.Duration},
		{Name: "state parts", Kind: render.Count},
		{Name: "to load", Kind: render.Bytes},
	}, render.Options{Zone: clock.Location(), Terminal: terminal})
	for _, b := range q.Batches {
		row := []any{b.Batch.Batch, b.Batch.StartMs, b.Batch.TriggerMs, b.Batch.InputRows, b.Batch.StateBytes, b.Batch.MovedPartitions, nil, nil, nil, nil}
		if b.Worst != nil {
			row[6], row[7], row[8], row[9] = b.Worst.Unit, b.Worst.SupremumMs, b.Worst.StatePartitions, b.Worst.StateBytes
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	return out.Close()
}

// writeStream writes rows of a declared result, all columns of it.
func writeStream[T any](env *Env, o *streamOptions, spec *table.Spec, all []T, clock human.Clock) error {
	shown := map[string]string{}
	for _, c := range spec.Columns {
		if c.Name != "app" && c.Name != "query_run" {
			shown[c.Name] = ""
		}
	}
	cols := resultColumns(spec, shown)
	for i, c := range cols {
		switch c.Name {
		case "trigger_ms", "add_batch_ms", "restart_ms", "batch_ms", "longest_batch_ms", "quiesce_ms", "startup_ms",
			"usual_ms", "undisturbed_ms", "predicted_ms", "took_ms", "beyond_usual_ms", "interval_ms":
			cols[i].Kind = render.Duration
		}
	}
	return o.write(env, rows{Columns: cols, Zone: clock.Location(), Each: eachResult(spec, all)})
}
