package lineage

import (
	"strings"

	"tracereplay/ingest"
	"tracereplay/internal/table"
)

// attempt is one attempt of a stage: a task set, and what it needs.
type attempt struct {
	stage     *stage
	number    int64
	job       table.I64
	submitSeq int64
	submitMs  table.I64
	doneMs    table.I64
	tasks     int64

	isMap, kindKnown bool
	subset           []int64 // index -> partition where rebuilt; nil: identity or not known
	identity         bool
	needs            []*need
	caches           []*dataset // cached RDDs inside the stage
	blocksPerReader  int64      // outputs with bytes over all shuffle inputs
	firstRun         bool       // launched at least one piece that had never been made

	readers, finished, counted int64
	lastStart, lastSuccess     table.I64
	blocks                     int64
	open                       map[int64]*runningTask
	lastEnd                    int64
	expectedUntil              table.I64 // never submitted: might have read until then
	jobEndMs                   table.I64 // end of the job that it belonged to
	jobOK                      bool
	query                      string // streaming query and micro-batch
	batch                      table.I64
	states                     []int64 // RDDs inside the stage that keep state
	failure                    string
	done, fetchFailed          bool
	requeued                   map[int64]int64 // index -> number of the attempt whose output was lost; until launched again
	unregistered               int64           // successes that the engine did not register
	index                      int32           // place in app.order, plus one
}

// need is an attempt's need of one dataset.
type need struct {
	dataset *dataset
	through *dataset // cache that stood between and was not complete
}

// runningTask is a launched task without an end so far.
type runningTask struct {
	task, index int64
	partition   table.I64
	derived     bool
	worker      int32
	start       int64
	seq         int64
	speculative bool
	attempt     *attempt
	isRerun     bool
	rerun       int32   // index into reruns, -1
	blocks      []int32 // cached blocks that it made: outputs whose cost its end tells
}

// stageSubmitted opens an attempt: which partitions it runs, what it reads.
func (a *app) stageSubmitted(e *ingest.StageSubmitted) {
	a.settle()
	s := a.learn(&e.Info)
	s.sql = s.sql || e.Properties.Execution.OK
	for _, p := range s.parents {
		if ps := a.stages[p]; ps != nil {
			ps.isMap = true
		}
	}
	a.identify(s)
	t := &attempt{
		stage: s, number: e.Info.Attempt, job: e.Job, submitSeq: e.Seq, submitMs: e.Info.SubmitMs, tasks: e.Info.Tasks,
	}
	if !t.submitMs.OK && a.now > 0 && e.Info.Tasks > 0 {
		t.submitMs = table.Some(a.now)
	}
	if s.isMap {
		a.becomeMap(t)
	}
	t.identity = t.tasks == s.tasks
	t.streaming(&e.Properties)
	a.require(t, e)
	a.openAttempt(t)
	a.checkSubmission(t, e.Seq)
}

// openAttempt adds an attempt.
func (a *app) openAttempt(t *attempt) {
	a.attempts[attemptKey{t.stage.id, t.number}] = t
	a.order = append(a.order, t)
	t.index = int32(len(a.order))
	t.stage.last = t
}

// becomeMap settles that an attempt writes a shuffle, and rebuilds which
// pieces it runs: index i is the i-th smallest missing piece.
func (a *app) becomeMap(t *attempt) {
	if t.kindKnown {
		return
	}
	t.kindKnown, t.isMap = true, true
	d := a.datasetOf(t.stage)
	if !d.firstStage.OK {
		d.firstStage = table.Some(t.stage.id)
	}
	d.parts = max(d.parts, t.stage.tasks)
	a.touch(a.jobs[t.job.V], d)
	if t.tasks == t.stage.tasks {
		if d.live > 0 && d.rollback {
			a.rollBack(d, t.submitSeq)
		}
		a.checkMissing(t, d, d.parts-d.live)
		return
	}
	missing := a.missing(d)
	a.checkMissing(t, d, int64(len(missing)))
	if int64(len(missing)) == t.tasks {
		t.subset = missing
	}
}

