package report

import (
	"encoding/json"
	"fmt"
	"io"

	"tracereplay/analysis"
	"tracereplay/internal/human"
)

// Summary writes every figure of the page by its name, and its tables as lists
// of records. Keys are sorted; values are in base units, null is not known.
func Summary(w io.Writer, r *analysis.Report) error {
	all := map[string]any{
		"verdict":   string(r.Story.Verdict),
		"paragraph": r.Story.Plain(),
		"caveats":   nonNil(r.Story.Caveats),
		"command":   harmless(r.In.Command),
	}
	for _, f := range r.Figures.All() {
		all[f.Name] = harmless(f.Value)
	}
	for _, t := range r.Tables() {
		if _, ok := all[t.Name]; ok {
			return fmt.Errorf("summary.json: %s is the name of a figure and of a table", t.Name)
		}
		all[t.Name] = records(t)
	}
	curves(all, r)
	text, err := json.MarshalIndent(all, "", " ") // maps come out sorted
	if err != nil {
		return fmt.Errorf("summary.json: %w", err)
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// records are the rows of a table.
func records(t analysis.Table) []map[string]any {
	out := t.Records()
	for _, r := range out {
		for name, v := range r {
			r[name] = harmless(v)
		}
	}
	return out
}

// harmless makes names of the log as short and quiet here as on the page.
func harmless(v any) any {
	if s, ok := v.(string); ok {
		return human.Cut(s, maxName)
	}
	return v
}

func nonNil(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

// curves adds what the figures draw, so that they can be drawn again.
func curves(all map[string]any, r *analysis.Report) {
	all["banked_worst"] = steps(r.Banked.Worst)
	all["banked_mean"] = steps(r.Banked.Mean)
	progress := []map[string]any{}
	for _, p := range r.Progress.Points {
		progress = append(progress, map[string]any{"at_ms": p.AtMs, "reported_share": p.Reported, "safe_share": p.Safe})
	}
	all["progress"] = progress
	for _, q := range r.Spread.Curves {
		all["spread_"+q.Kind+"_percentiles_recompute_ms"] = q.At
	}
}

func steps(all []analysis.Step) []map[string]any {
	out := []map[string]any{}
	for _, s := range all {
		m := map[string]any{
			"from_ms": s.FromMs, "to_ms": s.ToMs, "in_flight_ms": s.Parts.InFlight, "owed_ms": s.Parts.Owed,
			"climb_ms": s.Parts.Climb, "cached_ms": s.Parts.Cached,
		}
		if s.Unit != "" {
			m["unit"] = harmless(s.Unit)
		} else {
			m["units"] = s.Units
		}
		out = append(out, m)
	}
	return out
}
