package main

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"tracereplay/cmd/replay/internal/args"
	"tracereplay/internal/table"
	"tracereplay/replay"
	"tracereplay/replay/result"
)

type blastOptions struct {
	inputFlags
	runFlags
	outputFlags
	kind        choiceFlag
	unit        string
	at          string
	grid        int
	breakpoints bool
	expected    bool
	inputShare  bool
	policy      string
}

// worstShown is how many units text shows at their worst instant.
const worstShown = 10

func blastCommand() *Command {
	var o blastOptions
	return &Command{
		Name:  "blast",
		Usage: "TRACE",
		Short: "what losing each worker or machine would have cost, at every instant",
		Long: `For every worker and every machine: what its loss would have cost. Without --at,
--grid or --breakpoints each has one row, at its worst instant (text: the worst ten).
Costs are slot time: work in flight, finished work that readers still had to fetch
(owed), finished work below it that must be there again to make it (climb), and cached
blocks. The _low columns are what is surely redone, the others what is redone at most.
--expected integrates the curves: what one removal costs in the mean, and a run at one
removal per machine-hour. --input-share: the largest share of each round's input that
one unit holds alone. Of a streaming query also the partitions of state that stand on
the unit and would be loaded again from the checkpoint; they are in no total.
--policy measures the run as it would be under a policy, see replay policies;
undisturbed takes recorded losses out first.

Examples:
  $ replay blast trace.duckdb
  $ replay blast trace.duckdb --unit-kind machine --at 83%
  $ replay blast trace.duckdb --unit machine:m2 --breakpoints --format csv -o m2.csv
  $ replay blast trace.duckdb --expected
  $ replay blast trace.duckdb --policy undisturbed,detached-shuffle=node --unit-kind worker
  $ replay blast trace.duckdb --unit-kind machine --input-share`,
		Flags: o.add,
		Run:   o.run,
	}
}

func (o *blastOptions) add(f *pflag.FlagSet) {
	o.kind = choiceFlag{"", []string{"worker", "machine", "service"}}
	f.Var(&o.kind, "unit-kind", "only units of one kind: worker, machine or service")
	f.StringVar(&o.unit, "unit", "", "only one `UNIT`: a worker's id, a machine's name, or worker:ID, machine:NAME, service:NAME")
	f.StringVar(&o.at, "at", "", "at one `INSTANT`: RFC 3339, epoch ms, 02:14, +50m (since the start), or 83%")
	f.IntVar(&o.grid, "grid", 0, "at `N` instants, equally far from each other")
	f.BoolVar(&o.breakpoints, "breakpoints", false, "at every instant where the cost jumps")
	f.BoolVar(&o.expected, "expected", false, "one row a kind of unit: the mean cost of one removal, and of a run")
	f.BoolVar(&o.inputShare, "input-share", false, "one row a stage attempt that reads: the unit that holds most of its input")
	f.StringVar(&o.policy, "policy", "", "under a `POLICY`, as in replay whatif")
	o.runFlags.add(f)
	o.outputFlags.add(f)
	o.inputFlags.add(f)
}

func (o *blastOptions) run(ctx context.Context, env *Env, names []string) error {
	if len(names) != 1 {
		return usagef("give one TRACE")
	}
	if err := o.check(); err != nil {
		return err
	}
	return withTrace(ctx, env, &o.inputFlags, names[0], replay.OpenOptions{App: o.app}, func(t *replay.Trace) error {
		return o.blast(ctx, env, t)
	})
}

// mostInstants bounds --grid: each unit has a row at each instant.
const mostInstants = 1_000_000

// check finds flags that cannot be meant together.
func (o *blastOptions) check() error {
	n := 0
	for _, set := range []bool{o.at != "", o.grid != 0, o.breakpoints, o.expected, o.inputShare} {
		if set {
			n++
		}
	}
	switch {
	case n > 1:
		return usagef("give one of --at, --grid, --breakpoints, --expected and --input-share")
	case o.grid < 0 || o.grid > mostInstants:
		return usagef("--grid %d: give a number of instants, up to %d", o.grid, mostInstants)
	}
	return nil
}

