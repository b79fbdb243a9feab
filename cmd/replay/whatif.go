package main

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"tracereplay/analysis/policies"
	"tracereplay/internal/table"
	"tracereplay/replay"
	"tracereplay/replay/result"
)

type whatifOptions struct {
	inputFlags
	runFlags
	outputFlags
	policies []string
	kind     choiceFlag
	rate     float64
	price    priceFlag
	rank     bool
	makespan bool
	idle     bool
}

func whatifCommand() *Command {
	var o whatifOptions
	return &Command{
		Name:  "whatif",
		Usage: "TRACE",
		Short: "the same run under another policy: what losses would have cost",
		Long: `Asks two questions of each policy. Any loss: what losing a worker, a machine or a server
of a service costs under it, over all units and instants, from the undisturbed run. This
loss again: what each recorded removal would have cost, at its instant. What a policy
costs itself stands beside. Without --policy a list of common ones is compared. A policy
is NAME, NAME=VALUE or NAME=VALUE:key=value; a comma composes; a path that ends in .sql
is a policy of your own. What there is: replay policies.

With --rate R (removals of each unit an hour) follows what a run costs, with its standard
deviation; with --price what it costs in money, and the rate at which the discount of
spot machines is eaten up. --rank puts the policies in order. --makespan simulates the
run under each policy: how much later it ends because of a loss, and how much slower it
is without one; policies that move work in time, static before, are laid out by it. A
trace of several applications, or a directory of logs, gives sums over all, then each
application.

--idle asks another question: what would giving back each worker after so long without a
task have saved, and what that someone still needed would have gone with it?

Examples:
  $ replay whatif trace.duckdb --policy detached-shuffle=node --policy replicate=2
  $ replay whatif trace.duckdb --policy smaller-workers=2,detached-shuffle=node --format csv
  $ replay whatif trace.duckdb --rate 0.02 --price on-demand=0.40,spot=0.12 --rank
  $ replay whatif trace.duckdb --policy drain=30s --policy shorter-rounds=4 --makespan
  $ replay whatif trace.duckdb --idle
  replay whatif trace.duckdb --policy ./mine.sql`,
		Flags: o.add,
		Run:   o.run,
	}
}

func (o *whatifOptions) add(f *pflag.FlagSet) {
	o.kind = choiceFlag{"", []string{"worker", "machine", "service"}}
	f.StringArrayVar(&o.policies, "policy", nil, "`POLICY` to compare; may be repeated")
	f.Var(&o.kind, "unit-kind", "only losses of one kind: worker, machine or service")
	f.Float64Var(&o.rate, "rate", 0, "`R` removals of each unit an hour: of a machine, a machine-hour")
	f.Var(&o.price, "price", "an hour of a machine: on-demand=`X,spot=Y`")
	f.BoolVar(&o.rank, "rank", false, "order the policies by what a run is expected to cost at the rate")
	f.BoolVar(&o.makespan, "makespan", false, "simulate how much later the run ends under each policy")
	f.BoolVar(&o.idle, "idle", false, "what giving idle workers back would have saved and stranded, by time of idleness")
	o.runFlags.add(f)
	o.outputFlags.add(f)
	o.inputFlags.add(f)
}

func (o *whatifOptions) run(ctx context.Context, env *Env, names []string) error {
	if len(names) != 1 {
		return usagef("give one TRACE")
	}
	switch {
	case !(o.rate >= 0 && o.rate <= 1e6):
		return usagef("--rate %v: give removals of a unit an hour", o.rate)
	case o.rank && o.rate == 0:
		return usagef("--rank goes with --rate")
	case o.idle && (len(o.policies) > 0 || o.rate > 0 || o.makespan || o.price.OK):
		return usagef("--idle goes with no other question")
	}
	chains, err := o.chains()
	if err != nil {
		return err
	}
	return withTrace(ctx, env, &o.inputFlags, names[0], replay.OpenOptions{App: o.app}, func(t *replay.Trace) error {
		if o.idle {
			return o.idleCurve(ctx, env, t)
		}
		return o.whatif(ctx, env, t, chains)
	})
}

// chains reads the policies that are asked for.
func (o *whatifOptions) chains() ([]replay.Chain, error) {
	specs := o.policies
	if len(specs) == 0 {
		specs = replay.CommonPolicies()
	}
	var all []replay.Chain
	for _, spec := range specs {
		c, err := replay.ParsePolicies(spec)
		if err != nil {
			return nil, usagef("--policy %s: %v", spec, err)
		}
		all = append(all, c)
	}
	return all, nil
}

// comparison is what the command found, of one application or of several.
type comparison struct {
	outcomes []result.Outcome
	notes    []replay.PolicyNote
	removals []replay.RecordedRemoval // of one application
	apps     int
	remarks  map[string]policies.Remarks
}

