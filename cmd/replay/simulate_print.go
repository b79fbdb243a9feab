package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"tracereplay/cmd/replay/internal/render"
	"tracereplay/internal/human"
	"tracereplay/internal/table"
	"tracereplay/replay/result"
	"tracereplay/replay/sim"
)

// print writes what came of it: rows, and for people the distribution, the
// tail, and what the end hung on.
func (o *simulateOptions) print(env *Env, answers []policyAnswer, clock human.Clock) error {
	var all []result.Simulated
	for _, a := range answers {
		all = append(all, a.Runs...)
	}
	out := o.outputFlags
	if o.traceOut() {
		out.out = ""
	}
	if out.format.value != "text" || o.runs == 1 && len(answers) > 1 {
		cols := resultColumns(&result.Simulations.Spec, map[string]string{
			"policy": "", "removals": "", "outcome": "", "makespan_ms": "makespan", "delay_ms": "delay", "recompute_ms": "redone", "rerun_tasks": "run again",
		})
		for i := range cols {
			if strings.HasSuffix(cols[i].Name, "makespan_ms") {
				cols[i].Kind = render.Duration
			}
		}
		return out.write(env, rows{Columns: cols, Each: eachResult(&result.Simulations.Spec, all)})
	}
	return out.to(env, func(w io.Writer, terminal bool) error {
		if o.runs > 1 {
			return o.printMany(w, answers, terminal)
		}
		return o.printOne(w, answers[0], clock)
	})
}

// printOne tells of a single run.
func (o *simulateOptions) printOne(w io.Writer, a policyAnswer, clock human.Clock) error {
	r := &a.Runs[0]
	p := func(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }
	p("without losses  %s", human.Duration(r.BaselineMs))
	switch {
	case r.Outcome == sim.Stalled:
		p("with them       it never ends: no slots are left and none are to come")
	case r.Outcome == sim.Aborted:
		p("with them       the engine gives up after %s: too many attempts failed", human.Duration(r.MakespanMs.V))
	default:
		p("with them       %s, %s later", human.Duration(r.MakespanMs.V), human.Duration(r.DelayMs.V))
	}
	p("redone          %s of slot time: %s (%s), %s in flight (%s)%s", human.Duration(r.RecomputeMs), human.Counted(r.RerunTasks, "finished piece again", "finished pieces again"),
		human.Duration(r.RerunMs), human.Counted(r.InFlightTasks, "attempt", "attempts"), human.Duration(r.InFlightMs), cached(r.CachedMs))
	if r.InterruptedTasks > 0 {
		p("interrupted     %s that could not fetch (%s)", human.Counted(r.InterruptedTasks, "reader", "readers"), human.Duration(r.InterruptedMs))
	}
	for i := range a.Losses {
		l := &a.Losses[i]
		p("loss %-10d %s %s gone at %s, noticed %s later", l.Loss, l.UnitKind, render.Safe(l.Unit), clock.Time(l.GoneMs), human.Duration(l.DetectedMs-l.GoneMs))
	}
	p("")
	p("what the end hung on, without and with the losses:")
	return render.All(w, render.Text, []render.Column{{Name: "part"}, {Name: "without", Kind: render.Duration}, {Name: "with", Kind: render.Duration}},
		pathRows(a.run.Run, a.Baseline, a.Path), render.Options{})
}

func cached(ms int64) string {
	if ms == 0 {
		return ""
	}
	return ", lost cached blocks " + human.Duration(ms)
}

