package postmortem

import (
	_ "embed"
	"strconv"
	"strings"

	"tracereplay/internal/table"
	"tracereplay/replay/result"
)

//go:embed numbers.sql
var numbersSQL string

// Number is a number of the postmortem, with the question that it answers.
type Number struct {
	Removal int64 // 0: of the run
	Words   string
	Unit    string // as tables have it: "" a count, "slot ms", "ms", "bytes"
	Value   int64
	SQL     string
}

// Numbers are those of the paragraphs, in their order, then the totals. App is
// the application, or "" where the trace has no other.
func Numbers(in Input, app string) []Number {
	q := questions{statements: statements(), app: appCondition(app)}
	costly, harmless := split(in.Removals)
	var out []Number
	for _, r := range costly[:min(len(costly), MaxParagraphs)] {
		out = append(out, q.removal(r)...)
		out = append(out, q.chain(r, in.Chain)...)
	}
	return append(out, q.totals(in, harmless)...)
}

// questions writes statements.
type questions struct {
	statements map[string]string
	app        string
}

func (q questions) ask(name string, replace ...string) string {
	return strings.NewReplacer(append(replace, "{app}", q.app)...).Replace(q.statements[name])
}

// appCondition restricts a statement to an application.
func appCondition(app string) string {
	if app == "" {
		return ""
	}
	return " AND app = '" + strings.ReplaceAll(app, "'", "''") + "'"
}

// statements are the statements of numbers.sql, by name.
func statements() map[string]string {
	out := make(map[string]string)
	for block := range strings.SplitSeq(numbersSQL, "\n\n") {
		if rest, ok := strings.CutPrefix(block, "-- number: "); ok {
			name, text, _ := strings.Cut(rest, "\n")
			out[name] = strings.TrimSpace(text)
		}
	}
	return out
}

// field is a number of a removal that its paragraph tells.
type field struct {
	column string
	value  func(result.Removal) table.I64
}

func known(f func(result.Removal) int64) func(result.Removal) table.I64 {
	return func(r result.Removal) table.I64 { return table.Some(f(r)) }
}

// fields are in the order of the paragraph.
func fields() []field {
	return []field{
		{"workers", known(func(r result.Removal) int64 { return r.Workers })},
		{"resident_outputs", known(func(r result.Removal) int64 { return r.ResidentOutputs })},
		{"lost_outputs", known(func(r result.Removal) int64 { return r.LostOutputs })},
		{"needed_outputs", known(func(r result.Removal) int64 { return r.NeededOutputs })},
		{"needed_ms", known(func(r result.Removal) int64 { return r.NeededMs })},
		{"oldest_lost_age_ms", func(r result.Removal) table.I64 { return r.OldestLostAgeMs }},
		{"cached_blocks", known(func(r result.Removal) int64 { return r.CachedBlocks })},
		{"cached_readers", known(func(r result.Removal) int64 { return r.CachedReaders })},
		{"cached_readers_ms", known(func(r result.Removal) int64 { return r.CachedReadersMs })},
		{"poison_workers", known(func(r result.Removal) int64 { return r.PoisonWorkers })},
		{"moved_outputs", known(func(r result.Removal) int64 { return r.MovedOutputs })},
		{"pieces_again", known(func(r result.Removal) int64 { return r.PiecesAgain })},
		{"owed_tasks", known(func(r result.Removal) int64 { return r.OwedTasks })},
		{"owed_ms", known(func(r result.Removal) int64 { return r.OwedMs })},
		{"climb_tasks", known(func(r result.Removal) int64 { return r.ClimbTasks })},
		{"climb_ms", known(func(r result.Removal) int64 { return r.ClimbMs })},
		{"pieces_unmade", known(func(r result.Removal) int64 { return r.PiecesUnmade })},
		{"left_cut_off", known(func(r result.Removal) int64 { return r.LeftCutOff })},
		{"left_failed", known(func(r result.Removal) int64 { return r.LeftFailed })},
		{"unneeded_tasks", known(func(r result.Removal) int64 { return r.UnneededTasks })},
		{"unneeded_ms", known(func(r result.Removal) int64 { return r.UnneededMs })},
		{"rollback_tasks", known(func(r result.Removal) int64 { return r.RollbackTasks })},
		{"rollback_ms", known(func(r result.Removal) int64 { return r.RollbackMs })},
		{"in_flight_tasks", known(func(r result.Removal) int64 { return r.InFlightTasks })},
		{"in_flight_ms", known(func(r result.Removal) int64 { return r.InFlightMs })},
		{"fetch_failures", known(func(r result.Removal) int64 { return r.FetchFailures })},
		{"interrupted_tasks", known(func(r result.Removal) int64 { return r.InterruptedTasks })},
		{"interrupted_ms", known(func(r result.Removal) int64 { return r.InterruptedMs })},
		{"noticed_ms - gone_low_ms", noticedAfter},
		{"repair_begin_ms - noticed_ms", func(r result.Removal) table.I64 {
			return table.I64{V: r.RepairBeginMs.V - r.NoticedMs, OK: r.RepairBeginMs.OK}
		}},
		{"repair_end_ms - repair_begin_ms", func(r result.Removal) table.I64 {
			return table.I64{V: r.RepairEndMs.V - r.RepairBeginMs.V, OK: r.RepairBeginMs.OK && r.RepairEndMs.OK}
		}},
		{"requeued_outputs", known(func(r result.Removal) int64 { return r.RequeuedOutputs })},
		{"stale_readers", known(func(r result.Removal) int64 { return r.StaleReaders })},
		{"host_unregistered", known(func(r result.Removal) int64 { return r.HostUnregistered })},
		{"duplicate_tasks", known(func(r result.Removal) int64 { return r.DuplicateTasks })},
		{"duplicate_ms", known(func(r result.Removal) int64 { return r.DuplicateMs })},
		{"saved_ms", func(r result.Removal) table.I64 { return r.SavedMs }},
		{"asked_again", known(func(r result.Removal) int64 { return r.AskedAgain })},
		{"start_up_ms", known(func(r result.Removal) int64 { return r.StartUpMs })},
		{"rerun_tasks", known(func(r result.Removal) int64 { return r.RerunTasks })},
		{"rerun_ms", known(func(r result.Removal) int64 { return r.RerunMs })},
	}
}

