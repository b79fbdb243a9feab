package analysis

import (
	"fmt"
	"slices"
	"strings"

	"tracereplay/internal/human"
	"tracereplay/internal/table"
)

// ChainLink is one round of the way back that a removal's re-runs took.
type ChainLink struct {
	Removal          int64
	Dataset          int64
	Name             string
	Level            int64
	For              string // datasets that are made from it and ran again, too
	IsOwed           bool   // readers that had still to end waited for it
	Readers          string // their stages
	Pieces           int64
	Partitions       table.I64
	MadeFrom, MadeTo int64 // the first runs had been reported finished
	FromMs, ToMs     int64 // second runs
	AgainMs          int64
	Stages           string // of the second runs
}

// Chain is the climb: what readers waited for, what that was made from, and so
// on, back to the oldest work that ran again.
type Chain struct {
	Axis     Axis
	Removals []ChainRemoval // the costliest first
	More     int            // removals with a chain that found no room
	Empty    string
}

// ChainRemoval is the climb of one removal.
type ChainRemoval struct {
	Axis  Axis
	Mark  Mark
	Title string
	Rows  []ChainRow // the readers first, the oldest work last
	More  int        // rows that found no room
}

// ChainRow is a bar of the first runs, one of the second, and what they were.
type ChainRow struct {
	Label            string
	Words            string
	For              int   // the row that was made from it
	MadeFrom, MadeTo int64 // of the first runs; of readers: none
	FromMs, ToMs     int64 // of the second runs; of readers: their wait
	IsReader         bool
	Hover            []string
}

const (
	maxChainRemovals = 2
	maxChainRows     = 12
	maxChainWords    = 240
)

func chain(in *Inputs) Chain {
	c := Chain{Axis: axis(in)}
	order := slices.Clone(in.Removals)
	slices.SortStableFunc(order, compareRemovals)
	for _, r := range order {
		var links []ChainLink
		for _, l := range in.Chain {
			if l.Removal == r.Removal {
				links = append(links, l)
			}
		}
		if len(links) == 0 || in.Unit != "" && (in.Kind != r.UnitKind || in.Unit != r.Unit) {
			continue
		}
		if len(c.Removals) == maxChainRemovals {
			c.More++
			continue
		}
		rows := chainRows(links, goneBy(r), r.NoticedMs, in.Clock)
		cr := ChainRemoval{
			Rows: rows, Mark: Mark{goneBy(r), r.UnitKind, r.Unit, removalWords(r, in.Clock), false},
			Title: fmt.Sprintf("removal %d: %s %s %s", r.Removal, r.UnitKind, human.CutMiddle(human.Clean(r.Unit), 40), shortVerb(r.Kind)),
		}
		if len(rows) > maxChainRows {
			cr.Rows, cr.More = rows[:maxChainRows], len(rows)-maxChainRows
		}
		cr.Axis = chainAxis(in, cr)
		c.Removals = append(c.Removals, cr)
	}
	if len(c.Removals) == 0 {
		c.Empty = "No finished output that a removal destroyed ran again."
	}
	return c
}

func shortVerb(kind string) string {
	switch kind {
	case "withdrawal":
		return "was withdrawn"
	case "release":
		return "was released"
	case "exit":
		return "died"
	}
	return "was lost"
}

// chainAxis spans the rows, with some room, unless a view is asked for.
func chainAxis(in *Inputs, r ChainRemoval) Axis {
	a := axis(in)
	if in.View.ToMs > in.View.FromMs {
		return a
	}
	from, to := r.Mark.AtMs, r.Mark.AtMs
	for _, row := range r.Rows {
		if !row.IsReader {
			from = min(from, row.MadeFrom)
		}
		to = max(to, row.ToMs)
	}
	room := max((to-from)/20, 500)
	return Axis{FromMs: max(a.FromMs, from-room), ToMs: min(max(a.ToMs, to), to+room), Clock: a.Clock}
}

// chainRows are the readers, then the links by level.
func chainRows(links []ChainLink, gone, noticed int64, c human.Clock) []ChainRow {
	var rows []ChainRow
	var until int64
	var readers, waited []string
	for _, l := range links {
		if l.IsOwed {
			until = max(until, l.ToMs)
			for _, s := range strings.Split(l.Readers, ", ") {
				if s != "" && !slices.Contains(readers, s) {
					readers = append(readers, s)
				}
			}
			waited = append(waited, fmt.Sprintf("shuffle %d", l.Dataset))
		}
	}
	slices.SortFunc(readers, human.Compare)
	if until > 0 {
		words := fmt.Sprintf("%s waited for %s", stageWords(readers), listed(waited, 6))
		rows = append(rows, ChainRow{
			Label: "readers", Words: human.Cut(words, maxChainWords), FromMs: noticed, ToMs: max(until, noticed), IsReader: true,
			Hover: []string{human.Cut(words, maxChainWords), c.Time(noticed) + " to " + c.Time(until)},
		})
	}
	at := make(map[string]int)
	for _, l := range links {
		row := linkRow(l, gone, c)
		for _, d := range strings.Split(l.For, ", ") {
			row.For = max(row.For, at[d])
		}
		at[fmt.Sprint(l.Dataset)] = len(rows)
		rows = append(rows, row)
	}
	return rows
}

func linkRow(l ChainLink, gone int64, c human.Clock) ChainRow {
	pieces := human.Count(l.Pieces)
	if l.Partitions.OK && l.Partitions.V >= l.Pieces {
		pieces += " of " + human.Count(l.Partitions.V)
	}
	why := "to make shuffle " + l.For + " again"
	if l.IsOwed {
		why = stageWords(strings.FieldsFunc(l.Readers, func(r rune) bool { return r == ',' || r == ' ' })) + " waited for it"
	}
	words := fmt.Sprintf("%s: %s finished pieces were lost, the oldest finished %s before; run again in %s of slot time",
		why, pieces, human.Duration(max(gone-l.MadeFrom, 0)), human.Duration(l.AgainMs))
	return ChainRow{
		Label: fmt.Sprintf("shuffle %d", l.Dataset), Words: human.Cut(words, maxChainWords), MadeFrom: l.MadeFrom, MadeTo: l.MadeTo, FromMs: l.FromMs, ToMs: l.ToMs,
		Hover: []string{
			fmt.Sprintf("shuffle %d: %s", l.Dataset, human.Cut(l.Name, 200)), "first runs finished " + c.Time(l.MadeFrom) + " to " + c.Time(l.MadeTo),
			"run again " + c.Time(l.FromMs) + " to " + c.Time(l.ToMs) + " in stage " + human.Cut(l.Stages, 100),
		},
	}
}

func stageWords(stages []string) string {
	switch len(stages) {
	case 0:
		return "readers"
	case 1:
		return "stage " + stages[0]
	}
	return "stages " + listed(stages, 8)
}

// listed joins at most n of the words.
func listed(s []string, n int) string {
	if len(s) > n {
		return strings.Join(s[:n], ", ") + fmt.Sprintf(" and %d more", len(s)-n)
	}
	if len(s) > 1 {
		return strings.Join(s[:len(s)-1], ", ") + " and " + s[len(s)-1]
	}
	return strings.Join(s, "")
}
