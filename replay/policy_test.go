package replay_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"tracereplay/ingest"
	"tracereplay/internal/table"
	"tracereplay/replay"
	"tracereplay/replay/result"
)

// TestPolicies runs the hand-computed cases of policies: command run draws a
// run; command policy makes its world that under a policy, from the run as it
// was drawn, and tells what the policy has to say; command blast asks what losing
// units costs in the world that there is; command whatif asks both questions of
// the policies below it.
func TestPolicies(t *testing.T) {
	datadriven.Walk(t, "testdata/policy", func(t *testing.T, path string) {
		var r *redrawn
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "run":
				r = openRedrawn(t, d.Input)
				return ""
			case "policy":
				return r.policy(t, d)
			case "mine":
				return r.mine(d)
			case "blast":
				return blast(t, r.world, d)
			case "whatif":
				return r.whatif(t, d)
			default:
				d.Fatalf(t, "no command %s", d.Cmd)
				return ""
			}
		})
	})
}

// redrawn is a drawn run whose world can be made anew.
type redrawn struct {
	world *replay.World
	again func() *replay.World
}

func openRedrawn(t *testing.T, text string) *redrawn {
	run, err := draw(text)
	if err != nil {
		t.Fatal(err)
	}
	run.writers()
	db := openTrace(t)
	if err := run.write(db); err != nil {
		t.Fatal(err)
	}
	r := &redrawn{again: func() *replay.World {
		w, err := replay.OpenWorld(context.Background(), db, drawnApp)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}}
	r.world = r.again()
	return r
}

// writers says of each attempt which shuffle it writes, and where the log tells
// of it: by its times.
func (d *drawn) writers() {
	for i := range d.attempts {
		a := &d.attempts[i]
		d.lines = append(d.lines, ingest.TaskRow{
			App: drawnApp, TaskEnd: ingest.TaskEnd{TaskStart: ingest.TaskStart{Task: a.Task}}, StartSeq: table.Some(a.StartMs), EndSeq: table.Some(a.EndMs),
		})
	}
	for _, o := range d.outputs {
		for i := range d.attempts {
			if a := &d.attempts[i]; a.Task == o.Task.V && d.datasets[o.Dataset].Kind == "shuffle" {
				a.Dataset, a.Partition = table.Some(o.Dataset), table.Some(o.Partition)
			}
		}
	}
}

// policy applies policy NAME=VALUE,... [high].
func (r *redrawn) policy(t *testing.T, d *datadriven.TestData) string {
	spec, end := "", replay.LowEnd
	for _, arg := range d.CmdArgs {
		if arg.Key == "high" {
			end = replay.HighEnd
			continue
		}
		if spec != "" {
			spec += ","
		}
		spec += strings.TrimSuffix(arg.Key+"="+strings.Join(arg.Vals, ","), "=")
	}
	chain, err := replay.ParsePolicies(spec)
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	r.world = r.again()
	applied, err := r.world.ApplyChain(context.Background(), chain, end)
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	if err := r.world.CheckContract(context.Background()); err != nil {
		return "error: " + err.Error() + "\n"
	}
	var s strings.Builder
	for _, a := range applied {
		s.WriteString(said(a, end))
	}
	return s.String()
}

// mine applies a policy of one's own, whose text is the input: mine [key=value]...
func (r *redrawn) mine(d *datadriven.TestData) string {
	p, err := replay.ReadPolicy("mine.sql", d.Input)
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	s := replay.Step{Policy: p, Args: replay.Args{}}
	for _, arg := range d.CmdArgs {
		s.Args[arg.Key] = strings.Join(arg.Vals, ",")
	}
	r.world = r.again()
	a, err := r.world.Apply(context.Background(), s, replay.LowEnd)
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	return said(a, replay.LowEnd)
}

// said is what a policy said, one line each.
func said(a *replay.Applied, end replay.End) string {
	var s strings.Builder
	for _, u := range a.Unfit {
		what := ""
		switch {
		case u.UnitKind.OK:
			what = " to a " + u.UnitKind.V
		case u.Removal.OK:
			what = fmt.Sprintf(" to removal %d", u.Removal.V)
		}
		fmt.Fprintf(&s, "does not apply%s: %s\n", what, u.Why)
	}
	costs := a.Low
	if end == replay.HighEnd {
		costs = a.High
	}
	for _, c := range costs {
		fmt.Fprintf(&s, "costs %s: %s %s\n", c.Kind, plainNumber(c.Value), c.Unit)
	}
	for _, h := range a.Heirs {
		fmt.Fprintf(&s, "%s %s becomes %s\n", h.UnitKind, h.Unit, h.Heir)
	}
	for _, n := range a.Notes {
		fmt.Fprintf(&s, "note: %s\n", n)
	}
	return s.String()
}

// plainNumber has three digits after the point, or none.
func plainNumber(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(v, 'f', 3, 64), "0"), ".")
}

// whatif compares the policies in the input, one a line: [kind=K] [rate=R]
// [price=(ON-DEMAND,SPOT)].
func (r *redrawn) whatif(t *testing.T, d *datadriven.TestData) string {
	var opt replay.WhatIfOptions
	d.MaybeScanArgs(t, "kind", &opt.UnitKind)
	if d.HasArg("rate") {
		var rate int
		d.ScanArgs(t, "rate", &rate)
		opt.Rate.V, opt.Rate.OK = float64(rate), true
	}
	if d.HasArg("price") {
		var onDemand, spot int
		d.ScanArgs(t, "price", &onDemand, &spot)
		opt.Price = table.Some(replay.Price{OnDemand: float64(onDemand), Spot: float64(spot)})
	}
	for line := range strings.Lines(d.Input) {
		chain, err := replay.ParsePolicies(strings.TrimSpace(line))
		if err != nil {
			return "error: " + err.Error() + "\n"
		}
		opt.Policies = append(opt.Policies, chain)
	}
	r.world = r.again()
	answer, err := replay.WhatIf(context.Background(), r.world, opt)
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	var s strings.Builder
	for i := range answer.Outcomes {
		s.WriteString(outcome(&answer.Outcomes[i]))
	}
	return s.String()
}

func outcome(o *result.Outcome) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s, %s, %s", o.Policy, o.Question, o.UnitKind)
	if o.Assumption != "" {
		fmt.Fprintf(&s, " [%s]", o.Assumption)
	}
	if !o.Applies {
		return s.String() + ": does not apply: " + o.Why + "\n"
	}
	fmt.Fprintf(&s, ": mean %s to %s, worst %d", plainNumber(o.MeanLowMs.V), plainNumber(o.MeanMs.V), o.MaxMs.V)
	if o.Question == "any" {
		fmt.Fprintf(&s, " (%s at %d), median %d, 95 %% %d", o.MaxUnit.V, o.MaxInstantMs.V, o.P50Ms.V, o.P95Ms.V)
	}
	if o.PerRunMs.OK {
		fmt.Fprintf(&s, "; a run %s +- %s", plainNumber(o.PerRunMs.V), plainNumber(o.SdPerRunMs.V))
	}
	if o.BreakEvenRate.OK {
		fmt.Fprintf(&s, "; breaks even at %s an hour", plainNumber(o.BreakEvenRate.V))
	}
	for _, c := range o.Costs {
		fmt.Fprintf(&s, "; costs %s: %s %s", c.Kind, plainNumber(c.Value), c.Unit)
	}
	return s.String() + "\n"
}
