package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"tracereplay/cmd/replay/internal/args"
	"tracereplay/internal/human"
	"tracereplay/replay"
	"tracereplay/replay/result"
	"tracereplay/replay/sim"
)

type simulateOptions struct {
	inputFlags
	runFlags
	outputFlags
	remove     []string
	schedule   string
	rate       float64
	runs       int
	seed       uint64
	notice     args.Duration
	detect     args.Duration
	silent     bool
	replace    string
	lifetime   choiceFlag
	correlated string
	recorded   choiceFlag
	policies   []string
	tasksOut   string
}

func simulateCommand() *Command {
	var o simulateOptions
	return &Command{
		Name:  "simulate",
		Usage: "TRACE",
		Short: "replay the run in time: how much later does it end with a loss",
		Long: `Replays the recorded run on a simulated cluster, by the engine's own rules, and says
how much later it ends when workers or machines are lost. Durations, workers' lives and
the coordinator's own gaps are those of the log; starts and places are simulated. The
baseline is simulated too, so that what the simulator gets wrong cancels out. Given
losses start from the state that the run was in just before the first of them. Losses are
given (--remove, --schedule) or drawn (--rate, with --runs for how often). With none of
these the run is replayed as it was, which shows how well that works.

A schedule is CSV: notice time, gone time, unit; or the record of a fleet with named
nodes (ms,add|remove,node); or notices of Amazon EventBridge or Google Cloud in JSON.

Examples:
  $ replay simulate trace.duckdb
  $ replay simulate trace.duckdb --remove machine:m2@83%
  $ replay simulate trace.duckdb --rate 20 --runs 100 --notice 2m --replace-after 5m
  $ replay simulate trace.duckdb --remove machine:m2@83% -o simulated.duckdb`,
		Flags: o.add,
		Run:   o.run,
	}
}

func (o *simulateOptions) add(f *pflag.FlagSet) {
	o.lifetime = choiceFlag{"exponential", []string{"exponential", "bathtub"}}
	o.recorded = choiceFlag{"", []string{"keep", "drop"}}
	f.StringArrayVar(&o.remove, "remove", nil, "lose `UNIT@INSTANT`: a worker or machine, gone then; may be repeated")
	f.StringVar(&o.schedule, "schedule", "", "lose what a `FILE` says: csv or JSON, see above")
	f.Float64Var(&o.rate, "rate", 0, "lose machines at random: `R` a machine-hour")
	f.IntVar(&o.runs, "runs", 1, "simulate `N` times, with the seeds S, S+1, ...")
	f.Uint64Var(&o.seed, "seed", 1, "seed `S` of what is drawn: places, losses")
	f.Var(&o.notice, "notice", "warning before a loss")
	f.Var(&o.detect, "detect", "from a loss to its being noticed; default: as the engine notices a closed connection")
	f.BoolVar(&o.silent, "silent", false, "no connection is closed: losses are noticed by missing heartbeats")
	f.StringVar(&o.replace, "replace-after", "", "another worker comes `DURATION` after a loss, or none; default: as after the recorded losses, else none")
	f.Var(&o.lifetime, "lifetime", "of machines at --rate: exponential, or bathtub (early and late in a day)")
	f.StringVar(&o.correlated, "correlated", "", "machines go in groups: `SHARE/WINDOW`, as 25%/3m")
	f.Var(&o.recorded, "recorded-removals", "keep the losses of the log or drop them; default: keep when no others are asked for")
	f.StringArrayVar(&o.policies, "policy", nil, "`POLICY` to simulate; may be repeated, all meet the same losses")
	f.StringVar(&o.tasksOut, "tasks-out", "", "write what ran again, one row an attempt, to csv `FILE`")
	o.runFlags.add(f)
	o.outputFlags.add(f)
	o.inputFlags.add(f)
	f.Lookup("output").Usage = "write to `FILE`: the rows, or, if its name ends in .duckdb, the simulated run as a trace"
}

