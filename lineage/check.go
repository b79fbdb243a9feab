package lineage

import (
	"fmt"

	"tracereplay/ingest"
	"tracereplay/internal/table"
)

// CheckRow is one invariant and how often it was looked at.
type CheckRow struct {
	App                string
	Check              string
	Statement          string
	Looked, Violations int64
}

// FindingRow is one place where an invariant does not hold.
type FindingRow struct {
	App, Check string
	Seq        table.I64
	Detail     string
}

// Checks declares table check.
var Checks = table.New[CheckRow](table.Meta{
	Name: "check", Layer: layer, Grain: "one row per invariant", Key: []string{"app", "check_name"}, Order: []string{"app", "check_name"},
	Doc: "What must hold between a log and the engine's rules. A violation means events that are missing from the log, an unseen move or deletion of outputs, or a fault of the model; it is a finding, not an error.",
},
	table.Text("app", "", "application", func(r *CheckRow) string { return r.App }),
	table.Text("check_name", "", "invariant", func(r *CheckRow) string { return r.Check }),
	table.Text("statement", "", "what must hold", func(r *CheckRow) string { return r.Statement }),
	table.Int("looked", "", "", "times that it was looked at", func(r *CheckRow) int64 { return r.Looked }),
	table.Int("violations", "", "", "times that it did not hold", func(r *CheckRow) int64 { return r.Violations }),
)

// Findings declares table finding.
var Findings = table.New[FindingRow](table.Meta{
	Name: "finding", Layer: layer, Grain: "one row per place where an invariant does not hold", Key: []string{"app", "check_name", "seq"}, Order: []string{"app", "check_name", "seq"},
	Doc: "At most 100 per invariant; table check has the counts.",
},
	table.Text("app", "", "application", func(r *FindingRow) string { return r.App }),
	table.Text("check_name", "", "invariant, see table check", func(r *FindingRow) string { return r.Check }),
	table.OptInt("seq", "", "", "line at which it was found", "at the end of the log", func(r *FindingRow) table.I64 { return r.Seq }),
	table.Text("detail", "", "what was found", func(r *FindingRow) string { return r.Detail }),
)

// maxFindings bounds the rows kept of one invariant.
const maxFindings = 100

// invariant is one of the engine's laws, as a number into statements.
type invariant int

// The invariants; the numbers in the names are those of docs/lineage.md.
const (
	inputsComplete invariant = iota
	runsWhatIsMissing
	rerunWasLost
	lostRunsAgain
	partitionIsRebuilt
	resubmittedStoodThere
	requeuedRunsAgain
	noLaunchAfterRemoval
	lostTasksEnd
	fetchNamesWriter
	fetchFailureEndsAttempt
	resultRunsOnce
	holesExplainAttempt
	attemptsInARow
	keptOutputsStay
	skippedIsComplete
	taskIDsIncrease
	storeRemovedHasCause
	tasksAddUp
	invariants // their number
)

