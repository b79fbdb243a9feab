package streaming

import (
	"fmt"
	"slices"
	"strings"

	"tracereplay/internal/human"
	"tracereplay/replay/result"
	"tracereplay/replay/width"
)

// FiniteText says why a job without streaming queries has no width to speak of.
const FiniteText = "No streaming query ran: a finite job keeps no state from one round to the next, so a change of the number of " +
	"workers has nothing to move. More workers take new pieces at once; fewer take their finished, still needed outputs with them, " +
	"which is what replay blast measures."

// WidthText says in one sentence per query what a change of width costs. Rows
// are those of Widths.
func WidthText(rows []result.Width) []string {
	var out []string
	for len(rows) > 0 {
		n := slices.IndexFunc(rows, func(w result.Width) bool { return w.Query != rows[0].Query })
		if n < 0 {
			n = len(rows)
		}
		out = append(out, widthSentence(rows[:n]))
		rows = rows[n:]
	}
	return out
}

func widthSentence(rows []result.Width) string {
	w := rows[0]
	start := fmt.Sprintf("Query %s, from %s to %s: ", queryName(w.Query, w.Name.V), human.Counted(w.FromWorkers, "worker", "workers"), human.Count(w.ToWorkers))
	if w.FromWorkers == w.ToWorkers {
		return start + "nothing changes."
	}
	if w.StateBytes.OK && w.StateBytes.V == 0 && !w.MovedPartitions.OK {
		return start + "it keeps no state, so nothing moves under any rule, and the pause is start-up alone:" + strings.TrimPrefix(pauseWords(w), " for") + "."
	}
	var b strings.Builder
	b.WriteString(start)
	for i, r := range rows {
		switch {
		case i == 0:
			b.WriteString(engineWords(r))
		case i == 1:
			b.WriteString("; routing " + otherWords(r))
		default:
			b.WriteString(", " + otherWords(r))
		}
	}
	b.WriteString(".")
	return b.String()
}

// engineWords tell what the engine's own rule moves, and what that costs.
func engineWords(w result.Width) string {
	if !w.Partitions.OK {
		return "the log does not tell how many partitions the state has, so not what the engine's own rule would move"
	}
	s := fmt.Sprintf("the engine would re-assign %s of the %s that the checkpoint has for life, %s of the keys",
		human.Count(w.MovedPartitions.V), human.Counted(w.Partitions.V, "state partition", "state partitions"), human.Share(w.MovedShare))
	if w.MovedBytes.OK {
		s += " and " + human.Bytes(w.MovedBytes.V)
	}
	if idle := w.ToWorkers - w.Partitions.V; idle > 0 {
		s += ", with nothing for " + human.Counted(idle, "worker", "workers")
	}
	return s + "," + pauseWords(w)
}

// otherWords tell what another rule would move.
func otherWords(w result.Width) string {
	by := map[width.Rule]string{width.Modulo: "by hash modulo the number of workers", width.Consistent: "by consistent hashing"}[width.Rule(w.Rule)]
	if width.Rule(w.Rule) == width.KeyGroups {
		by = "by " + human.Counted(w.Partitions.V, "key group", "key groups")
	}
	if width.Rule(w.Rule) == width.Modulo {
		by += " would move"
	}
	return by + " " + human.Share(w.MovedShare)
}

// pauseWords are how long a change stops a query.
func pauseWords(w result.Width) string {
	if !w.PauseMs.OK {
		return " for a pause that is not known" + whyNoPause(w)
	}
	s := fmt.Sprintf(" for a pause of %s (%s for the running batch, %s to transfer, %s to start)", human.Duration(w.PauseMs.V),
		human.Duration(w.QuiesceMs.V), human.Duration(w.TransferMs.V), human.Duration(w.StartupMs.V))
	if w.BacklogRows.OK {
		s += ", in which " + human.Counted(w.BacklogRows.V, "row piles up", "rows pile up")
		if w.CatchUpMs.OK {
			s += ", caught up in " + human.Duration(w.CatchUpMs.V)
		} else if w.ProcessedRowsPerS.OK {
			s += ", never caught up"
		}
	}
	return s
}

func whyNoPause(w result.Width) string {
	switch {
	case !w.StartupMs.OK:
		return " (the log has no second batch to tell a start-up by)"
	case !w.TransferMs.OK:
		return " (the log does not tell the size of the state)"
	default:
		return ""
	}
}

// queryName is a query by its name, else by the beginning of its id.
func queryName(id, name string) string {
	if name != "" {
		return human.Cut(name, 60)
	}
	return human.Cut(id, 36)
}
