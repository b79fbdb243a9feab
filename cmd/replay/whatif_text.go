package main

import (
	"fmt"
	"io"
	"time"

	"tracereplay/analysis/policies"
	"tracereplay/cmd/replay/internal/render"
	"tracereplay/internal/human"
	"tracereplay/replay/result"
)

// text writes what people read: a table of any loss, one of the recorded
// losses, a paragraph for each policy, prices and the order.
func (o *whatifOptions) text(env *Env, w io.Writer, c *comparison, zone *time.Location) error {
	shown := ofAll(c.outcomes, c.apps)
	head := "Any loss, from the undisturbed run: slot time that one removal costs"
	if c.apps > 1 {
		head += fmt.Sprintf(", over %d applications", c.apps)
	}
	fmt.Fprintln(w, head)
	if err := o.table(w, o.anyColumns(), anyRows(shown), zone); err != nil {
		return err
	}
	if len(c.removals) > 0 && c.apps == 1 {
		fmt.Fprintln(w, "\nThese losses again: slot time that each recorded removal would have cost")
		if err := o.table(w, o.againColumns(), againRows(c), zone); err != nil {
			return err
		}
	}
	if c.apps > 1 {
		fmt.Fprintln(w, "\nBy application")
		if err := o.table(w, appColumns(), appRows(c), zone); err != nil {
			return err
		}
	}
	if err := paragraphs(w, c, shown); err != nil {
		return err
	}
	if o.rate > 0 {
		if err := o.perRun(w, shown, zone); err != nil {
			return err
		}
	}
	if o.rank {
		if err := o.order(w, shown, c, zone); err != nil {
			return err
		}
	}
	for _, n := range c.notes {
		env.note("%s: %s", n.Policy, n.Text)
	}
	return nil
}

func (o *whatifOptions) table(w io.Writer, cols []render.Column, all [][]any, zone *time.Location) error {
	return render.All(w, render.Text, cols, all, render.Options{Zone: zone})
}

func (o *whatifOptions) anyColumns() []render.Column {
	return []render.Column{
		{Name: "policy"},
		{Name: "loss of a"},
		{Name: "mean", Kind: render.Duration},
		{Name: "95 %", Kind: render.Duration},
		{Name: "worst", Kind: render.Duration},
		{Name: "change"},
		{Name: "delay", Kind: render.Duration, Hide: !o.makespan},
		{Name: "slower", Kind: render.Duration, Hide: !o.makespan},
		{Name: "costs"},
	}
}

// anyRows has one row a policy and kind of unit; the ends of what is assumed
// differ in costs alone as a rule, and these are told in the paragraph.
func anyRows(all []result.Outcome) [][]any {
	base := map[string]float64{}
	for _, x := range all {
		if x.Question == "any" && x.Policy == "recorded" {
			base[x.UnitKind] = x.MeanMs.V
		}
	}
	var out [][]any
	var last string
	for _, x := range all {
		key := x.Policy + " " + x.UnitKind
		if x.Question != "any" || key == last {
			continue
		}
		last = key
		change := any(nil)
		was := base[x.UnitKind]
		if x.IsSimulated { // so is what it is compared with
			was = x.MeanMs.V - x.DifferenceMs.V
		}
		switch {
		case !x.Applies:
			change = "does not apply"
		case x.Policy != "recorded" && was > 0:
			change = fmt.Sprintf("%+.0f %%", 100*(x.MeanMs.V/was-1))
		}
		out = append(out, []any{named(x), x.UnitKind, x.MeanMs, x.P95Ms, x.MaxMs, change, x.DelayMs, x.SlowerMs, policies.CostsOf(x)})
	}
	return out
}

func named(x result.Outcome) string {
	switch {
	case x.IsStatic && x.Applies:
		return x.Policy + " (static)"
	case x.IsSimulated:
		return x.Policy + " (simulated)"
	default:
		return x.Policy
	}
}

func (o *whatifOptions) againColumns() []render.Column {
	return []render.Column{
		{Name: "removal"},
		{Name: "what left"},
		{Name: "policy"},
		{Name: "would cost", Kind: render.Duration},
		{Name: "difference", Kind: render.Duration},
		{Name: "delay", Kind: render.Duration, Hide: !o.makespan},
		{Name: "note"},
	}
}

