package lineage

import (
	"maps"
	"slices"

	"tracereplay/ingest"
)

// checkRerun looks at the launch of a map piece that was made before. A success
// since the attempt was submitted, of a task of an older attempt, is no reason to
// doubt: the launch may have been under way.
func (a *app) checkRerun(t *attempt, r *runningTask, d *dataset, prev int32) {
	if t.tasks == 0 || t.identity || d.rollback || r.speculative {
		return
	}
	ok := !a.alive(prev) || a.outputs.at(prev).seq > t.submitSeq
	a.check.that(rerunWasLost, ok, r.seq, "task %d of stage %d attempt %d makes piece %d of shuffle %d again, which stood on worker %s",
		r.task, t.stage.id, t.number, r.partition.V, d.id, a.workers[a.outputs.at(prev).worker].id)
	if a.storage.kind != onWorker {
		a.check.that(keptOutputsStay, ok, r.seq, "task %d of stage %d attempt %d makes piece %d of shuffle %d again, which is kept outside of the workers",
			r.task, t.stage.id, t.number, r.partition.V, d.id)
	}
}

// requeue notes that a piece waits to be launched again in an attempt.
func (t *attempt) requeue(e *ingest.TaskEnd) {
	if t.requeued == nil {
		t.requeued = map[int64]int64{}
	}
	t.requeued[e.Index] = e.Attempt
}

// checkRequeued looks at a launch that may be of a piece that waits.
func (a *app) checkRequeued(t *attempt, s *ingest.TaskStart) {
	if lost, ok := t.requeued[s.Index]; ok && s.Attempt > lost {
		delete(t.requeued, s.Index)
		a.check.that(requeuedRunsAgain, true, s.Seq, "")
	}
}

// checkRepaired looks at a map stage attempt that ended without failure: what
// was missing is there, and nothing waits.
func (a *app) checkRepaired(t *attempt, seq int64) {
	if !t.isMap {
		return
	}
	d := t.stage.dataset
	for _, p := range t.subset {
		ok := d.made(p) && a.outputs.at(d.cur[p]).seq > t.submitSeq
		a.check.that(lostRunsAgain, ok, seq, "piece %d of shuffle %d was missing when stage %d attempt %d was submitted, which ended without making it", p, d.id, t.stage.id, t.number)
	}
	for _, index := range slices.Sorted(maps.Keys(t.requeued)) {
		p := index
		if t.subset != nil && index >= 0 && index < int64(len(t.subset)) {
			p = t.subset[index]
		}
		ok := d.made(p) && a.alive(d.cur[p])
		a.check.that(requeuedRunsAgain, ok, seq, "index %d of stage %d attempt %d was re-queued and not launched again", index, t.stage.id, t.number)
	}
	t.requeued = nil
}

// missingAtStart are the map stages of a job whose outputs are not complete when
// it starts, and that nobody is making.
func (j *job) missingAtStart() (missing []*stage) {
	for _, s := range j.stages {
		isOpen := s.last != nil && !s.last.done
		if s.isMap && s.dataset != nil && !s.dataset.complete() && !isOpen {
			missing = append(missing, s)
		}
	}
	return missing
}

// checkSkipped looks at the stages that a successful job skipped.
func (a *app) checkSkipped(j *job, seq int64) {
	ran := func(s *stage) bool { return s.last != nil && s.last.submitSeq > j.seq }
	read := map[*dataset]bool{}
	for _, s := range j.stages {
		if !ran(s) {
			continue
		}
		for _, n := range s.last.needs {
			read[n.dataset] = read[n.dataset] || n.through == nil
		}
	}
	for _, s := range j.stages {
		if !s.isMap || s.dataset == nil || ran(s) {
			continue
		}
		ok := !slices.Contains(j.missing, s) || s.dataset.complete() || !read[s.dataset]
		a.check.that(skippedIsComplete, ok, seq, "job %d skipped stage %d, whose shuffle %d it read and which was not complete", j.id, s.id, s.dataset.id)
	}
}
