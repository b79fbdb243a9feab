package lineage

import (
	"maps"
	"slices"

	"tracereplay/ingest"
	"tracereplay/internal/table"
)

// job is a running job.
type job struct {
	id     int64
	seq    int64
	stages []*stage
	uses   map[*dataset]bool

	missing []*stage // map stages whose outputs were not complete when it started
}

// touch notes that a running job makes or may read a dataset: until it ends, the
// engine cannot delete it.
func (a *app) touch(j *job, d *dataset) {
	if j == nil || d == nil || j.uses[d] {
		return
	}
	j.uses[d] = true
	d.openJobs++
}

// release ends what a job kept alive.
func (j *job) release(endMs int64) {
	for d := range j.uses {
		d.openJobs--
		if !d.liveUntilMs.OK || endMs > d.liveUntilMs.V {
			d.liveUntilMs = table.Some(endMs)
		}
	}
}

// jobEnd closes a job. One that failed leaves stages that were never
// submitted: until it ended, they might still have had to read.
func (a *app) jobEnd(e *ingest.JobEnd) {
	j := a.jobs[e.Job]
	if j == nil {
		return
	}
	delete(a.jobs, e.Job)
	end := e.Ms.Or(a.now)
	for _, s := range j.stages {
		if last := s.last; last != nil && !last.jobEndMs.OK && last.job.OK && last.job.V == e.Job {
			last.jobEndMs, last.jobOK = table.Some(end), e.OK
		}
	}
	if e.OK {
		a.checkSkipped(j, e.Seq)
	} else {
		a.expect(j, end)
	}
	j.release(end)
}

// expectOpen does the same, at the end of the log, for jobs without an end.
func (a *app) expectOpen(end int64) {
	for _, id := range slices.Sorted(maps.Keys(a.jobs)) {
		a.expect(a.jobs[id], end)
	}
}

// expect adds what the never submitted stages of a job would have needed. A
// map stage whose shuffle is complete would have been skipped.
func (a *app) expect(j *job, end int64) {
	for _, s := range j.stages {
		if s.last != nil && s.last.submitSeq > j.seq || s.isMap && s.dataset != nil && s.dataset.complete() {
			continue
		}
		t := &attempt{stage: s, job: table.Some(j.id), submitSeq: j.seq, expectedUntil: table.Some(end), number: s.nextNumber()}
		seen := map[*dataset]bool{}
		for _, d := range a.resolve(s, a.inputsBelow(s, s.rdd, true)) {
			a.addNeed(t, seen, d, nil)
		}
		if len(t.needs) > 0 {
			a.expected = append(a.expected, t)
		}
	}
}

// nextNumber is the number that a stage's next attempt would have had.
func (s *stage) nextNumber() int64 {
	if s.last == nil {
		return 0
	}
	return s.last.number + 1
}

// expectUnread gives every shuffle that no stage ever read the need of the job
// that made it: until its own stage was complete, the engine would have made a
// lost piece again (an adaptive query makes a shuffle in a job of its own; when
// the query ends early, its reader never comes).
func (a *app) expectUnread(end int64) {
	read := map[*dataset]bool{}
	for _, ts := range [][]*attempt{a.order, a.expected} {
		for _, t := range ts {
			for _, n := range t.needs {
				read[n.dataset] = true
			}
		}
	}
	makers := map[*dataset]*attempt{}
	for _, t := range a.order {
		if t.isMap && !read[t.stage.dataset] {
			makers[t.stage.dataset] = t
		}
	}
	for _, d := range a.datasets {
		if t := makers[d]; t != nil {
			until := t.until(end)
			if t.done && t.failure == "" {
				until = t.doneMs.Or(until)
			}
			a.expected = append(a.expected, &attempt{
				stage: t.stage, number: t.number, job: t.job, expectedUntil: table.Some(until), needs: []*need{{dataset: d}},
			})
		}
	}
}