func noticedAfter(r result.Removal) table.I64 {
	return table.I64{V: r.NoticedMs - r.GoneLowMs.V, OK: r.GoneLowMs.OK}
}

// differences are the fields that are no column.
func differences() map[string][2]string { // words and unit
	return map[string][2]string{
		"noticed_ms - gone_low_ms":        {"noticed at most so long after it was gone", "ms"},
		"repair_begin_ms - noticed_ms":    {"from notice to the begin of the repair", "ms"},
		"repair_end_ms - repair_begin_ms": {"the repair", "ms"},
	}
}

// removal asks for what the paragraph of a removal tells; what is nothing is
// not told.
func (q questions) removal(r result.Removal) []Number {
	var out []Number
	for _, f := range fields() {
		v := f.value(r)
		if !v.OK || v.V == 0 {
			continue
		}
		n := Number{Removal: r.Removal, Value: v.V, SQL: q.ask("removal", "{column}", f.column, "{removal}", strconv.FormatInt(r.Removal, 10))}
		if d, ok := differences()[f.column]; ok {
			n.Words, n.Unit = d[0], d[1]
		} else {
			n.Words, n.Unit = columnWords(f.column)
		}
		out = append(out, n)
	}
	return out
}

// columnWords are a column's meaning and unit, as the tables declare them.
func columnWords(name string) (words, unit string) {
	for _, c := range result.Removals.Spec.Columns {
		if c.Name == name {
			return name + ": " + c.Doc, c.Unit
		}
	}
	return name, ""
}

// chain asks for the rounds that a removal reached back to.
func (q questions) chain(r result.Removal, links []result.ChainLink) []Number {
	var out []Number
	asked := make(map[int64]bool)
	for _, l := range links {
		if l.Removal != r.Removal || asked[l.Dataset] {
			continue
		}
		asked[l.Dataset] = true
		out = append(out, Number{
			Removal: r.Removal, Words: "pieces of shuffle " + strconv.FormatInt(l.Dataset, 10) + " that ran again", Value: l.Pieces,
			SQL: q.ask("chain", "{removal}", strconv.FormatInt(r.Removal, 10), "{dataset}", strconv.FormatInt(l.Dataset, 10)),
		})
	}
	return out
}

// totals asks for what is told of the whole run.
func (q questions) totals(in Input, harmless []result.Removal) []Number {
	var lost, finished, tasks, saved int64
	for _, r := range in.Removals {
		lost += r.RerunMs
		finished += r.OwedMs + r.ClimbMs + r.UnneededMs + r.RollbackMs
		tasks += r.RerunTasks
		if r.Cause == "idle" {
			saved += r.SavedMs.V
		}
	}
	var out []Number
	add := func(name, words, unit string, v int64) {
		if v != 0 {
			out = append(out, Number{Words: words, Unit: unit, Value: v, SQL: q.ask(name)})
		}
	}
	add("slot_ms", "slot time of the run", "slot ms", in.Story.SlotMs)
	add("removals", "removals", "", int64(len(in.Removals)))
	add("harmless", "removals that cost nothing", "", int64(len(harmless)))
	add("lost_ms", "slot time that went into losses", "slot ms", lost)
	add("finished_ms", "of it, work that had been finished before", "slot ms", finished)
	add("rerun_tasks", "tasks that ran because of losses", "", tasks)
	add("unblamed", "tasks that ran again for failed fetches without a loss", "", unblamed(in))
	add("saved_ms", "slot time that idle releases saved", "slot ms", saved)
	return out
}

// CommandLine asks a number of a trace with the program itself.
func CommandLine(trace, sql string) string {
	return "replay sql " + shellWord(trace) + " " + shellWord(sql)
}

// shellWord quotes a word for a shell.
func shellWord(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return r == '\'' || r == '$' || r == '`' || r == '\\' || r == '!' }) {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	if strings.ContainsAny(s, " ()<>*&|;\"") {
		return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"`
	}
	return s
}
