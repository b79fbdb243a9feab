package report

import (
	"strings"

	"tracereplay/analysis"
	"tracereplay/internal/human"
)

// section is one part of the page below the paragraph.
type section struct {
	id     string
	title  string
	lead   string   // how to read it, in one or two sentences
	plots  []string // names of figures
	table  func(*analysis.Report) []analysis.Table
	folded bool     // the table is shown on demand
	told   []string // paragraphs below the figures
}

// sections are the parts of the page in their order, the paragraph before and
// the notes behind them left out. Kind is the kind of unit that figures are of.
func sections(kind string) []section {
	return []section{
		{
			id: "heatmap", title: "What losing each " + kind + " would have cost, over time", plots: []string{"heatmap"},
			lead:  "Each row is a " + kind + ", each cell a stretch of time: the stronger its colour, the more slot time would have been redone if it had been taken at that stretch's worst instant. Point at a cell for its numbers.",
			table: worstTables, folded: true,
		},
		{
			id: "banked", title: "Banked work over time", plots: []string{"banked"},
			lead: "Work that stands on one unit and would have to be done again. Grey is what runs at the moment. Everything in colour had been reported finished.",
		},
		{
			id: "progress", title: "Reported progress against safe progress", plots: []string{"progress"},
			lead: "The upper line is what the engine's progress bar counts as done. The lower line is what no single removal could have undone at that moment.",
		},
		{
			id: "distribution", title: "How bad a random removal would have been", plots: []string{"distribution"},
			lead: "Read upwards from a cost: the share of removals, at random instants of random units, that would have cost no more than that. The marks are the half-way point and 95 %.",
		},
		{
			id: "delay", title: "How much later the run would have ended", plots: []string{"delay"},
			lead: "Slot time is not delay: here the run is simulated with one " + kind + " lost at each moment, and with none. Late losses hurt most where little work is left to run beside the repair.",
		},
		{
			id: "rounds", title: "Rounds and jobs over time", plots: []string{"rounds"},
			lead: "When stages and jobs ran. What ran again although it had succeeded before is marked in its own colour.",
		},
		{
			id: "residence", title: "Where the bytes stood", plots: []string{"residence", "workers"},
			lead:  "Outputs and cached blocks by machine. A worker that is idle may still hold what others need: only the free ones can be released without harm.",
			table: func(r *analysis.Report) []analysis.Table { return []analysis.Table{r.StorageTable()} },
		},
		{
			id: "exposure", title: "What to make durable first", plots: []string{"exposure"},
			lead:  "The shuffles and caches that carried most risk: slot time banked in them, times how long it waited for its last reader.",
			table: func(r *analysis.Report) []analysis.Table { return []analysis.Table{r.ExposureTable()} },
		},
		{
			id: "removals", title: "Recorded removals",
			lead:  "What left during the run, the costliest first. The command replay explain tells why each piece ran again.",
			table: func(r *analysis.Report) []analysis.Table { return []analysis.Table{r.RemovalTable()} },
		},
	}
}

func worstTables(r *analysis.Report) []analysis.Table {
	var out []analysis.Table
	for _, kind := range []string{analysis.Machine, analysis.Worker, analysis.Service} {
		if t := r.WorstTable(kind); len(t.Rows) > 0 {
			out = append(out, t)
		}
	}
	return out
}

func appName(r *analysis.Report) string {
	if r.In.App.Name != "" {
		return r.In.App.Name
	}
	return r.In.App.ID
}

// facts are the run in one line.
func facts(r *analysis.Report) string {
	a := r.In.App
	var parts []string
	add := func(s string) {
		if s != "" {
			parts = append(parts, s)
		}
	}
	add(human.Cut(a.ID, 100))
	add(strings.TrimSpace(human.Cut(title(a.Engine)+" "+a.Version, 60)))
	add(human.Cut(a.Manager, 40))
	add(r.In.Clock.Range(a.FromMs, a.ToMs) + " (" + human.Duration(a.ToMs-a.FromMs) + ")")
	add(counted(r, "machines", "machine"))
	add(counted(r, "workers", "worker"))
	add(counted(r, "jobs", "job"))
	add(counted(r, "tasks", "task"))
	add(human.Duration(a.SlotMs) + " of slot time")
	return strings.Join(parts, " · ")
}

func counted(r *analysis.Report, name, one string) string {
	n, _ := r.Figures.Get(name).Value.(int64)
	return human.Counted(n, one, one+"s")
}

func title(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// cellText writes a value of a table for people.
func cellText(r *analysis.Report, c analysis.Column, v any) string {
	if v == nil {
		return "–"
	}
	clock := r.In.Clock.Within(r.In.App.FromMs, r.In.App.ToMs)
	return analysis.Figure{Name: c.Name, Unit: c.Unit, Value: v}.Text(clock)
}