// missing lists the pieces of a shuffle without a live copy, ascending.
func (a *app) missing(d *dataset) []int64 {
	var out []int64
	for p := range d.parts {
		if p >= int64(len(d.cur)) || d.cur[p] < 0 || !a.alive(d.cur[p]) {
			out = append(out, p)
		}
	}
	return out
}

// require finds what an attempt needs: its inputs, and what lies below a cache
// that is not complete at this moment.
func (a *app) require(t *attempt, e *ingest.StageSubmitted) {
	s := t.stage
	direct := a.resolve(s, a.inputsBelow(s, s.rdd, true))
	seen := map[*dataset]bool{}
	for _, d := range direct {
		a.addNeed(t, seen, d, nil)
	}
	if t.isMap {
		s.dataset.addInputs(direct)
	}
	for i := range e.Info.RDDs {
		if keepsState(e.Info.RDDs[i].Name) {
			t.states = append(t.states, e.Info.RDDs[i].RDD)
		}
		if e.Info.RDDs[i].Persisted() {
			a.cachedInside(t, e.Info.RDDs[i].RDD)
		}
	}
}

// addNeed adds a dataset that an attempt needs, and below a cache that is not
// complete what that cache is made from.
func (a *app) addNeed(t *attempt, seen map[*dataset]bool, d, through *dataset) {
	if seen[d] {
		return
	}
	seen[d] = true
	a.touch(a.jobs[t.job.V], d)
	if t.tasks > 0 || t.expectedUntil.OK {
		if !d.key.cache || d.live > 0 || d.assumed { // the stage that fills a cache does not read it
			t.needs = append(t.needs, &need{d, through})
		}
	}
	if !d.key.cache {
		t.blocksPerReader += d.withBytes
		return
	}
	d.addInputs(a.resolve(t.stage, a.inputsBelow(t.stage, d.key.rdd, false)))
	if !d.complete() {
		for _, in := range d.inputs {
			a.addNeed(t, seen, in, d)
		}
	}
}

// cachedInside notes a cached RDD that the attempt computes or reads.
func (a *app) cachedInside(t *attempt, rdd int64) {
	d := a.cacheOf(rdd)
	d.parts = max(d.parts, a.rdds[rdd].parts)
	if d.name == "" {
		d.name = t.stage.name
	}
	if !d.firstStage.OK {
		d.firstStage = table.Some(t.stage.id)
	}
	if len(d.inputs) == 0 {
		d.addInputs(a.resolve(t.stage, a.inputsBelow(t.stage, rdd, false)))
	}
	t.caches = append(t.caches, d)
}

func (a *app) stageCompleted(e *ingest.StageCompleted) {
	t := a.attempts[attemptKey{e.Info.Stage, e.Info.Attempt}]
	if t == nil {
		return
	}
	t.doneMs, t.done, t.failure = e.Info.CompleteMs, true, e.Info.Failure
	a.checkCompletion(t, e.Seq)
	if !t.submitMs.OK {
		t.submitMs = e.Info.SubmitMs
	}
	if e.Info.Failure == "" {
		for _, d := range t.caches {
			if d.parts != t.stage.tasks && !a.hasBlockUpdates {
				d.assumed = true
			}
		}
	}
}

// attemptOf finds the attempt of a task; one whose submission is not in the
// log is opened as far as it is known.
func (a *app) attemptOf(s *ingest.TaskStart) *attempt {
	k := attemptKey{s.Stage, s.StageAttempt}
	t := a.attempts[k]
	if t == nil {
		a.settle()
		st := a.stages[s.Stage]
		if st == nil {
			st = &stage{id: s.Stage}
			a.stages[s.Stage] = st
		}
		t = &attempt{stage: st, number: s.StageAttempt, submitSeq: s.Seq}
		a.openAttempt(t)
	}
	return t
}

