package sim

import (
	"fmt"
	"slices"
)

// Gap is a reason why a log does not have all that a replay in time needs. The
// rule is about the data alone and is applied before anything is simulated: a
// log with a Gap is left out of the published fidelity, whatever its error.
type Gap struct {
	Kind   string
	Detail string
}

func (g Gap) String() string { return g.Kind + ": " + g.Detail }

// Complete tells what a log lacks; nothing means that its data are complete:
//
//	damaged     bytes were skipped, or events contradict each other
//	compacted   finished work was dropped from the log
//	open        a job has no start or no end
//	orphan      a stage ran of which no job with a start tells
//	lost task   a task has no end although its worker stayed, and its stage
//	            attempt did not fail: those of a failed one may outlast the run
//	hung        readers of a failed stage attempt had waited for longer than a
//	            connection's timeout when the log ended: how long they still
//	            held their slots is not told
//	unplaced    which piece a task stood for is not known
//	slots       how many slots a worker has is not known, or it ran more tasks
//	            at once than it has slots: then something else limits it
//	pools       jobs shared the slots by weight (fair pools), not in order
//	paced       streaming queries: the clock starts the batches, not the work
//	cut         a job was cancelled from outside: its length can only be copied
//	trouble     a reader could not fetch from a worker that was there
//	poison      workers ran out of memory: the work caused the losses, whose
//	            instants are then no condition from outside
//	one wave    something was lost, and no stage had more pieces than slots: then
//	            nothing tells what of a time belongs to the piece and would be
//	            the same when it runs again
//	small       fewer than 20 tasks
func Complete(log *Log) []Gap {
	var out []Gap
	add := func(kind, format string, args ...any) { out = append(out, Gap{kind, fmt.Sprintf(format, args...)}) }
	if log.Problems > 0 {
		add("damaged", "%d problems", log.Problems)
	}
	if log.Compacted {
		add("compacted", "finished work is not in the log")
	}
	if log.Streaming {
		add("paced", "streaming queries")
	}
	if log.Settings["spark.scheduler.mode"] == "FAIR" {
		add("pools", "spark.scheduler.mode=FAIR")
	}
	if len(log.Tasks) < 20 {
		add("small", "%d tasks", len(log.Tasks))
	}
	jobsComplete(log, add)
	lossesComplete(log, add)
	b := &builder{log: log, run: &Run{Rules: RulesFor(log.Engine, log.Version, log.Settings)}}
	if !b.clock() {
		return out
	}
	b.index()
	b.workers()
	tasksComplete(b, add)
	if len(log.Removals) > 0 && oneWave(b) {
		add("one wave", "no stage has more pieces than there are slots")
	}
	if run, err := Build(log); err == nil {
		cut := 0
		for i := range run.Jobs {
			if run.Jobs[i].Cut {
				cut++
			}
		}
		if cut > 0 {
			add("cut", "%d jobs", cut)
		}
	}
	return out
}

// ForDelay is what a log lacks for telling how late its losses made the run end:
// that needs the run without them, whatever hung because of them.
func ForDelay(log *Log) []Gap {
	return slices.DeleteFunc(Complete(log), func(g Gap) bool { return g.Kind == gapHung })
}

// gapHung is the kind of gap that only matters where recorded losses are replayed.
const gapHung = "hung"

func jobsComplete(log *Log, add func(kind, format string, args ...any)) {
	open := 0
	started := map[int64]bool{}
	for i := range log.Jobs {
		j := &log.Jobs[i]
		if !j.SubmitMs.OK || !j.EndMs.OK {
			open++
		}
		started[j.Job] = j.SubmitMs.OK
	}
	if open > 0 || len(log.Jobs) == 0 {
		add("open", "%d of %d jobs", open, len(log.Jobs))
	}
	orphans := 0
	for i := range log.Stages {
		if s := &log.Stages[i]; !s.Job.OK || !started[s.Job.V] {
			orphans++
		}
	}
	if orphans > 0 {
		add("orphan", "%d stage attempts", orphans)
	}
}

// lossesComplete looks at what was lost: by what, and what else went wrong.
func lossesComplete(log *Log, add func(kind, format string, args ...any)) {
	poison := 0
	for i := range log.Removals {
		r := &log.Removals[i]
		if r.Cause == "out_of_memory" {
			poison++
		}
	}
	if poison > 0 {
		add("poison", "%d removals", poison)
	}
	alive := map[string]int64{} // lost worker -> its last sign of life
	for i := range log.Removals {
		for _, w := range log.Removals[i].Workers {
			alive[w] = log.Removals[i].GoneLowMs.Or(0)
		}
	}
	failed := map[int64]int64{}
	for i := range log.Tasks {
		if t := &log.Tasks[i]; t.Status == "fetch_failed" {
			failed[t.Task] = t.EndMs
		}
	}
	trouble := 0
	for _, f := range log.Failures {
		if until, lost := alive[f.From.V]; f.From.OK && (!lost || failed[f.Task] < until) {
			trouble++
		}
	}
	if trouble > 0 {
		add("trouble", "%d failed fetches from workers that were there", trouble)
	}
}

// oneWave tells whether all stages fit on the slots at once.
func oneWave(b *builder) bool {
	slots := int64(0)
	for i := range b.run.Workers {
		if !b.run.Workers[i].Replaces {
			slots += int64(b.run.Workers[i].Slots)
		}
	}
	for i := range b.log.Stages {
		if b.log.Stages[i].Tasks > slots {
			return false
		}
	}
	return true
}

func tasksComplete(b *builder, add func(kind, format string, args ...any)) {
	removed := map[string]bool{}
	unknown := 0
	for i := range b.log.Workers {
		removed[b.log.Workers[i].Worker] = b.log.Workers[i].RemovedMs.OK
	}
	for i := range b.run.Workers {
		if b.run.Workers[i].Slots <= 0 {
			unknown++
		}
	}
	lost, hung, unplaced := 0, 0, 0
	end := b.run.StartMs + b.run.RecordedMs
	for i := range b.log.Tasks {
		t := &b.log.Tasks[i]
		if !t.Ended && !removed[t.Worker] {
			if a := b.attempts[attemptKey{t.Stage, t.Attempt}]; a == nil || !a.Failure.OK {
				lost++
			} else if end-t.StartMs > b.run.Rules.FetchTimeoutMs {
				hung++
			}
		}
		if !t.Partition.OK {
			unplaced++
		}
	}
	if lost > 0 {
		add("lost task", "%d", lost)
	}
	if hung > 0 {
		add(gapHung, "%d readers at the log's end", hung)
	}
	if unplaced > 0 {
		add("unplaced", "%d tasks", unplaced)
	}
	if unknown > 0 {
		add("slots", "not known of %d workers", unknown)
		return
	}
	b.lanes()
	if n := int64(len(b.log.Tasks)); b.crowded*100 > n {
		add("slots", "%d of %d tasks ran beside as many as their worker has slots", b.crowded, n)
	}
}
