package postmortem

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tracereplay/internal/human"
	"tracereplay/internal/table"
	"tracereplay/replay/result"
)

// Input is what is known of a run's losses.
type Input struct {
	Story    result.Story
	Removals []result.Removal
	Reruns   []result.Rerun
	Chain    []result.ChainLink
	Clock    human.Clock
}

// Text is the postmortem as paragraphs of plain text.
func Text(in Input) []string {
	in.Clock = in.Clock.Within(in.Story.StartMs, in.Story.EndMs)
	if len(in.Removals) == 0 {
		return append([]string{noLoss(in)}, after(in)...)
	}
	var out, free []string
	costly, harmless := split(in.Removals)
	out = append(out, Paragraphs(in)...)
	if left := costly[min(len(costly), MaxParagraphs):]; len(left) > 0 {
		out = append(out, cheaper(left))
	}
	if len(harmless) > 0 {
		free = append(free, costNothing(in, harmless))
	}
	out = append(out, free...)
	out = append(out, totals(in))
	if text := idle(in); text != "" {
		out = append(out, text)
	}
	if text := noes(in, costly); text != "" {
		out = append(out, text)
	}
	return append(out, after(in)...)
}

// MaxParagraphs is how many removals are told one by one.
const MaxParagraphs = 8

// Paragraphs tell the removals that cost something, the costliest first.
func Paragraphs(in Input) []string {
	costly, _ := split(in.Removals)
	var out []string
	for _, r := range costly[:min(len(costly), MaxParagraphs)] {
		out = append(out, paragraph(in, r))
	}
	return out
}

// cheaper is the one line for the removals behind those that are told.
func cheaper(rs []result.Removal) string {
	var pieces, ms int64
	for _, r := range rs {
		pieces += r.PiecesAgain
		ms += r.RerunMs
	}
	return fmt.Sprintf("%s cost less: together %s run again, %s of slot time. --format csv lists every removal.",
		human.Counted(int64(len(rs)), "further removal", "further removals"), human.Counted(pieces, "finished piece", "finished pieces"), human.Duration(ms))
}

func noLoss(in Input) string {
	return fmt.Sprintf("No worker or machine was lost in this run of %s. What losing one would have cost: replay blast.", human.Duration(in.Story.EndMs-in.Story.StartMs))
}

// split parts the removals that cost something, the costliest first, from the
// others.
func split(all []result.Removal) (costly, harmless []result.Removal) {
	for _, r := range all {
		if r.RerunMs > 0 || r.NeededOutputs > 0 || r.RerunTasks > 0 {
			costly = append(costly, r)
		} else {
			harmless = append(harmless, r)
		}
	}
	slices.SortStableFunc(costly, func(x, y result.Removal) int {
		return cmp.Or(cmp.Compare(y.RerunMs, x.RerunMs), cmp.Compare(y.NeededOutputs, x.NeededOutputs), cmp.Compare(x.Removal, y.Removal))
	})
	return costly, harmless
}

// paragraph tells one removal.
func paragraph(in Input, r result.Removal) string {
	s := append([]string{what(in, r)}, doubts(r)...)
	s = append(s, stood(r)...)
	s = append(s, redone(in, r)...)
	s = append(s, chainWords(in, r)...)
	s = append(s, times(in, r))
	s = append(s, answers(r)...)
	return strings.Join(s, " ")
}

// what happened, in the log's own words.
func what(in Input, r result.Removal) string {
	verb := map[string]string{
		"withdrawal": "was taken away", "release": "was given back by choice", "exit": "died", "unknown": "was lost",
	}[r.Kind]
	text := fmt.Sprintf("[%d] %s%s: %s %s %s", r.Removal, in.Clock.Moment(r.DetectedMs), afterOther(in, r), r.UnitKind, human.Cut(r.Unit, 80), verb)
	if r.Workers > 1 {
		text += fmt.Sprintf(", with %d workers", r.Workers)
	}
	if r.Reason.OK {
		text += fmt.Sprintf(" (%s: %q)", human.Cut(r.Cause, 40), human.Cut(human.Clean(firstLine(r.Reason.V)), 160))
	}
	text += "."
	if r.Kind == "unknown" {
		text += " The log does not say why; it is costed as the death of the worker alone, and a withdrawal of its machine would look the same."
	}
	return text
}