func (o *simulateOptions) run(ctx context.Context, env *Env, names []string) error {
	if len(names) != 1 {
		return usagef("give one TRACE")
	}
	if err := o.check(); err != nil {
		return err
	}
	return withTrace(ctx, env, &o.inputFlags, names[0], replay.OpenOptions{App: o.app}, func(t *replay.Trace) error {
		return o.simulate(ctx, env, t)
	})
}

// check finds flags that cannot be meant.
func (o *simulateOptions) check() error {
	sources := 0
	for _, set := range []bool{len(o.remove) > 0, o.schedule != "", o.rate != 0} {
		if set {
			sources++
		}
	}
	switch {
	case sources > 1:
		return usagef("give one of --remove, --schedule and --rate")
	case !(o.rate >= 0 && o.rate <= 1e6): // NaN is neither
		return usagef("--rate %v: give removals a machine-hour", o.rate)
	case o.runs < 1 || o.runs > 10_000_000:
		return usagef("--runs %d: give a number from 1 to 10,000,000", o.runs)
	case o.correlated != "" && o.rate == 0:
		return usagef("--correlated goes with --rate")
	case o.traceOut() && o.runs > 1 && o.runs > 10_000:
		return usagef("-o FILE.duckdb keeps every loss of every run: give at most 10000 --runs")
	}
	return nil
}

// traceOut tells whether -o names a trace.
func (o *simulateOptions) traceOut() bool { return strings.HasSuffix(o.out, ".duckdb") }

func (o *simulateOptions) simulate(ctx context.Context, env *Env, t *replay.Trace) error {
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
	s, err := replay.LoadSim(ctx, w)
	if err != nil {
		return err
	}
	opt, err := o.options(env, s, args.Run{StartMs: w.Span().StartMs, EndMs: w.Span().EndMs, Zone: zone})
	if err != nil {
		return err
	}
	noteFidelity(env, s)
	answers, err := o.answers(s, opt)
	if err != nil {
		return err
	}
	if err := o.writeTasks(answers); err != nil {
		return err
	}
	if o.traceOut() {
		if err := o.writeTrace(ctx, env, t, answers); err != nil {
			return err
		}
	}
	return o.print(env, answers, human.ClockIn(zone))
}

// noteFidelity says how well the run replays, and why not better.
func noteFidelity(env *Env, s *replay.SimRun) {
	f := &s.Fidelity
	env.note("replayed as it was, the run takes %s instead of %s (%+.1f %%)", human.Duration(f.MakespanMs), human.Duration(s.Run.RecordedMs), 100*f.Error)
	for _, g := range s.Gaps {
		env.note("the log lacks what a good replay needs: %s", g)
	}
	if f.Outcome != sim.Done {
		env.note("replayed as it was, the run is %s", f.Outcome)
	}
}

// options turns the flags into those of the simulator.
func (o *simulateOptions) options(env *Env, s *replay.SimRun, run args.Run) (sim.Options, error) {
	opt := sim.Options{Seed: o.seed, Cluster: sim.Undisturbed, ReplaceMs: s.Run.ReplacedMs}
	none := len(o.remove) == 0 && o.schedule == "" && o.rate == 0
	if o.recorded.value == "keep" || o.recorded.value == "" && none {
		opt.Cluster = sim.Recorded
	} else if n := len(s.Run.Removals); n > 0 && o.recorded.value == "" {
		env.note("the %s of the log left out; --recorded-removals keep keeps them", human.Counted(int64(n), "recorded removal", "recorded removals"))
	}
	switch o.replace {
	case "":
	case "none":
		opt.ReplaceMs = -1
	default:
		d, err := args.ParseDuration(o.replace)
		if err != nil {
			return opt, usagef("--replace-after: %v, or none", err)
		}
		opt.ReplaceMs = d.Milliseconds()
	}
	if err := o.losses(&opt, s); err != nil {
		return opt, err
	}
	for _, text := range o.remove {
		r, err := args.ParseRemoval(text)
		if err != nil {
			return opt, usagef("--remove: %v", err)
		}
		at, err := r.At.Resolve(run)
		if err != nil {
			return opt, usagef("--remove %s: %v", text, err)
		}
		x, err := o.removal(s, r.Unit, at)
		if err != nil {
			return opt, usagef("--remove %s: %v", text, err)
		}
		opt.Removals = append(opt.Removals, x)
	}
	if o.schedule != "" {
		return opt, o.readSchedule(&opt, s, run)
	}
	return opt, nil
}

