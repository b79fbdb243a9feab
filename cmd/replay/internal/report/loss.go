package report

import (
	"fmt"
	"html/template"
	"slices"
	"time"

	"tracereplay/analysis"
	"tracereplay/analysis/postmortem"
)

// withLoss puts what the recorded losses cost before all other sections, where
// one destroyed output that was needed.
func withLoss(r *analysis.Report, all []section) []section {
	if r.Story.Verdict != analysis.Lost {
		return all
	}
	loss := section{
		id: "loss", title: "What the recorded losses cost", plots: []string{"timeline", "chain"}, told: r.Told,
		lead: "Above, what ran on each machine: what ran again, and what was cut off. Below, the way back: why work that had been finished long before had to run again. " +
			"Each number with the query that gives it is in the notes; replay explain tells more." + closer(r),
		table: func(r *analysis.Report) []analysis.Table { return []analysis.Table{r.RemovalTable()} },
	}
	if r.Chain.Empty != "" {
		loss.plots = loss.plots[:1]
	}
	all = slices.DeleteFunc(all, func(s section) bool { return s.id == "removals" })
	return append([]section{loss}, all...)
}

// closer is the command that shows the losses closely, where they are a small
// part of the run.
func closer(r *analysis.Report) string {
	if len(r.Timeline.Losses) == 0 {
		return ""
	}
	from, to := r.Timeline.Losses[0].GoneMs, r.Timeline.Losses[0].NoticedMs
	for _, l := range r.Timeline.Losses {
		from, to = min(from, l.GoneMs), max(to, l.NoticedMs, l.ToMs)
	}
	if 6*(to-from) > r.In.App.ToMs-r.In.App.FromMs {
		return ""
	}
	room := max((to-from)/2, 1000)
	at := func(ms int64) string { return r.In.Clock.At(ms).Format(time.RFC3339) }
	return " Closer: replay plot timeline trace.duckdb --from " + at(max(from-room, r.In.App.FromMs)) + " --to " + at(min(to+room, r.In.App.ToMs)) + " -o closer.svg"
}

// numberView is a number of the losses with the line that asks for it again.
type numberView struct {
	Removal string
	Words   string
	Value   template.HTML
	Line    string
}

func numberViews(r *analysis.Report) []numberView {
	t := r.NumberTable()
	var out []numberView
	for i, n := range r.Numbers {
		v := numberView{Words: n.Words, Line: postmortem.CommandLine("trace.duckdb", n.SQL)}
		if n.Removal > 0 {
			v.Removal = fmt.Sprint(n.Removal)
		}
		v.Value = valueHTML(fmt.Sprintf("%s[%d].value", t.Name, i), fmt.Sprintf("%d %s", n.Value, n.Unit), n.Value)
		out = append(out, v)
	}
	return out
}