// afterOther tells how closely a loss follows another of its group.
func afterOther(in Input, r result.Removal) string {
	var last *result.Removal
	for i := range in.Removals {
		x := &in.Removals[i]
		if x.Group == r.Group && x.Removal < r.Removal && x.Kind != "release" && r.Kind != "release" {
			last = x
		}
	}
	if last == nil {
		return ""
	}
	return fmt.Sprintf(", %s after [%d]", human.Duration(max(r.DetectedMs-last.DetectedMs, 0)), last.Removal)
}

// doubts name what looks like a loss of a worker and may be none.
func doubts(r result.Removal) []string {
	var out []string
	if r.Cause == "heartbeat" && r.UnitKind == "worker" {
		out = append(out, "No heartbeat came for too long: it may have been alive all the time (a long pause, a full network), and given up without a loss.")
	}
	if r.Cause == "excluded" {
		out = append(out, "The engine had excluded it for failures, and killed it: no loss from outside.")
	}
	return out
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// stood tells what was there.
func stood(r result.Removal) []string {
	if r.ResidentOutputs == 0 && r.CachedBlocks == 0 {
		return []string{"Nothing that had been finished stood there."}
	}
	var out []string
	if r.ResidentOutputs > 0 {
		text := fmt.Sprintf("%s stood there", human.Counted(r.ResidentOutputs, "finished output", "finished outputs"))
		if kept := r.ResidentOutputs - r.LostOutputs; kept > 0 {
			text += fmt.Sprintf(", %s of them also elsewhere", human.Count(kept))
		}
		text += fmt.Sprintf("; %s still needed", wasWere(r.NeededOutputs))
		if r.NeededOutputs > 0 {
			text += fmt.Sprintf(" (%s of slot time", human.Duration(r.NeededMs))
			if r.OldestLostAgeMs.OK {
				text += fmt.Sprintf(", the oldest reported finished %s before", human.Duration(r.OldestLostAgeMs.V))
			}
			text += ")"
		}
		out = append(out, text+".")
	}
	if r.CachedBlocks > 0 {
		text := human.Counted(r.CachedBlocks, "cached block", "cached blocks") + " went with it; they are read again from their source inside the tasks that use them, which no row of the log shows"
		if r.CachedReaders > 0 {
			text += fmt.Sprintf(": %s of such pieces ran %s longer than the others of their stage, an estimate that is in no sum here",
				human.Counted(r.CachedReaders, "reader", "readers"), human.Duration(r.CachedReadersMs))
		}
		out = append(out, text+".")
	}
	if r.MovedOutputs > 0 {
		out = append(out, fmt.Sprintf("%s had been moved off before.", human.Counted(r.MovedOutputs, "output", "outputs")))
	}
	return out
}

func wasWere(n int64) string {
	switch n {
	case 0:
		return "none was"
	case 1:
		return "1 was"
	}
	return human.Count(n) + " were"
}

// redone tells what ran again.
func redone(in Input, r result.Removal) []string {
	var out []string
	if r.PiecesAgain > 0 {
		out = append(out, fmt.Sprintf("%s again in %s of slot time: %s that readers still had to fetch, %s that had to be there again to make others.",
			human.Counted(r.PiecesAgain, "finished piece was run", "finished pieces were run"),
			human.Duration(r.OwedMs+r.ClimbMs+r.UnneededMs+r.RollbackMs), human.Count(r.OwedTasks), human.Count(r.ClimbTasks)))
	}
	if r.PiecesUnmade > 0 {
		out = append(out, fmt.Sprintf("%s of these runs without success before the log ends.", upTo(r.PiecesUnmade, r.PiecesAgain)))
	}
	if left := r.NeededOutputs - r.PiecesAgain; left > 0 {
		out = append(out, fmt.Sprintf("%s never run again%s.", wasWere(left)+" needed and", whyNever(in, r, left)))
	}
	if r.UnneededTasks > 0 {
		out = append(out, fmt.Sprintf("%s of these runs, %s, served nobody: no reader needed them or a copy was alive.", human.Count(r.UnneededTasks), human.Duration(r.UnneededMs)))
	}
	if r.RollbackTasks > 0 {
		out = append(out, fmt.Sprintf("%s because the engine runs that shuffle again in whole.", human.Counted(r.RollbackTasks, "run was", "runs were")))
	}
	if r.InFlightTasks > 0 {
		out = append(out, fmt.Sprintf("%s cut off in flight (%s lost).", human.Counted(r.InFlightTasks, "task was", "tasks were"), human.Duration(r.InFlightMs)))
	}
	if r.InterruptedTasks > 0 || r.FetchFailures > 0 {
		out = append(out, fmt.Sprintf("%s elsewhere failed to fetch (%s lost).", human.Counted(max(r.FetchFailures, r.InterruptedTasks), "reader", "readers"), human.Duration(r.InterruptedMs)))
	}
	return out
}

func upTo(n, all int64) string {
	if n == all {
		return "All"
	}
	return human.Count(n)
}

// whyNever tells why a needed output was not made again.
func whyNever(in Input, r result.Removal, left int64) string {
	cut, failed := min(r.LeftCutOff, left), min(r.LeftFailed, left-min(r.LeftCutOff, left))
	switch {
	case !in.Story.IsEnded:
		return ": the log ends before, and what followed is unknown"
	case cut == left:
		return ": the application ended first"
	case failed == left:
		return ": the job that was to read them failed first"
	case cut+failed == 0:
		return ": no reader came to them"
	}
	var s []string
	if cut > 0 {
		s = append(s, "the application ended before "+human.Count(cut)+" of them")
	}
	if failed > 0 {
		s = append(s, "the job that was to read "+human.Count(failed)+" of them failed first")
	}
	if rest := left - cut - failed; rest > 0 {
		s = append(s, "no reader came to "+human.Count(rest))
	}
	return ": " + strings.Join(s, ", ")
}

// chainWords tells the way back through the rounds.
func chainWords(in Input, r result.Removal) []string {
	var owed, below []string
	for _, c := range in.Chain {
		if c.Removal != r.Removal {
			continue
		}
		link := fmt.Sprintf("shuffle %d (%s, finished %s)", c.Dataset, human.Counted(c.Pieces, "piece", "pieces"), span(in.Clock, c))
		switch {
		case c.Level == 0:
			owed = append(owed, link)
		case c.ForDataset.OK:
			below = append(below, fmt.Sprintf("shuffle %d needed %s", c.ForDataset.V, link))
		}
	}
	if len(owed) == 0 {
		return nil
	}
	text := "Readers waited for " + strings.Join(cutList(owed, 4), " and ")
	if len(below) > 0 {
		text += "; to make them again, " + strings.Join(cutList(below, 6), ", ")
	}
	return []string{text + "."}
}

func span(c human.Clock, l result.ChainLink) string {
	if from, to := c.Time(l.FirstMadeMs), c.Time(l.LastMadeMs); from != to {
		return from + " to " + to
	}
	return "at " + c.Time(l.FirstMadeMs)
}

func cutList(s []string, n int) []string {
	if len(s) <= n {
		return s
	}
	return append(s[:n:n], fmt.Sprintf("%d more", len(s)-n))
}

// times tells when it was gone, noticed, and repaired.
func times(in Input, r result.Removal) string {
	var s []string
	if r.GoneLowMs.OK && r.NoticedMs > r.GoneLowMs.V {
		s = append(s, fmt.Sprintf("noticed at most %s after it was gone", human.Duration(r.NoticedMs-r.GoneLowMs.V)))
	} else {
		s = append(s, "noticed at "+in.Clock.Moment(r.NoticedMs))
	}
	if r.RepairBeginMs.OK && r.RepairEndMs.OK {
		s = append(s, fmt.Sprintf("repair began %s later and took %s", human.Duration(max(r.RepairBeginMs.V-r.NoticedMs, 0)), human.Duration(r.RepairEndMs.V-r.RepairBeginMs.V)))
	}
	text := capital(strings.Join(s, ", ")) + "."
	if r.DelayMs.OK && r.DelayMs.V > 0 {
		text += fmt.Sprintf(" The run ended about %s later because of it (simulated).", human.Duration(r.DelayMs.V))
	}
	return text
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// answers are to questions that are asked in every postmortem.
func answers(r result.Removal) []string {
	var out []string
	if r.RequeuedOutputs > 0 {
		out = append(out, fmt.Sprintf("The running stage re-queued %s at once.", human.Counted(r.RequeuedOutputs, "ended task", "ended tasks")))
	}
	if r.StaleReaders > 0 {
		out = append(out, fmt.Sprintf("%s launched after the loss still went to the old place: stale locations.", human.Counted(r.StaleReaders, "reader", "readers")))
	}
	if r.HostUnregistered > 0 {
		out = append(out, fmt.Sprintf("%s of other workers of the host were given up with it.", human.Counted(r.HostUnregistered, "output", "outputs")))
	}
	if r.DuplicateTasks > 0 {
		out = append(out, fmt.Sprintf("%s twice at the same time (%s).", human.Counted(r.DuplicateTasks, "piece ran", "pieces ran"), human.Duration(r.DuplicateMs)))
	}
	if r.Cause == "idle" && r.SavedMs.OK {
		text := fmt.Sprintf("Giving it back saved %s of slot time", human.Duration(r.SavedMs.V))
		if r.AskedAgain > 0 {
			text += fmt.Sprintf(", until %s in its place before the repair was complete", human.Counted(r.AskedAgain, "worker came", "workers came"))
			if r.StartUpMs > 0 { // else no log line tells when it was asked for
				text += fmt.Sprintf(" (%s to start)", human.Duration(r.StartUpMs))
			}
		}
		out = append(out, text+fmt.Sprintf("; it cost %s.", human.Duration(r.RerunMs)))
	}
	if r.Cause == "decommission" && r.Kind == "release" {
		if r.InFlightTasks == 0 && r.NeededOutputs == 0 {
			out = append(out, "The drain finished: nothing ran there any more, and nothing needed was left.")
		} else {
			out = append(out, fmt.Sprintf("The drain did not finish: %s and %s were left.",
				human.Counted(r.NeededOutputs, "needed output", "needed outputs"), human.Counted(r.InFlightTasks, "running task", "running tasks")))
		}
	}
	return out
}

// costNothing is the one line for all removals without cost.
func costNothing(in Input, rs []result.Removal) string {
	kinds := map[string]int64{}
	var held, moved, drained int64
	for _, r := range rs {
		kinds[r.Kind+" ("+human.Cut(r.Cause, 40)+")"]++
		held += r.ResidentOutputs
		moved += r.MovedOutputs
		if r.Cause == "decommission" && r.Kind == "release" {
			drained++
		}
	}
	names := make([]string, 0, len(kinds))
	for k := range kinds {
		names = append(names, k)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(kinds[b], kinds[a]), strings.Compare(a, b)) })
	for i, k := range names {
		names[i] = human.Count(kinds[k]) + " " + k
	}
	text := fmt.Sprintf("%s cost nothing: %s", human.Counted(int64(len(rs)), "removal", "removals"), strings.Join(names, ", "))
	switch {
	case held == 0:
		text += "; no finished output stood there and nothing ran there."
	default:
		text += fmt.Sprintf("; of the %s that stood there none was needed any more.", human.Counted(held, "finished output", "finished outputs"))
	}
	if drained > 0 {
		text += " The drain finished: nothing ran there any more, and nothing needed was left"
		if moved > 0 {
			text += fmt.Sprintf("; %s been moved off before", human.Counted(moved, "output had", "outputs had"))
		}
		text += "."
	}
	return text
}