// losses sets what is drawn.
func (o *simulateOptions) losses(opt *sim.Options, s *replay.SimRun) error {
	opt.Losses = sim.Losses{
		RatePerHour: o.rate, NoticeMs: time.Duration(o.notice).Milliseconds(), DetectMs: time.Duration(o.detect).Milliseconds(), Silent: o.silent,
	}
	if o.lifetime.value == "bathtub" {
		opt.Losses.Lifetime = sim.Bathtub
	}
	if o.correlated == "" {
		return nil
	}
	share, window, ok := strings.Cut(o.correlated, "/")
	x, err := strconv.ParseFloat(strings.TrimSuffix(share, "%"), 64)
	if strings.HasSuffix(share, "%") {
		x /= 100
	}
	d, err2 := args.ParseDuration(window)
	if !ok || err != nil || err2 != nil || !(x > 0 && x <= 1) {
		return usagef("--correlated %s: give a share of the machines and a time, as 25%%/3m", o.correlated)
	}
	opt.Losses.Share, opt.Losses.WindowMs = x, d.Milliseconds()
	return nil
}

// removal is the loss of a unit at an instant on the coordinator's clock.
func (o *simulateOptions) removal(s *replay.SimRun, u args.Unit, atMs int64) (sim.Removal, error) {
	gone := max(0, atMs-s.Run.StartMs)
	r := sim.Removal{Machine: -1, GoneMs: gone, NoticeMs: max(0, gone-time.Duration(o.notice).Milliseconds()), Silent: o.silent}
	switch {
	case o.detect > 0:
		r.DetectMs = gone + time.Duration(o.detect).Milliseconds()
	case o.silent:
		r.DetectMs = gone + s.Run.Rules.SilentDetectMs()
	default:
		r.DetectMs = gone + s.Run.Rules.DetectMs
	}
	machine, worker := int32(-1), int32(-1)
	if u.Kind == args.Any || u.Kind == args.Machine {
		machine = int32(slices.Index(s.Run.Machines, u.Name))
	}
	if u.Kind == args.Any || u.Kind == args.Worker {
		worker = int32(slices.IndexFunc(s.Run.Workers, func(w sim.Worker) bool { return w.Name == u.Name }))
	}
	switch {
	case machine >= 0 && worker >= 0:
		return r, fmt.Errorf("%s is the name of a worker and of a machine: write worker:%s or machine:%s", u.Name, u.Name, u.Name)
	case machine >= 0:
		r.Machine = machine
	case worker >= 0:
		r.Workers = []int32{worker}
	default:
		return r, fmt.Errorf("there is no such worker or machine; replay blast TRACE --format csv lists them")
	}
	return r, nil
}

// readSchedule takes the losses of a schedule file.
func (o *simulateOptions) readSchedule(opt *sim.Options, s *replay.SimRun, run args.Run) error {
	data, err := os.ReadFile(o.schedule)
	if err != nil {
		return err
	}
	list, err := sim.ReadSchedule(data)
	if err != nil {
		return fmt.Errorf("%s: %w", o.schedule, err)
	}
	if slices.ContainsFunc(list, func(x sim.Scheduled) bool { return x.Gone.Form == sim.WhenSince }) {
		opt.Removals, opt.Arrivals = sim.Fleet(s.Run, list)
		return nil
	}
	for _, x := range list {
		r, err := o.scheduled(s, x, run)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", o.schedule, x.Place, err)
		}
		opt.Removals = append(opt.Removals, r)
	}
	return nil
}

