package analysis

import (
	"tracereplay/replay/result"
)

// PolicyTables are what policies would have done: a sentence for each, its
// figures, and the recorded losses again.
func (r *Report) PolicyTables() []Table {
	if r.Policies == nil {
		return nil
	}
	return []Table{r.policySentenceTable(), r.policyTable(), r.againTable(), r.policyNoteTable()}
}

func (r *Report) policyNoteTable() Table {
	t := Table{Name: "policy_notes", Title: "What the policies say besides", Columns: []Column{{"note", "note", InWords}}}
	for _, n := range r.Policies.In.Notes {
		t.Rows = append(t.Rows, []any{n})
	}
	t.Total = len(t.Rows)
	return t
}

func (r *Report) policySentenceTable() Table {
	t := Table{Name: "policy_sentences", Title: "Each policy in words", Columns: []Column{
		{"policy", "policy", InText},
		{"sentence", "what it would have done", InWords},
		{"checked", "checked in real runs", InText},
	}}
	for _, s := range r.Policies.Sentences {
		checked := r.Policies.Checked(s.Policy)
		if checked == "" {
			checked = "not yet"
		}
		t.Rows = append(t.Rows, []any{s.Policy, s.Text, checked})
	}
	t.Total = len(t.Rows)
	return t
}

func (r *Report) policyTable() Table {
	t := Table{Name: "policy_rows", Title: "Any loss, from the undisturbed run", Columns: []Column{
		{"policy", "policy", InText},
		{"static", "static", InText},
		{"unit_kind", "loss of a", InText},
		{"assumption", "assumed", InText},
		{"mean_recompute_ms", "mean", InSlotMs},
		{"p50_recompute_ms", "half cost at most", InSlotMs},
		{"p95_recompute_ms", "95 % at most", InSlotMs},
		{"max_recompute_ms", "worst", InSlotMs},
		{"difference_ms", "change of the mean", InSlotMs},
		{"recompute_ms_per_run_at_rate_1", "a run at 1 loss an hour", InSlotMs},
		{"costs", "costs", InWords},
		{"why", "does not apply", InWords},
	}}
	for i := range r.Policies.In.Outcomes {
		o := &r.Policies.In.Outcomes[i]
		if o.Question != "any" {
			continue
		}
		t.Rows = append(t.Rows, []any{
			o.Policy, staticWord(o), o.UnitKind, nonEmpty(o.Assumption), opt(o.MeanMs), opt(o.P50Ms), opt(o.P95Ms), opt(o.MaxMs), opt(o.DifferenceMs),
			opt(o.PerRate), nonEmpty(r.Policies.Costs(o)), nonEmpty(o.Why),
		})
	}
	t.Total = len(t.Rows)
	return t
}

func staticWord(o *result.Outcome) any {
	if o.IsStatic {
		return "static"
	}
	return nil
}

func (r *Report) againTable() Table {
	t := Table{Name: "policy_again_rows", Title: "These losses again", Columns: []Column{
		{"question", "removal", InText},
		{"unit", "what left", InText},
		{"policy", "policy", InText},
		{"static", "static", InText},
		{"assumption", "assumed", InText},
		{"mean_recompute_ms", "would have cost", InSlotMs},
		{"difference_ms", "change", InSlotMs},
		{"why", "does not apply", InWords},
	}}
	for i := range r.Policies.In.Outcomes {
		o := &r.Policies.In.Outcomes[i]
		if o.Question == "any" {
			continue
		}
		t.Total++
		if len(t.Rows) < maxAgainRows {
			t.Rows = append(t.Rows, []any{
				o.Question, r.unitOf(o), o.Policy, staticWord(o), nonEmpty(o.Assumption), opt(o.MeanMs), opt(o.DifferenceMs), nonEmpty(o.Why),
			})
		}
	}
	return t
}

// maxAgainRows is how many recorded losses under policies the page lists.
const maxAgainRows = 60

// unitOf is what a recorded removal took.
func (r *Report) unitOf(o *result.Outcome) any {
	for i := range r.In.Removals {
		if x := &r.In.Removals[i]; o.Removal == x.Removal {
			return x.UnitKind + " " + x.Unit
		}
	}
	return o.UnitKind
}