// idle sets what releases of idle workers saved against what they cost.
func idle(in Input) string {
	var n, stranding, outputs, saved, cost, again, start int64
	for _, r := range in.Removals {
		if r.Cause != "idle" || !r.SavedMs.OK {
			continue
		}
		n++
		saved += r.SavedMs.V
		cost += r.RerunMs
		again += r.AskedAgain
		start += r.StartUpMs
		if r.NeededOutputs > 0 {
			stranding++
			outputs += r.NeededOutputs
		}
	}
	if stranding == 0 {
		return ""
	}
	text := fmt.Sprintf("Giving idle workers back (%s) saved %s of slot time and cost %s: %s stranded %s that were still needed.",
		human.Counted(n, "release", "releases"), human.Duration(saved), human.Duration(cost), human.Counted(stranding, "of them", "of them"), human.Counted(outputs, "finished output", "finished outputs"))
	if again > 0 {
		text += fmt.Sprintf(" %s asked for again before the repair was complete; the starts that the log tells of took %s together.", human.Counted(again, "worker was", "workers were"), human.Duration(start))
	}
	return text
}

// noes answers with no what is asked in every postmortem and was not so here.
func noes(in Input, costly []result.Removal) string {
	var stale, host, twice int64
	for _, r := range costly {
		stale += r.StaleReaders
		host += r.HostUnregistered
		twice += r.DuplicateTasks
	}
	var s []string
	if stale == 0 {
		s = append(s, "no reader went to a place that was known to be lost")
	}
	if host == 0 {
		s = append(s, "no outputs of other workers of a host were given up with one")
	}
	if twice == 0 {
		s = append(s, "nothing ran twice at the same time")
	}
	if len(costly) == 0 || len(s) == 0 {
		return ""
	}
	return capital(strings.Join(s, "; ")) + "."
}