// statements names and states every invariant, in the order of the constants.
func statements() [invariants][2]string {
	return [invariants][2]string{
		inputsComplete:          {"01_inputs_complete", "when a stage attempt with tasks is submitted, every shuffle that it reads is complete in the model"},
		runsWhatIsMissing:       {"02_runs_what_is_missing", "a map stage attempt has as many tasks as pieces are missing in the model, or all when the shuffle is run again in whole"},
		rerunWasLost:            {"02_rerun_was_lost", "a piece that a map stage attempt runs again had no copy left when the attempt was submitted, unless the whole shuffle runs again"},
		lostRunsAgain:           {"03_lost_runs_again", "a map stage attempt that ends without failure has made every piece that was missing when it was submitted"},
		partitionIsRebuilt:      {"04_partition_is_rebuilt", "the logged partition of a task is the one that its index stands for by the engine's rule"},
		resubmittedStoodThere:   {"05_resubmitted_stood_there", "a re-queued task had ended in success in the same stage attempt, or failed on the lost worker while its piece succeeded elsewhere"},
		requeuedRunsAgain:       {"06_requeued_runs_again", "a re-queued piece is launched again before its stage attempt ends without failure, or stands elsewhere"},
		noLaunchAfterRemoval:    {"07_no_launch_after_removal", "no task is launched on a worker after its removal"},
		lostTasksEnd:            {"07_lost_tasks_end", "every task that ran on a removed worker has an end"},
		fetchNamesWriter:        {"08_fetch_names_writer", "a fetch failure names a task that had written the output, its partition and its worker"},
		fetchFailureEndsAttempt: {"09_fetch_failure_ends_attempt", "a stage attempt whose reader failed to fetch ends with a failure, unless a newer attempt was there"},
		resultRunsOnce:          {"10_result_runs_once", "no task of a result stage's piece is launched after the piece succeeded"},
		holesExplainAttempt:     {"11_holes_explain_attempt", "a further attempt after one that ended without failure follows a success that was not registered, or a loss"},
		attemptsInARow:          {"12_attempts_in_a_row", "a stage's failed attempts in a row stay within spark.stage.maxConsecutiveAttempts"},
		keptOutputsStay:         {"13_kept_outputs_stay", "where a service or a store keeps the outputs, no piece runs again because a worker went"},
		skippedIsComplete:       {"14_skipped_is_complete", "a map stage that a successful job skipped had its outputs complete, or nothing in the job read them"},
		taskIDsIncrease:         {"15_task_ids_increase", "task ids increase with the launches"},
		storeRemovedHasCause:    {"16_store_removed_has_cause", "a block store is dropped only with its worker, or after a fetch failure that names it"},
		tasksAddUp:              {"17_tasks_add_up", "launches = ends + tasks that never ended"},
	}
}

// checker counts how often each invariant was looked at and did not hold.
type checker struct {
	looked, violations [invariants]int64
	findings           []FindingRow
	names              [invariants][2]string
}

func newChecker() *checker { return &checker{names: statements()} }

// that notes one look at an invariant.
func (c *checker) that(i invariant, ok bool, seq int64, format string, args ...any) {
	c.looked[i]++
	if ok {
		return
	}
	if c.violations[i]++; c.violations[i] <= maxFindings {
		c.findings = append(c.findings, FindingRow{
			Check: c.names[i][0], Seq: table.I64{V: seq, OK: seq > 0}, Detail: fmt.Sprintf(format, args...),
		})
	}
}

// checkSubmission looks at an attempt when it is submitted.
func (a *app) checkSubmission(t *attempt, seq int64) {
	if t.tasks == 0 {
		return
	}
	for _, n := range t.needs {
		d := n.dataset
		if d.key.cache {
			continue
		}
		a.check.that(inputsComplete, d.complete(), seq, "stage %d attempt %d reads shuffle %d, of which %d of %d pieces are available", t.stage.id, t.number, d.id, d.live, d.parts)
	}
	if prev := a.attempts[attemptKey{t.stage.id, t.number - 1}]; prev != nil && prev.done && prev.failure == "" {
		a.check.that(holesExplainAttempt, prev.unregistered > 0 || a.lastLossSeq > prev.submitSeq, seq,
			"stage %d attempt %d follows attempt %d, which ended without failure, and nothing was lost", t.stage.id, t.number, prev.number)
	}
}

// checkMissing looks at the number of tasks of a map stage attempt.
func (a *app) checkMissing(t *attempt, d *dataset, missing int64) {
	if t.tasks == 0 || d.rollback {
		return
	}
	a.check.that(runsWhatIsMissing, t.tasks == missing, t.submitSeq, "stage %d attempt %d has %d tasks; %d of the %d pieces of shuffle %d are missing",
		t.stage.id, t.number, t.tasks, missing, d.parts, d.id)
}

// checkLaunch looks at a launch.
func (a *app) checkLaunch(t *attempt, r *runningTask, s *ingest.TaskStart) {
	a.launched++
	a.check.that(taskIDsIncrease, s.Task > a.lastTask, s.Seq, "task %d was launched after task %d", s.Task, a.lastTask)
	a.lastTask = max(a.lastTask, s.Task)
	a.check.that(noLaunchAfterRemoval, a.workers[r.worker].removedSeq == 0, s.Seq, "task %d was launched on worker %s after its removal", s.Task, s.Worker)
	if s.Partition.OK && s.Partition.V >= 0 {
		want := int64(-1)
		switch {
		case t.subset != nil && s.Index >= 0 && s.Index < int64(len(t.subset)):
			want = t.subset[s.Index]
		case t.identity:
			want = s.Index
		}
		if want >= 0 {
			a.check.that(partitionIsRebuilt, want == s.Partition.V, s.Seq, "task %d: index %d of stage %d attempt %d is partition %d in the log and %d by the rule", s.Task, s.Index, s.Stage, s.StageAttempt, s.Partition.V, want)
		}
	}
	if t.kindKnown && !t.isMap && r.partition.OK {
		a.check.that(resultRunsOnce, s.Speculative || !t.stage.resultDone[r.partition.V], s.Seq, "task %d runs piece %d of result stage %d, which had succeeded", s.Task, r.partition.V, s.Stage)
	}
}