// pathRows sets two critical paths beside each other, stage by stage.
func pathRows(run *sim.Run, without, with []sim.Leg) [][]any {
	type part struct{ without, with int64 }
	parts := map[string]*part{}
	var order []string
	add := func(legs []sim.Leg, into func(*part) *int64) {
		for _, l := range legs {
			name := "coordinator"
			switch {
			case l.Kind == "failed":
				name = fmt.Sprintf("stage %d, until it could not fetch", run.Stages[l.Stage].ID)
			case l.Kind == "stage" && l.Attempt > 0:
				name = fmt.Sprintf("stage %d again", run.Stages[l.Stage].ID)
			case l.Kind == "stage":
				name = fmt.Sprintf("stage %d", run.Stages[l.Stage].ID)
			}
			if parts[name] == nil {
				parts[name] = &part{}
				order = append(order, name)
			}
			*into(parts[name]) += l.ToMs - l.FromMs
		}
	}
	add(without, func(p *part) *int64 { return &p.without })
	add(with, func(p *part) *int64 { return &p.with })
	var out [][]any
	for _, name := range order {
		p := parts[name]
		out = append(out, []any{name, table.I64{V: p.without, OK: p.without > 0}, table.I64{V: p.with, OK: p.with > 0}})
	}
	return out
}

// printMany tells of the distribution over many runs, one row a policy, and of
// the run in its tail.
func (o *simulateOptions) printMany(w io.Writer, answers []policyAnswer, terminal bool) error {
	cols := []render.Column{
		{Name: "policy"},
		{Name: "done", Kind: render.Share},
		{Name: "losses"},
		{Name: "without", Kind: render.Duration},
		{Name: "mean", Kind: render.Duration},
		{Name: "p50", Kind: render.Duration},
		{Name: "p90", Kind: render.Duration},
		{Name: "p99", Kind: render.Duration},
		{Name: "p99 between"},
		{Name: "redone", Kind: render.Duration},
	}
	var out [][]any
	for _, a := range answers {
		out = append(out, manyRow(a))
	}
	if err := render.All(w, render.Text, cols, out, render.Options{Terminal: terminal}); err != nil {
		return err
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w, "Makespans; the interval holds the true 99th percentile in 19 of 20 such samples.")
	for _, a := range answers {
		if i := tailRun(a.Runs); i >= 0 {
			r := &a.Runs[i]
			fmt.Fprintf(w, "%s: a run at the 99th percentile has seed %d: %s, %s redone, %s later. --runs 1 --seed %d shows it.\n",
				render.Safe(a.name), r.Seed, human.Counted(r.Removals, "loss", "losses"), human.Duration(r.RecomputeMs), human.Duration(r.DelayMs.V), r.Seed)
		}
	}
	return nil
}

func manyRow(a policyAnswer) []any {
	var list []float64
	losses, redone, total := 0.0, 0.0, 0.0
	for i := range a.Runs {
		r := &a.Runs[i]
		losses += float64(r.Removals)
		redone += float64(r.RecomputeMs)
		if r.Outcome == sim.Done {
			list = append(list, float64(r.MakespanMs.V))
			total += float64(r.MakespanMs.V)
		}
	}
	n := float64(len(a.Runs))
	row := []any{a.name, float64(len(list)) / n, fmt.Sprintf("%.2f", losses/n), a.Runs[0].BaselineMs}
	if len(list) == 0 {
		return append(row, nil, nil, nil, nil, nil, int64(redone/n))
	}
	q := sim.Quantiles(list, 0.5, 0.9, 0.99)
	row = append(row, int64(total/float64(len(list))))
	for _, x := range q {
		row = append(row, int64(x.V))
	}
	return append(row, human.Duration(int64(q[2].Low))+" and "+human.Duration(int64(q[2].High)), int64(redone/n))
}

// tailRun is the run at the 99th percentile of the makespan, -1 if there are
// too few.
func tailRun(runs []result.Simulated) int {
	var done []int
	for i := range runs {
		if runs[i].Outcome == sim.Done {
			done = append(done, i)
		}
	}
	if len(done) < 2 {
		return -1
	}
	slices.SortStableFunc(done, func(x, y int) int { return int(runs[x].MakespanMs.V - runs[y].MakespanMs.V) })
	return done[(99*len(done)+99)/100-1]
}