// totals sets the losses against the run.
func totals(in Input) string {
	var redo, finished, tasks int64
	for _, r := range in.Removals {
		redo += r.RerunMs
		finished += r.OwedMs + r.ClimbMs + r.UnneededMs + r.RollbackMs
		tasks += r.RerunTasks
	}
	if redo == 0 {
		return fmt.Sprintf("In all, %s of slot time; none of it was lost to removals.", human.Duration(in.Story.SlotMs))
	}
	return fmt.Sprintf("In all, %s of %s of slot time (%s) went into losses, %s of it into work that had been finished before; %s ran because of them.",
		human.Duration(redo), human.Duration(in.Story.SlotMs), human.Share(float64(redo)/float64(max(in.Story.SlotMs, 1))),
		human.Duration(finished), human.Counted(tasks, "task", "tasks"))
}

// after is what stands behind the removals: losses that are none, budgets, and
// what is not known.
func after(in Input) []string {
	var out []string
	if n := in.Story.OrphanFetches; n > 0 {
		from := "workers that lived on: no loss, but overload, a bad disk, a blocked port or a restarted service"
		if in.Story.FailedToServe == 1 {
			from = "one worker that lived on (" + human.Cut(in.Story.ServingWorker.V, 40) + "): no loss, but a bad disk, a blocked port, or overload there"
		}
		out = append(out, fmt.Sprintf("%s failed to fetch from %s. %s again because of it.",
			human.Counted(n, "reader", "readers"), from, capital(human.Counted(unblamed(in), "task ran", "tasks ran"))))
	}
	if text := poison(in); text != "" {
		out = append(out, text)
	}
	if n := speculated(in); n > 0 {
		out = append(out, fmt.Sprintf("%s of slow attempts ran beside them (speculation): no loss.", human.Counted(n, "copy", "copies")))
	}
	if text := budgets(in.Story); text != "" {
		out = append(out, text)
	}
	if !in.Story.IsEnded {
		out = append(out, "The log has no end: what came after its last line is unknown.")
	}
	return out
}