// checkResubmitted looks at a notice that an output is lost.
func (a *app) checkResubmitted(t *attempt, e *ingest.TaskEnd) {
	o := a.outputOfTask(e.Task)
	ok := o >= 0 && a.outputs.at(o).attempt == t.index
	if !ok && t.isMap { // the quirk: a failed attempt on the lost worker whose piece succeeded elsewhere
		if p, _ := t.partitionOf(&e.TaskStart); p.OK {
			ok = t.stage.dataset.made(p.V)
		}
	}
	a.check.that(resubmittedStoodThere, ok, e.Seq, "task %d of stage %d attempt %d was re-queued and had not succeeded there", e.Task, e.Stage, e.StageAttempt)
}

// checkFetch looks at what a fetch failure names.
func (a *app) checkFetch(e *ingest.TaskEnd) {
	f := e.Fetch
	if !a.rules.MapIsTask || !f.Map.OK || f.Map.V < 0 || f.Worker == "" || f.Worker == "shuffle-push-merger" {
		return
	}
	o := a.outputOfTask(f.Map.V)
	ok := o >= 0 && (!f.MapIndex.OK || int64(a.outputs.at(o).partition) == f.MapIndex.V) &&
		(a.workers[a.outputs.at(o).worker].id == f.Worker || a.outputs.at(o).extra >= 0)
	a.check.that(fetchNamesWriter, ok, e.Seq, "task %d failed to fetch from worker %s what task %d wrote; the model has no such output there", e.Task, f.Worker, f.Map.V)
}

// checkCompletion looks at an attempt when it has ended.
func (a *app) checkCompletion(t *attempt, seq int64) {
	if t.fetchFailed {
		a.check.that(fetchFailureEndsAttempt, t.failure != "", seq, "stage %d attempt %d ended without failure although a reader failed to fetch", t.stage.id, t.number)
	}
	if t.failure == "" {
		a.checkRepaired(t, seq)
		t.stage.failedInARow = 0
		return
	}
	t.stage.failedInARow++
	budget := settingInt(a.settings["spark.stage.maxConsecutiveAttempts"], 4)
	a.check.that(attemptsInARow, t.stage.failedInARow <= budget, seq, "stage %d failed %d times in a row", t.stage.id, t.stage.failedInARow)
}

// checkEnd looks at what is left at the end of the log, and writes the tables.
func (a *app) checkEnd() {
	for _, r := range a.running {
		a.check.that(lostTasksEnd, a.workers[r.worker].removedSeq == 0, 0, "task %d ran on removed worker %s and has no end", r.task, a.workers[r.worker].id)
	}
	a.check.that(tasksAddUp, a.launched == a.ended+int64(len(a.running)), 0, "%d launches, %d ends, %d open", a.launched, a.ended, len(a.running))
	for w := range a.workers {
		x := &a.workers[w]
		if x.storeRemovedSeq > 0 {
			a.check.that(storeRemovedHasCause, x.removedSeq > 0 || x.blamed, x.storeRemovedSeq, "the block store of worker %s was dropped; it was neither removed nor named by a fetch failure", x.id)
		}
	}
	for i, s := range a.check.names {
		if a.check.looked[i] > 0 {
			a.w.checks.Append(&CheckRow{App: a.key, Check: s[0], Statement: s[1], Looked: a.check.looked[i], Violations: a.check.violations[i]})
		}
	}
	sortFindings(a.check.findings)
	for i := range a.check.findings {
		a.check.findings[i].App = a.key
		a.w.findings.Append(&a.check.findings[i])
	}
}