func againRows(c *comparison) [][]any {
	var out [][]any
	of := map[int64][]result.Outcome{}
	for _, x := range c.outcomes {
		if x.Removal > 0 {
			of[x.Removal] = append(of[x.Removal], x)
		}
	}
	for _, r := range c.removals {
		var last string
		for _, x := range of[r.Removal] {
			if x.Policy == last {
				continue
			}
			last = x.Policy
			if !x.Applies {
				out = append(out, []any{r.Removal, r.UnitKind + " " + r.Unit, named(x), nil, nil, nil, "does not apply: " + x.Why})
				continue
			}
			out = append(out, []any{r.Removal, r.UnitKind + " " + r.Unit, named(x), x.MeanMs, x.DifferenceMs, x.DelayMs, simulatedNote(x)})
		}
	}
	return out
}

// simulatedNote tells what a simulated loss is compared with.
func simulatedNote(x result.Outcome) any {
	if !x.IsSimulated {
		return nil
	}
	return "simulated; as it was, simulated too: " + human.Duration(int64(x.MeanMs.V-x.DifferenceMs.V+0.5))
}

func appColumns() []render.Column {
	return []render.Column{
		{Name: "application"}, {Name: "policy"}, {Name: "loss of a"}, {Name: "mean", Kind: render.Duration}, {Name: "difference", Kind: render.Duration},
	}
}

func appRows(c *comparison) [][]any {
	var out [][]any
	var last string
	for _, x := range c.outcomes {
		key := x.App + " " + x.Policy + " " + x.UnitKind
		if x.App == "" || x.Question != "any" || key == last {
			continue
		}
		last = key
		out = append(out, []any{x.App, named(x), x.UnitKind, x.MeanMs, x.DifferenceMs})
	}
	return out
}

// paragraphs writes one a policy.
func paragraphs(w io.Writer, c *comparison, shown []result.Outcome) error {
	for _, s := range policies.Sentences(shown, c.remarks) {
		text := s.Text
		if !isChecked(shown, s.Policy) {
			text += " Not checked against real runs yet."
		}
		if _, err := fmt.Fprintf(w, "\n%s\n", wrap(s.Policy+": "+text, 100)); err != nil {
			return err
		}
	}
	return nil
}

func isChecked(all []result.Outcome, policy string) bool {
	for _, x := range all {
		if x.Policy == policy {
			return x.Checked != ""
		}
	}
	return false
}

// perRun tells what a run costs at the rate.
func (o *whatifOptions) perRun(w io.Writer, all []result.Outcome, zone *time.Location) error {
	fmt.Fprintf(w, "\nA run, at %s removals of each unit an hour\n", human.Number(o.rate))
	cols := []render.Column{
		{Name: "policy"}, {Name: "loss of a"}, {Name: "redone", Kind: render.Duration}, {Name: "+-", Kind: render.Duration},
	}
	if o.price.OK {
		cols = append(cols, []render.Column{{Name: "price"}, {Name: "+-"}, {Name: "discount is eaten at"}}...)
	}
	var out [][]any
	for _, x := range all {
		if x.Question != "any" || !x.Applies {
			continue
		}
		row := []any{withAssumption(x), x.UnitKind, x.PerRunMs, x.SdPerRunMs}
		if o.price.OK {
			even := any("never")
			if x.BreakEvenRate.OK {
				even = human.Number(x.BreakEvenRate.V) + " an hour"
			}
			row = append(row, money(x.Price.V), money(x.SdPrice.V), even)
		}
		out = append(out, row)
	}
	return o.table(w, cols, out, zone)
}

func withAssumption(x result.Outcome) string {
	if x.Assumption == "" {
		return named(x)
	}
	return named(x) + " [" + x.Assumption + "]"
}

func money(v float64) string { return fmt.Sprintf("%.4f", v) }

// order tells which policy comes first.
func (o *whatifOptions) order(w io.Writer, all []result.Outcome, c *comparison, zone *time.Location) error {
	r := policies.Rank(all, o.rankKind(c))
	what := "slot time redone, and taken by the policy itself"
	if r.IsPrice {
		what = "money"
	}
	fmt.Fprintf(w, "\nIn order, for losses of a %s: %s of a run; equal ranks cannot be told apart\n", r.UnitKind, what)
	cols := []render.Column{{Name: "rank"}, {Name: "policy"}, {Name: "from"}, {Name: "to"}, {Name: "note"}}
	var out [][]any
	for _, p := range r.Policies {
		low, high := money(p.Low), money(p.High)
		if !r.IsPrice {
			low, high = slotTime(p.Low), slotTime(p.High)
		}
		out = append(out, []any{p.Rank, p.Policy, low, high, p.Note})
	}
	for _, p := range r.Refused {
		out = append(out, []any{nil, p.Policy, nil, nil, "does not apply: " + p.Note})
	}
	return o.table(w, cols, out, zone)
}

func slotTime(ms float64) string {
	if ms < 0 {
		return "-" + human.Duration(int64(-ms+0.5))
	}
	return human.Duration(int64(ms + 0.5))
}