func (o *whatifOptions) whatif(ctx context.Context, env *Env, t *replay.Trace, chains []replay.Chain) error {
	apps, err := o.apps(t)
	if err != nil {
		return err
	}
	zone, err := o.zone(env, apps[0].TimeZone)
	if err != nil {
		return err
	}
	c := comparison{apps: len(apps), remarks: map[string]policies.Remarks{}}
	for _, chain := range chains {
		for _, x := range append([]replay.Chain{chain}, chain.Apart()...) {
			c.remarks[x.String()] = policies.Remarks{Caveats: x.Caveats(), Unknowns: x.Unknowns()}
		}
	}
	for _, app := range apps {
		if err := o.ofApp(ctx, env, t, app, chains, &c); err != nil {
			return err
		}
	}
	if len(apps) > 1 {
		c.outcomes = append(policies.Across(c.outcomes), c.outcomes...)
	}
	if o.rank {
		c.outcomes = inOrder(c.outcomes, policies.Rank(ofAll(c.outcomes, c.apps), o.rankKind(&c)))
	}
	if o.format.value != "text" {
		return o.rows(env, c.outcomes)
	}
	return o.to(env, func(w io.Writer, _ bool) error {
		return o.text(env, w, &c, zone)
	})
}

// apps are the applications that are asked for: one, or all.
func (o *whatifOptions) apps(t *replay.Trace) ([]replay.App, error) {
	if o.app != "" || len(t.Apps) == 1 {
		app, err := t.App(o.app)
		return []replay.App{app}, err
	}
	if len(t.Apps) == 0 {
		return nil, errors.New("the trace holds no application")
	}
	return t.Apps, nil
}

// ofApp compares policies on one application.
func (o *whatifOptions) ofApp(ctx context.Context, env *Env, t *replay.Trace, app replay.App, chains []replay.Chain, c *comparison) error {
	w, err := replay.OpenWorld(ctx, t.DB(), app.App)
	if err != nil {
		return err
	}
	opt := replay.WhatIfOptions{Policies: chains, UnitKind: o.kind.value, Price: o.price.Opt, Cores: o.cores()}
	if o.rate > 0 {
		opt.Rate = table.Some(o.rate)
	}
	if o.makespan {
		if opt.Time, err = replay.LoadSim(ctx, w); err != nil {
			return err
		}
		noteFidelity(env, opt.Time)
	}
	answer, err := replay.WhatIf(ctx, w, opt)
	if err != nil {
		return err
	}
	c.outcomes = append(c.outcomes, answer.Outcomes...)
	for _, n := range answer.Notes {
		if c.apps > 1 {
			n.Text = app.App + ": " + n.Text
		}
		c.notes = append(c.notes, n)
	}
	c.removals = answer.Removals
	return nil
}

// ofAll are the outcomes over all applications, or those of the only one.
func ofAll(all []result.Outcome, apps int) []result.Outcome {
	if apps == 1 {
		return all
	}
	var out []result.Outcome
	for _, x := range all {
		if x.App == "" {
			out = append(out, x)
		}
	}
	return out
}

// rankKind is the kind of loss that policies are ordered for: machines, unless
// the log does not know them.
func (o *whatifOptions) rankKind(c *comparison) string {
	if o.kind.value != "" {
		return o.kind.value
	}
	for _, x := range c.outcomes {
		if x.UnitKind == "machine" {
			return "machine"
		}
	}
	return "worker"
}

// inOrder sorts outcomes by the place of their policy.
func inOrder(all []result.Outcome, r policies.Ranking) []result.Outcome {
	var out []result.Outcome
	for _, place := range append(r.Policies, r.Refused...) {
		for _, x := range all {
			if x.Policy == place.Policy {
				out = append(out, x)
			}
		}
	}
	return out
}

func (o *whatifOptions) rows(env *Env, all []result.Outcome) error {
	var flat []result.WhatIf
	for i := range all {
		flat = append(flat, all[i].Rows()...)
	}
	return o.write(env, rows{
		Columns: resultColumns(&result.WhatIfs.Spec, nil), Each: eachResult(&result.WhatIfs.Spec, flat),
	})
}

// priceFlag reads on-demand=X,spot=Y.
type priceFlag struct {
	table.Opt[replay.Price]
}

func (p *priceFlag) Set(s string) error {
	var price replay.Price
	seen := map[string]bool{}
	for _, part := range strings.Split(s, ",") {
		name, value, _ := strings.Cut(part, "=")
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || !(v >= 0 && v < 1e9) {
			return errors.New("give it as on-demand=X,spot=Y")
		}
		switch name {
		case "on-demand":
			price.OnDemand = v
		case "spot":
			price.Spot = v
		default:
			return errors.New("give it as on-demand=X,spot=Y")
		}
		seen[name] = true
	}
	if len(seen) != 2 {
		return errors.New("give both on-demand=X and spot=Y")
	}
	p.Opt = table.Some(price)
	return nil
}

func (p *priceFlag) String() string { return "" }
func (p *priceFlag) Type() string   { return "string" }