func (a *app) taskStart(s *ingest.TaskStart) {
	a.now = max(a.now, s.LaunchMs)
	t := a.attemptOf(s)
	r := &runningTask{
		task: s.Task, index: s.Index, worker: a.worker(s.Worker, s.Host), start: s.LaunchMs, seq: s.Seq,
		speculative: s.Speculative, attempt: t, rerun: -1,
	}
	a.workers[r.worker].machine = s.Machine
	r.partition, r.derived = t.partitionOf(s)
	t.readers++
	if !s.Speculative && (!t.lastStart.OK || s.LaunchMs > t.lastStart.V) {
		t.lastStart = table.Some(s.LaunchMs)
	}
	a.checkLaunch(t, r, s)
	a.checkRequeued(t, s)
	a.noteRerun(t, r)
	a.running[s.Task] = r
	if t.open == nil {
		t.open = map[int64]*runningTask{}
	}
	t.open[s.Task] = r
}

// partitionOf tells which piece an index stands for: as logged (Spark 3.3 and
// later), else the index itself for a whole stage, else as rebuilt.
func (t *attempt) partitionOf(s *ingest.TaskStart) (table.I64, bool) {
	switch {
	case s.Partition.OK && isPiece(s.Partition.V):
		return s.Partition, false
	case t.subset != nil:
		if s.Index >= 0 && s.Index < int64(len(t.subset)) {
			return table.Some(t.subset[s.Index]), true
		}
	case t.identity && isPiece(s.Index):
		return table.Some(s.Index), true
	}
	return table.I64{}, false
}

// noteRerun tells whether a launch repeats a piece that had succeeded before.
func (a *app) noteRerun(t *attempt, r *runningTask) {
	if !t.isMap {
		t.firstRun = true
		return
	}
	d := t.stage.dataset
	if !r.partition.OK || !d.made(r.partition.V) {
		t.firstRun = true
		return
	}
	r.isRerun = true
	p := r.partition.V
	a.checkRerun(t, r, d, d.cur[p])
	r.rerun = int32(len(a.reruns))
	a.reruns = append(a.reruns, rerun{
		task: r.task, dataset: d.id, partition: p, first: d.first[p], prev: d.cur[p], prevAlive: a.alive(d.cur[p]), status: ingest.Running,
	})
}

// taskEnd follows a task's end.
func (a *app) taskEnd(e *ingest.TaskEnd) {
	if e.FinishMs.OK && e.Status != ingest.Resubmitted {
		a.now = max(a.now, e.FinishMs.V)
	}
	t := a.attemptOf(&e.TaskStart)
	a.learnKind(t, e.TaskType)
	switch e.Status {
	case ingest.Resubmitted:
		a.checkResubmitted(t, e)
		t.requeue(e)
		a.signOfLoss(a.worker(e.Worker, e.Host), e.Seq)
		return
	case ingest.WorkerLost:
		a.signOfLoss(a.worker(e.Worker, e.Host), e.Seq)
	}
	r := a.running[e.Task]
	if r == nil { // its launch is not in the log
		a.taskStart(&e.TaskStart)
		r = a.running[e.Task]
	}
	a.ended++
	delete(a.running, e.Task)
	if delete(t.open, e.Task); len(t.open) == 0 {
		t.open = nil // an emptied map keeps its memory, and of stages there may be a hundred thousand
	}
	end := max(e.FinishMs.Or(a.now), r.start)
	t.lastEnd = max(t.lastEnd, end)
	if r.rerun >= 0 {
		a.reruns[r.rerun].status = e.Status
	}
	for _, o := range r.blocks {
		a.outputs.at(o).cost = end - r.start
		a.outputs.at(o).made = max(a.outputs.at(o).made, r.start)
	}
	if e.Status == ingest.Success {
		a.success(t, r, e, end)
	}
	if e.Status == ingest.FetchFailed && e.Fetch != nil {
		a.checkFetch(e)
		a.fetchFailed(t, e)
	}
	for i := range e.Blocks {
		a.taskBlock(r, &e.Blocks[i], end)
	}
	a.writeAttempt(r, string(e.Status), end, true)
}