func (o *simulateOptions) scheduled(s *replay.SimRun, x sim.Scheduled, run args.Run) (sim.Removal, error) {
	resolve := func(w sim.When) (int64, error) {
		if w.Form == sim.WhenEpoch {
			if w.EpochMs < run.StartMs || w.EpochMs > run.EndMs {
				return 0, fmt.Errorf("%s is outside of the run", time.UnixMilli(w.EpochMs).UTC().Format(time.RFC3339))
			}
			return w.EpochMs, nil
		}
		i, err := args.ParseInstant(w.Text)
		if err != nil {
			return 0, err
		}
		return i.Resolve(run)
	}
	u, err := args.ParseUnit(x.Unit)
	if err != nil {
		return sim.Removal{}, err
	}
	gone, err := resolve(x.Gone)
	if err != nil {
		return sim.Removal{}, err
	}
	r, err := o.removal(s, u, gone)
	if err != nil {
		return r, fmt.Errorf("%s: %w (--machines FILE gives workers the names of their machines)", x.Unit, err)
	}
	if x.Notice.Form != sim.WhenNever {
		at, err := resolve(x.Notice)
		if err != nil {
			return r, err
		}
		r.NoticeMs = min(max(0, at-s.Run.StartMs), r.GoneMs)
	}
	return r, nil
}

// policyAnswer is what a policy came to.
type policyAnswer struct {
	name string
	run  *replay.SimRun
	opt  sim.Options
	*replay.SimAnswer
}

// answers simulates each policy with the same draws.
func (o *simulateOptions) answers(s *replay.SimRun, opt sim.Options) ([]policyAnswer, error) {
	names := o.policies
	if len(names) == 0 {
		names = []string{"recorded"}
	}
	var out []policyAnswer
	for _, name := range names {
		mine := opt
		run, err := s.With(name, &mine)
		if err != nil {
			return nil, usagef("--policy %s: %v", name, err)
		}
		mine.FromMs = run.Run.ResumeMs(&mine)
		q := replay.SimRequest{Policy: name, Options: mine, Runs: o.runs, Threads: o.cores(), Reruns: o.tasksOut != "" || o.traceOut()}
		out = append(out, policyAnswer{name, run, mine, run.Simulate(q)})
	}
	return out, nil
}

// writeTasks writes what ran again.
func (o *simulateOptions) writeTasks(answers []policyAnswer) error {
	if o.tasksOut == "" {
		return nil
	}
	to := outputFlags{format: choiceFlag{value: "csv"}, out: o.tasksOut, force: o.force}
	var all []result.SimulatedRerun
	for _, a := range answers {
		all = append(all, a.Reruns...)
	}
	return to.write(&Env{Out: io.Discard, Err: io.Discard}, rows{
		Columns: resultColumns(&result.SimulatedReruns.Spec, nil), Each: eachResult(&result.SimulatedReruns.Spec, all),
	})
}

// writeTrace writes the simulated run, of many the one in the tail, as a trace:
// under the first policy.
func (o *simulateOptions) writeTrace(ctx context.Context, env *Env, t *replay.Trace, answers []policyAnswer) error {
	s, opt := answers[0].run, answers[0].opt
	if tail := tailRun(answers[0].Runs); tail >= 0 {
		opt.Seed = uint64(answers[0].Runs[tail].Seed)
	}
	create := createOptions(env)
	create.Force = o.force
	w, err := replay.Create(ctx, o.out, create)
	if err != nil {
		return err
	}
	all := &replay.SimAnswer{}
	for _, a := range answers {
		all.Runs, all.Losses, all.Reruns = append(all.Runs, a.Runs...), append(all.Losses, a.Losses...), append(all.Reruns, a.Reruns...)
	}
	if err := replay.WriteSimTrace(ctx, t.DB(), s, opt, all, w); err != nil {
		return errors.Join(err, w.Abort())
	}
	if err := w.Finish(); err != nil {
		return err
	}
	env.note("%s holds the run with seed %d and tables simulated_run, simulated_loss, simulated_rerun", o.out, opt.Seed)
	return nil
}