func (o *blastOptions) blast(ctx context.Context, env *Env, t *replay.Trace) error {
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
	if err := o.applyPolicy(ctx, env, w); err != nil {
		return err
	}
	opt := replay.BlastOptions{UnitKind: o.kind.value, Grid: o.grid, Breakpoints: o.breakpoints}
	if o.at != "" {
		at, err := args.ParseInstant(o.at)
		if err != nil {
			return usagef("--at: %v", err)
		}
		ms, err := at.Resolve(args.Run{StartMs: w.Span().StartMs, EndMs: w.Span().EndMs, Zone: zone})
		if err != nil {
			return usagef("--at: %v", err)
		}
		opt.At = &ms
	}
	if o.unit != "" {
		if err := o.pick(ctx, w, &opt); err != nil {
			return err
		}
	}
	if err := o.notePlaces(ctx, env, t, app.App); err != nil {
		return err
	}
	units := replay.Units{Kind: opt.UnitKind, Unit: opt.Unit}
	switch {
	case o.expected:
		all, err := replay.Expected(ctx, w, units)
		return writeResult(env, o.outputFlags, zone, &result.Expecteds.Spec, all, err)
	case o.inputShare:
		all, err := replay.InputShare(ctx, w, units)
		return writeResult(env, o.outputFlags, zone, &result.InputShares.Spec, all, err)
	}
	all, err := replay.Blast(ctx, w, opt)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		env.note("no unit that can be lost: the only worker is the coordinator, none was alive then, or its machine is not known")
	}
	if o.format.value == "text" && o.at == "" && o.grid == 0 && !o.breakpoints {
		all = worst(env, all)
	}
	shown := map[string]string{
		"unit_kind": "kind", "unit": "", "instant_ms": "instant", "in_flight_ms": "in flight", "owed_outputs": "owed", "owed_ms": "owed time",
		"climb_outputs": "climb", "climb_ms": "climb time", "cached_ms": "cached", "recompute_ms": "recompute", "recompute_low_ms": "at least",
		"oldest_lost_age_ms": "oldest", "rounds_live": "rounds",
	}
	if slices.ContainsFunc(all, func(b result.Blast) bool { return b.StatePartitions > 0 }) {
		shown["state_partitions"], shown["state_bytes"], shown["state_load_ms"] = "state parts", "to load", "loading"
	}
	return o.write(env, rows{Columns: resultColumns(&result.Blasts.Spec, shown), Zone: zone, Each: eachResult(&result.Blasts.Spec, all)})
}

// notePlaces says why machines are missing.
func (o *blastOptions) notePlaces(ctx context.Context, env *Env, t *replay.Trace, app string) error {
	n, err := replay.Unplaced(ctx, t.DB(), app)
	if err == nil && n > 0 && o.kind.value != "worker" {
		env.note("the machine of %d workers is not known: the log has pod addresses at most; --machines FILE can tell it", n)
	}
	return err
}

// writeResult writes all columns of a result.
func writeResult[T any](env *Env, out outputFlags, zone *time.Location, spec *table.Spec, all []T, err error) error {
	if err != nil {
		return err
	}
	shown := map[string]string{}
	for _, c := range spec.Columns {
		shown[c.Name] = ""
	}
	return out.write(env, rows{Columns: resultColumns(spec, shown), Zone: zone, Each: eachResult(spec, all)})
}

// pick narrows the options to the unit that --unit names.
func (o *blastOptions) pick(ctx context.Context, w *replay.World, opt *replay.BlastOptions) error {
	u, err := args.ParseUnit(o.unit)
	if err != nil {
		return usagef("--unit: %v", err)
	}
	units, err := w.Units(ctx)
	if err != nil {
		return err
	}
	var kinds []string
	for _, x := range units {
		if x.Unit == u.Name && (u.Kind == args.Any || string(u.Kind) == x.UnitKind) && (opt.UnitKind == "" || opt.UnitKind == x.UnitKind) {
			kinds = append(kinds, x.UnitKind)
		}
	}
	switch len(kinds) {
	case 0:
		return usagef("--unit %s: there is no such worker, machine or service; replay blast TRACE --format csv lists them", o.unit)
	case 1:
		opt.UnitKind, opt.Unit = kinds[0], u.Name
		return nil
	}
	return usagef("--unit %s is the name of a %s and of a %s: write %s:%s", o.unit, kinds[0], kinds[1], kinds[0], u.Name)
}

// worst keeps the units whose loss costs most.
func worst(env *Env, all []result.Blast) []result.Blast {
	slices.SortStableFunc(all, func(a, b result.Blast) int { return cmp.Compare(b.SupremumMs, a.SupremumMs) })
	if len(all) > worstShown {
		env.note("the worst %d of %d units; --format csv has all", worstShown, len(all))
		all = all[:worstShown]
	}
	return all
}