// learnKind settles what an attempt's tasks are when the first of them ends.
func (a *app) learnKind(t *attempt, taskType string) {
	if t.kindKnown || taskType == "" {
		return
	}
	if !strings.HasPrefix(taskType, "ShuffleMap") {
		t.kindKnown = true
		return
	}
	a.becomeMap(t)
	t.stage.isMap = true
	t.stage.dataset.addInputs(a.resolve(t.stage, a.inputsBelow(t.stage, t.stage.rdd, true)))
	t.firstRun = false
	for _, r := range t.open { // launched before the kind was known
		if !r.partition.OK && t.subset != nil && r.index < int64(len(t.subset)) {
			r.partition, r.derived = table.Some(t.subset[r.index]), true
		}
		a.noteRerun(t, r)
	}
}

// success counts a reader and registers what the task made.
func (a *app) success(t *attempt, r *runningTask, e *ingest.TaskEnd, end int64) {
	w := &a.workers[r.worker]
	w.lifeMs = max(w.lifeMs, end)
	t.finished++
	if !t.lastSuccess.OK || end > t.lastSuccess.V {
		t.lastSuccess = table.Some(end)
	}
	if e.M.RemoteBlocks.OK || e.M.LocalBlocks.OK {
		t.counted++
		t.blocks += e.M.RemoteBlocks.Or(0) + e.M.LocalBlocks.Or(0)
	}
	for _, n := range t.needs {
		if !n.dataset.lastReadMs.OK || end > n.dataset.lastReadMs.V {
			n.dataset.lastReadMs = table.Some(end)
		}
	}
	a.keepState(t, r, e.Seq, end)
	if !a.hasBlockUpdates && r.partition.OK {
		a.inferBlocks(t, r, e, end)
	}
	switch {
	case !t.isMap:
		if r.partition.OK {
			t.stage.finishResult(r.partition.V)
		}
	case a.bogus(t, r.worker):
		t.unregistered++
		d := t.stage.dataset
		if p := r.partition; p.OK && !(d.made(p.V) && a.alive(d.cur[p.V])) { // it was made, and is lost at once
			a.register(t, r, e, end)
			a.close(d.cur[r.partition.V], a.newEnd(end, e.Seq, "not_registered", r.worker))
		}
	case r.partition.OK:
		a.register(t, r, e, end)
	}
}

// finishResult notes that a piece of a result stage succeeded.
func (s *stage) finishResult(p int64) {
	if s.resultDone == nil {
		s.resultDone = map[int64]bool{}
	}
	s.resultDone[p] = true
}

// bogus: the engine does not register the output of a task whose worker it had
// given up after the task's stage attempt was submitted.
func (a *app) bogus(t *attempt, w int32) bool {
	return a.workers[w].lostSeq > t.submitSeq
}

// writeAttempt writes the row of a task attempt.
func (a *app) writeAttempt(r *runningTask, status string, end int64, ended bool) {
	row := AttemptRow{
		App: a.key, Task: r.task, Job: r.attempt.job, Stage: r.attempt.stage.id, StageAttempt: r.attempt.number, Index: r.index,
		Partition: r.partition, Worker: a.workers[r.worker].id, Machine: a.workers[r.worker].machine,
		StartMs: r.start, EndMs: end, Ended: ended, Status: status, Speculative: r.speculative, IsRerun: r.isRerun,
	}
	if r.partition.OK {
		row.PartitionKnown = table.Some(Logged)
		if r.derived {
			row.PartitionKnown = table.Some(Derived)
		}
	}
	if r.attempt.isMap {
		row.Dataset = table.Some(int64(r.attempt.stage.dataset.id))
	}
	a.w.attempts.Append(&row)
}
