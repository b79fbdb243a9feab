package analysis

import (
	"cmp"
	"slices"

	"tracereplay/internal/table"
)

// Table is rows of values with names and units: the page, the markdown and
// summary.json write the same one.
type Table struct {
	Name    string // in summary.json
	Title   string // "" where the section's own is enough
	Columns []Column
	Rows    [][]any // int64, float64, string or nil
	Total   int     // rows that there are; Rows may be the first of them
}

// Column is one column of a table.
type Column struct {
	Name  string // in summary.json, with its unit
	Title string // on the page
	Unit  UnitOf
}

// Records are the rows as summary.json has them.
func (t Table) Records() []map[string]any {
	out := make([]map[string]any, len(t.Rows))
	for i, row := range t.Rows {
		out[i] = make(map[string]any, len(row))
		for j, c := range t.Columns {
			out[i][c.Name] = row[j]
		}
	}
	return out
}

// opt is the value of an optional one.
func opt[T any](v table.Opt[T]) any { return known(v.V, v.OK) }

// nonEmpty is text, or nil where the log does not say.
func nonEmpty(s string) any { return known(s, s != "") }

// maxWorstRows is how many units the page lists.
const maxWorstRows = 10

// WorstTable lists the units of a kind, the worst first.
func (r *Report) WorstTable(kind string) Table {
	t := Table{Name: "worst_" + kind + "s", Title: "The worst instant of each " + kind, Columns: []Column{
		{"unit", kind, InText},
		{"moment_ms", "worst at", InInstant},
		{"recompute_ms", "to redo", InSlotMs},
		{"recompute_low_ms", "at least", InSlotMs},
		{"in_flight_ms", "in flight", InSlotMs},
		{"owed_ms", "owed", InSlotMs},
		{"climb_ms", "climb", InSlotMs},
		{"cached_ms", "cached", InSlotMs},
		{"outputs", "outputs", InCount},
		{"oldest_lost_age_ms", "oldest finished before", InMs},
		{"known", "known", InText},
	}}
	var all []Worst
	for i := range r.In.Worst {
		if r.In.Worst[i].UnitKind == kind && !r.In.Worst[i].IsCoordinatorsHost {
			all = append(all, worstOf(&r.In.Worst[i]))
		}
	}
	slices.SortFunc(all, compareWorst)
	t.Total = len(all)
	for _, w := range all[:min(len(all), maxWorstRows)] {
		t.Rows = append(t.Rows, []any{
			w.Unit, w.MomentMs, whole(w.Parts.Sum()), w.LowMs, whole(w.Parts.InFlight), whole(w.Parts.Owed), whole(w.Parts.Climb),
			whole(w.Parts.Cached), w.Outputs, w.OldestMs, w.Known,
		})
	}
	return t
}

// ExposureTable lists what to make durable first.
func (r *Report) ExposureTable() Table {
	t := Table{Name: "exposure_rows", Total: r.Exposures.Total, Columns: []Column{
		{"dataset", "dataset", InCount},
		{"kind", "kind", InText},
		{"stage", "stage", InCount},
		{"name", "made by", InText},
		{"outputs", "outputs", InCount},
		{"bytes", "size", InBytes},
		{"slot_ms", "took", InSlotMs},
		{"held_ms", "waited for its last reader", InMs},
		{"risk_share", "share of all risk", InShare},
		{"run_recompute_ms", "adds to a run at 1 loss an hour", InSlotMs},
	}}
	for _, x := range r.Exposures.Rows {
		t.Rows = append(t.Rows, []any{
			x.Dataset, x.Kind, opt(x.Stage), x.Name, x.Outputs, x.Bytes, x.SlotMs, x.HeldMs, share(x.Exposure, r.Exposures.Sum), x.RunMs,
		})
	}
	return t
}

// maxRemovalRows is how many removals the page lists.
const maxRemovalRows = 50

// RemovalTable lists the recorded removals, the costliest first, then in log
// order.
func (r *Report) RemovalTable() Table {
	t := Table{Name: "removal_rows", Total: len(r.In.Removals), Columns: []Column{
		{"removal", "no.", InCount},
		{"kind", "kind", InText},
		{"unit_kind", "of a", InText},
		{"unit", "unit", InText},
		{"instant_ms", "gone by", InInstant},
		{"noticed_after_ms", "noticed after", InMs},
		{"cause", "cause", InText},
		{"lost_outputs", "outputs lost", InCount},
		{"needed_outputs", "still needed", InCount},
		{"in_flight_ms", "in flight", InSlotMs},
		{"pieces_again", "pieces run again", InCount},
		{"again_ms", "took again", InSlotMs},
		{"rerun_ms", "cost in all", InSlotMs},
		{"oldest_lost_age_ms", "oldest finished before", InMs},
		{"reason", "in the log's words", InText},
	}}
	all := slices.Clone(r.In.Removals)
	slices.SortStableFunc(all, compareRemovals)
	for _, x := range all[:min(len(all), maxRemovalRows)] {
		t.Rows = append(t.Rows, []any{
			x.Removal, x.Kind, x.UnitKind, x.Unit, goneBy(x), max(0, x.NoticedMs-goneBy(x)), x.Cause, x.LostOutputs, x.NeededOutputs, x.InFlightMs,
			x.PiecesAgain, againMs(x), x.RerunMs, opt(x.OldestLostAgeMs), opt(x.Reason),
		})
	}
	return t
}

// StorageTable lists what kept the outputs.
func (r *Report) StorageTable() Table {
	t := Table{Name: "storage", Total: len(r.In.Storage), Columns: []Column{
		{"dies_with", "lost with the", InText},
		{"holders", "holders", InCount},
		{"outputs", "outputs", InCount},
		{"cached_blocks", "cached blocks", InCount},
		{"evidence", "because", InText},
	}}
	for _, s := range r.In.Storage {
		t.Rows = append(t.Rows, []any{s.DiesWith, s.Holders, s.Outputs, s.Blocks, nonEmpty(s.Evidence)})
	}
	return t
}

// ProblemTable counts what was wrong with the input.
func (r *Report) ProblemTable() Table {
	t := Table{Name: "problem_kinds", Total: len(r.In.Problems), Columns: []Column{
		{"kind", "kind", InText},
		{"problems", "how many", InCount},
		{"skipped_bytes", "not used", InBytes},
		{"example", "the first of them", InText},
	}}
	for _, p := range r.In.Problems {
		t.Rows = append(t.Rows, []any{p.Kind, p.Count, p.SkippedBytes, nonEmpty(p.Example)})
	}
	return t
}

// CheckTable lists the laws that were checked, those that were broken first.
func (r *Report) CheckTable() Table {
	t := Table{Name: "check_rows", Total: len(r.In.Checks), Columns: []Column{
		{"check", "law", InText},
		{"violations", "broken", InCount},
		{"detail", "first case", InText},
	}}
	all := slices.Clone(r.In.Checks)
	slices.SortStableFunc(all, func(a, b Check) int { return cmp.Compare(b.Violations, a.Violations) })
	for _, c := range all {
		t.Rows = append(t.Rows, []any{c.Name, c.Violations, nonEmpty(c.Detail)})
	}
	return t
}

// Tables are all tables of the page, in its order.
func (r *Report) Tables() []Table {
	return append([]Table{
		r.WorstTable(Machine), r.WorstTable(Worker), r.WorstTable(Service), r.ExposureTable(), r.RemovalTable(), r.StorageTable(), r.ProblemTable(), r.CheckTable(),
		r.NumberTable(),
	}, append(r.StreamTables(), r.PolicyTables()...)...)
}