// poison names the pieces that were running on one worker after another when
// these died: the losses may be the work's own doing.
func poison(in Input) string {
	type piece struct{ stage, piece int64 }
	var order []piece
	of := map[piece][]string{}
	for _, r := range in.Removals {
		if r.PoisonWorkers == 0 {
			continue
		}
		p := piece{r.PoisonStage.V, r.PoisonPiece.V}
		if of[p] == nil {
			order = append(order, p)
		}
		of[p] = append(of[p], fmt.Sprint(r.Removal))
	}
	if len(order) == 0 {
		return ""
	}
	var s []string
	for _, p := range order {
		s = append(s, fmt.Sprintf("piece %d of stage %d (removals %s)", p.piece, p.stage, strings.Join(cutList(of[p], 8), ", ")))
	}
	return "The same piece was running on one worker after another when they died: " + strings.Join(cutList(s, 4), "; ") +
		". The work itself may have killed them (a poison piece) and would on any worker: no loss from outside."
}

func unblamed(in Input) (n int64) {
	for _, r := range in.Reruns {
		if !r.Removal.OK && r.Why != "speculation" {
			n++
		}
	}
	return n
}

func speculated(in Input) (n int64) {
	for _, r := range in.Reruns {
		if r.Why == "speculation" {
			n++
		}
	}
	return n
}

// budgets tells how near the job came to being aborted, and by which loss.
func budgets(s result.Story) string {
	if s.MaxTaskFails == 0 && s.MaxStageFails == 0 {
		return ""
	}
	var used []string
	if s.MaxStageFails > 0 {
		used = append(used, fmt.Sprintf("stage %d failed %s of %s times in a row (spark.stage.maxConsecutiveAttempts%s)",
			s.StageFailStage.V, human.Count(s.MaxStageFails), orFour(s.StageBudget.Or("")), blamed(s.StageFailBlame)))
	}
	if s.MaxTaskFails > 0 {
		used = append(used, fmt.Sprintf("a piece of stage %d failed %s of %s times (spark.task.maxFailures%s)",
			s.TaskFailStage.V, human.Count(s.MaxTaskFails), orFour(s.TaskFailBudget.Or("")), blamed(s.TaskFailBlame)))
	}
	return "Nearest to being aborted: " + strings.Join(used, "; ") + "."
}

func blamed(removal table.I64) string {
	if !removal.OK {
		return "; no removal is to blame"
	}
	return fmt.Sprintf("; removal %d", removal.V)
}

func orFour(s string) string {
	if s == "" {
		return "4"
	}
	return human.Cut(human.Clean(s), 20)
}
