package analysis

import (
	"tracereplay/analysis/postmortem"
	"tracereplay/replay/result"
)

// told are the recorded losses in words, and their numbers with the questions
// that they answer.
func told(in *Inputs) ([]string, []postmortem.Number) {
	a := in.App
	p := postmortem.Input{
		Story:    result.Story{App: a.ID, StartMs: a.FromMs, EndMs: a.ToMs, IsEnded: a.IsEnded, SlotMs: a.SlotMs},
		Removals: in.Removals, Chain: in.Links, Clock: in.Clock.Within(a.FromMs, a.ToMs),
	}
	if len(costliest(in.Removals)) == 0 {
		return nil, nil
	}
	app := ""
	if in.HasApps {
		app = a.ID
	}
	return postmortem.Paragraphs(p), postmortem.Numbers(p, app)
}

// NumberTable lists the numbers of the losses and how each is asked again.
func (r *Report) NumberTable() Table {
	t := Table{Name: "loss_numbers", Total: len(r.Numbers), Columns: []Column{
		{"removal", "removal", InCount},
		{"number", "number", InText},
		{"value", "value", InCount},
		{"unit", "unit", InText},
		{"query", "query", InText},
	}}
	for _, n := range r.Numbers {
		t.Rows = append(t.Rows, []any{known(n.Removal, n.Removal > 0), n.Words, n.Value, nonEmpty(n.Unit), n.SQL})
	}
	return t
}
