package sparkgen

import (
	"cmp"
	"fmt"
	"slices"
)

// driver is the coordinator: what Spark's DAGScheduler and MapOutputTracker do.
type driver struct {
	*sim
	outputs map[*shuffle][]*output // registered map outputs, nil where missing
	epoch   int
	failed  map[*executor]int // epoch of the last recorded failure
	lost    map[*executor]int // the same, for its files

	nextJobID, nextStageID, nextTask int
	active                           []*job
	stages                           map[int]*stage
	ofShuffle                        map[*shuffle]*stage
	waiting, running, failedStages   []*stage
	pool                             []*taskset
	everMade                         map[piece]bool // registered or kept once
	succeededOnce                    map[piece]bool
	all                              []*output // in order of registration
	kicked                           bool
}

// piece is one partition of a shuffle, of a cached RDD or of a job's result.
type piece struct {
	shuffle *shuffle
	rdd     *rdd
	job     *job
	part    int
}

// output is a registered map output or cached block.
type output struct {
	shuffle *shuffle // nil: cached block
	rdd     *rdd
	part    int
	by      *task
	ex      *executor
	madeMs  int64
	bytes   int64
	rerun   bool
	stays   []Stay
}

// job is a running job.
type job struct {
	id       int
	plan     *planJob
	index    int // in the plan
	final    *stage
	finished []bool
	left     int
	stages   []*stage
}

// stage is a stage as long as a job uses it.
type stage struct {
	id, nextAttempt int
	rdd             *rdd
	shuffle         *shuffle // nil: result stage
	job             *job     // of a result stage
	parents         []*stage
	jobs            []*job
	info            *stageInfo // of the latest attempt
	pending         map[int]bool
	failures        int // consecutive failed attempts
}

const maxConsecutiveAttempts = 4

func newDriver(s *sim) *driver {
	return &driver{
		sim: s, outputs: map[*shuffle][]*output{}, failed: map[*executor]int{}, lost: map[*executor]int{},
		stages: map[int]*stage{}, ofShuffle: map[*shuffle]*stage{}, everMade: map[piece]bool{},
		succeededOnce: map[piece]bool{},
	}
}

// registered returns the outputs of a shuffle, indexed by map partition.
func (d *driver) registered(s *shuffle) []*output {
	o := d.outputs[s]
	if o == nil {
		o = make([]*output, s.mapRDD.parts)
		d.outputs[s] = o
	}
	return o
}

func (d *driver) available(s *shuffle) bool { return !slices.Contains(d.registered(s), nil) }

// directShuffles are the shuffles that the stage of r reads, caches or not.
func directShuffles(r *rdd) []*shuffle {
	var out []*shuffle
	seen := map[*rdd]bool{}
	var walk func(r *rdd)
	walk = func(r *rdd) {
		if seen[r] {
			return
		}
		seen[r] = true
		for _, p := range r.parents {
			switch {
			case p.shuffle == nil:
				walk(p.rdd)
			case !slices.Contains(out, p.shuffle):
				out = append(out, p.shuffle)
			}
		}
	}
	walk(r)
	slices.SortFunc(out, func(a, b *shuffle) int { return cmp.Compare(a.id, b.id) })
	return out
}

// narrowFamily is r and its narrow ancestors.
func narrowFamily(r *rdd) []*rdd {
	out := []*rdd{r}
	for i := 0; i < len(out); i++ {
		for _, p := range out[i].parents {
			if p.shuffle == nil && !slices.Contains(out, p.rdd) {
				out = append(out, p.rdd)
			}
		}
	}
	return out
}

// reads walks from r down to what its stage must read, past caches that have a
// hole: shuffles, and the cached RDDs that stand on the way.
func (d *driver) reads(r *rdd) (shuffles []*shuffle, caches []*rdd) {
	seen := map[*rdd]bool{}
	var walk func(r *rdd)
	walk = func(r *rdd) {
		if seen[r] {
			return
		}
		seen[r] = true
		if r.kept() {
			caches = append(caches, r)
			if d.cluster.isCached(r) {
				return
			}
		}
		for _, p := range r.parents {
			switch {
			case p.shuffle == nil:
				walk(p.rdd)
			case !slices.Contains(shuffles, p.shuffle):
				shuffles = append(shuffles, p.shuffle)
			}
		}
	}
	walk(r)
	slices.SortFunc(shuffles, func(a, b *shuffle) int { return cmp.Compare(a.id, b.id) })
	slices.SortFunc(caches, func(a, b *rdd) int { return cmp.Compare(a.id, b.id) })
	return shuffles, caches
}

// Jobs.

func (d *driver) submitJob(index int, p *planJob) {
	if p.mapStage != nil && d.available(p.mapStage) {
		if shuffles, _ := d.reads(p.rdd); slices.ContainsFunc(shuffles, func(s *shuffle) bool { return !d.available(s) }) {
			d.jobDone(index) // adaptive SQL would not ask for it again
			return
		}
	}
	j := &job{id: d.nextJobID, plan: p, index: index}
	d.nextJobID++
	if p.mapStage != nil {
		j.final = d.mapStage(p.mapStage)
	} else {
		j.final = d.newStage(p.rdd, nil, p.name)
		j.final.job = j
		j.final.info.tasks = len(p.parts)
		j.finished, j.left = make([]bool, len(p.parts)), len(p.parts)
	}
	d.join(j, j.final)
	d.active = append(d.active, j)

	listed := slices.Clone(j.stages)
	d.rnd.Shuffle(len(listed), func(a, b int) { listed[a], listed[b] = listed[b], listed[a] })
	infos := make([]*stageInfo, len(listed))
	for i, st := range listed {
		infos[i] = st.info
	}
	d.ev.jobStart(j.id, d.now, infos)
	d.submitStage(j.final)
	if p.mapStage != nil && slices.Contains(d.active, j) && d.available(p.mapStage) {
		d.endJob(j, "")
	}
}

// join makes a stage and all below it the job's.
func (d *driver) join(j *job, st *stage) {
	if slices.Contains(j.stages, st) {
		return
	}
	j.stages = append(j.stages, st)
	st.jobs = append(st.jobs, j)
	for _, p := range st.parents {
		d.join(j, p)
	}
}

func (d *driver) mapStage(s *shuffle) *stage {
	if st := d.ofShuffle[s]; st != nil {
		return st
	}
	st := d.newStage(s.mapRDD, s, s.mapRDD.scope)
	d.ofShuffle[s] = st
	return st
}

func (d *driver) newStage(r *rdd, s *shuffle, name string) *stage {
	st := &stage{rdd: r, shuffle: s}
	for _, p := range directShuffles(r) {
		st.parents = append(st.parents, d.mapStage(p))
	}
	st.id = d.nextStageID
	d.nextStageID++
	d.stages[st.id] = st
	st.info = d.describe(st, 0, r.parts, fmt.Sprintf("%s at Gen.scala:%d", name, r.id+1))
	if s != nil {
		d.truth.shuffleStage(s, st.id)
	}
	return st
}

func (d *driver) describe(st *stage, attempt, tasks int, name string) *stageInfo {
	info := &stageInfo{id: st.id, attempt: attempt, name: name, tasks: tasks}
	for _, r := range narrowFamily(st.rdd) {
		info.rdds = append(info.rdds, stageRDD{r, r.kept()})
	}
	for _, p := range st.parents {
		info.parents = append(info.parents, p.id)
	}
	slices.Sort(info.parents)
	return info
}

// endJob ends a job; what only it used is stopped and forgotten.
func (d *driver) endJob(j *job, failure string) {
	reason := failure
	if failure == "" {
		reason = fmt.Sprintf("Job %d is finished.", j.id)
	}
	d.active = slices.DeleteFunc(d.active, func(x *job) bool { return x == j })
	for _, st := range j.stages {
		st.jobs = slices.DeleteFunc(st.jobs, func(x *job) bool { return x == j })
		if len(st.jobs) > 0 {
			continue
		}
		if slices.Contains(d.running, st) {
			d.cancel(st, "Stage cancelled")
			d.markFinished(st, reason)
		}
		delete(d.stages, st.id)
		if st.shuffle != nil {
			delete(d.ofShuffle, st.shuffle)
		}
		d.waiting, d.failedStages = without(d.waiting, st), without(d.failedStages, st)
		if st.job == j && failure == "" {
			d.cancel(st, "Stage finished")
		}
	}
	d.ev.jobEnd(j.id, d.now, failure)
	d.jobDone(j.index)
}

// cancel kills what runs of a stage.
func (d *driver) cancel(st *stage, reason string) {
	for _, ts := range d.pool {
		if ts.stage == st {
			ts.zombie = true
			for _, t := range slices.Clone(ts.running) {
				d.kill(t, reason)
			}
		}
	}
}

func without(list []*stage, st *stage) []*stage {
	return slices.DeleteFunc(list, func(x *stage) bool { return x == st })
}

// abort fails every job that needs the stage.
func (d *driver) abort(st *stage, reason string) {
	for _, j := range slices.Clone(st.jobs) {
		d.endJob(j, "Job aborted due to stage failure: "+reason)
	}
}

// Stages.

func (d *driver) submitStage(st *stage) {
	if len(st.jobs) == 0 || slices.Contains(d.waiting, st) || slices.Contains(d.running, st) || slices.Contains(d.failedStages, st) {
		return
	}
	missing := d.missingParents(st)
	if len(missing) == 0 {
		d.submitTasks(st)
		return
	}
	for _, m := range missing {
		d.submitStage(m)
	}
	d.waiting = append(d.waiting, st)
}

func (d *driver) missingParents(st *stage) []*stage {
	var out []*stage
	shuffles, _ := d.reads(st.rdd)
	for _, s := range shuffles {
		p := d.mapStage(s)
		switch {
		case !d.available(s):
			out = append(out, p)
		case d.ev.v.skipNumbering && p.nextAttempt == 0:
			p.nextAttempt = 1
		}
	}
	slices.SortFunc(out, func(a, b *stage) int { return cmp.Compare(a.id, b.id) })
	return out
}

// missingParts are the partitions that a new attempt of the stage must run; for
// a result stage they count the requested partitions.
func (d *driver) missingParts(st *stage) []int {
	var out []int
	if st.shuffle != nil {
		for p, o := range d.registered(st.shuffle) {
			if o == nil {
				out = append(out, p)
			}
		}
		return out
	}
	for i, done := range st.job.finished {
		if !done {
			out = append(out, i)
		}
	}
	return out
}

func (d *driver) submitTasks(st *stage) {
	ids := d.missingParts(st)
	st.info = d.describe(st, st.nextAttempt, len(ids), st.info.name)
	st.nextAttempt++
	d.running = append(d.running, st)
	if len(ids) == 0 {
		d.ev.stageSubmitted(st.info)
		d.finishMapStage(st)
		return
	}
	st.info.submit = d.now
	d.ev.stageSubmitted(st.info)
	ts := &taskset{stage: st, attempt: st.info.attempt, epoch: d.epoch, ids: ids, job: st.jobs[0]}
	for _, j := range st.jobs {
		if j.id < ts.job.id {
			ts.job = j
		}
	}
	ts.prepare(d)
	st.pending = map[int]bool{}
	for _, p := range ts.parts {
		st.pending[p] = true
	}
	d.truthAttempt(ts)
	d.pool = append(d.pool, ts)
	d.kick()
}

func (d *driver) markFinished(st *stage, failure string) {
	d.running = without(d.running, st)
	st.info.finish = d.now
	if failure != "" {
		st.info.failure = failure
	} else {
		st.failures = 0
	}
	d.ev.stageCompleted(st.info)
}

// finishMapStage ends a map stage whose tasks are all accounted for.
func (d *driver) finishMapStage(st *stage) {
	d.markFinished(st, "")
	d.epoch++
	if !d.available(st.shuffle) {
		d.submitStage(st)
		return
	}
	for _, j := range slices.Clone(st.jobs) {
		if j.final == st {
			d.endJob(j, "")
		}
	}
	d.submitWaiting(st)
}

// submitWaiting looks again at the stages that waited for st.
func (d *driver) submitWaiting(st *stage) {
	var children []*stage
	for _, w := range d.waiting {
		if slices.Contains(w.parents, st) {
			children = append(children, w)
		}
	}
	slices.SortStableFunc(children, func(a, b *stage) int { return cmp.Compare(firstJob(a), firstJob(b)) })
	for _, c := range children {
		d.waiting = without(d.waiting, c)
	}
	for _, c := range children {
		d.submitStage(c)
	}
}

func firstJob(st *stage) int {
	first := int(^uint(0) >> 1)
	for _, j := range st.jobs {
		first = min(first, j.id)
	}
	return first
}

// Task ends.

// succeeded takes a task's success, whichever attempt of its stage it ran for.
func (d *driver) succeeded(t *task) {
	st := t.ts.stage
	d.succeededOnce[t.piece()] = true
	if d.stages[st.id] != st {
		return // no job uses it any more
	}
	for _, ts := range d.pool {
		if ts.stage == st && ts != t.ts && !ts.zombie {
			ts.markCompleted(t.part)
		}
	}
	if st.shuffle == nil {
		d.resultDone(st, t)
		return
	}
	delete(st.pending, t.part)
	if e, ok := d.failed[t.ex]; !ok || t.ts.epoch > e {
		d.register(t)
	}
	if slices.Contains(d.running, st) && len(st.pending) == 0 {
		d.finishMapStage(st)
	}
}

func (d *driver) resultDone(st *stage, t *task) {
	j := st.job
	id := t.ts.ids[t.index]
	if j.finished[id] {
		return
	}
	j.finished[id] = true
	if j.left--; j.left > 0 {
		return
	}
	if slices.Contains(d.running, st) {
		d.markFinished(st, "")
	}
	d.endJob(j, "")
}

// register records where a map output stands; an older one of the piece counts no more.
func (d *driver) register(t *task) {
	s := t.ts.stage.shuffle
	outs := d.registered(s)
	if old := outs[t.part]; old != nil {
		old.leave(d.now, "replaced")
	}
	o := &output{shuffle: s, rdd: s.mapRDD, part: t.part, by: t, ex: t.ex, madeMs: d.now, bytes: t.written()}
	pc := piece{shuffle: s, part: t.part}
	o.rerun = d.everMade[pc]
	d.everMade[pc] = true
	holder := "worker:" + t.ex.id
	if d.ess {
		holder = "machine:" + t.ex.host
	}
	o.stays = []Stay{{Holder: holder, From: d.now}}
	outs[t.part] = o
	d.all = append(d.all, o)
}

func (o *output) leave(ms int64, reason string) {
	if s := &o.stays[len(o.stays)-1]; s.Reason == "" {
		s.To, s.Reason = ms, reason
	}
}

// piece is what the task makes.
func (t *task) piece() piece {
	if st := t.ts.stage; st.shuffle == nil {
		return piece{job: st.job, part: t.ts.ids[t.index]}
	}
	return piece{shuffle: t.ts.stage.shuffle, part: t.part}
}

// fetchFailed takes a reader's failure to read f.
func (d *driver) fetchFailed(t *task, f *fetchTrouble) {
	st := t.ts.stage
	if d.stages[st.id] != st || st.info.attempt != t.ts.attempt {
		return
	}
	m := d.ofShuffle[f.shuffle]
	st.failures++
	abort := st.failures >= maxConsecutiveAttempts && st.info.failure == ""
	if slices.Contains(d.running, st) {
		d.markFinished(st, f.message)
	} else {
		st.failures-- // counted once an attempt
		abort = false
	}
	if f.at != nil {
		d.unregister(f.shuffle, f.part, f.at.ex)
	}
	if abort {
		d.abort(st, fmt.Sprintf("%s has failed the maximum allowable number of times: %d.", st.info.name, maxConsecutiveAttempts))
	} else {
		scheduled := slices.Contains(d.failedStages, st)
		for _, x := range []*stage{st, m} {
			if x != nil && !slices.Contains(d.failedStages, x) {
				d.failedStages = append(d.failedStages, x)
			}
		}
		if !scheduled {
			d.after(200, d.resubmitFailed)
		}
	}
	if f.at != nil {
		d.dropExecutor(f.at.ex, t.ts.epoch, true, "fetch_failed", "")
	}
}

func (d *driver) resubmitFailed() {
	stages := d.failedStages
	d.failedStages = nil
	slices.SortStableFunc(stages, func(a, b *stage) int { return cmp.Compare(firstJob(a), firstJob(b)) })
	for _, st := range stages {
		d.submitStage(st)
	}
}

// unregister takes one map output off, if it is the one that stands on ex.
func (d *driver) unregister(s *shuffle, part int, ex *executor) {
	outs := d.registered(s)
	if o := outs[part]; o != nil && o.ex == ex {
		o.leave(d.now, "fetch_failed")
		outs[part] = nil
		d.epoch++
	}
}

// dropExecutor records a failure of ex as of an epoch: its block store goes,
// and with filesLost all its map outputs, or all on host.
func (d *driver) dropExecutor(ex *executor, epoch int, filesLost bool, reason, host string) {
	if e, ok := d.failed[ex]; !ok || e < epoch {
		d.failed[ex] = epoch
		d.cluster.dropStore(d.sim, ex, reason)
	}
	if !filesLost {
		return
	}
	if e, ok := d.lost[ex]; ok && e >= epoch {
		return
	}
	d.lost[ex] = epoch
	for _, s := range d.plan.shuffles {
		outs := d.registered(s)
		for p, o := range outs {
			if o != nil && (o.ex == ex || host != "" && o.ex.host == host) {
				o.leave(d.now, reason)
				outs[p] = nil
			}
		}
	}
	d.epoch++
}

// executorLost takes a worker off: the driver has learnt that it is gone.
// host is set when the machine's own daemon is gone too.
func (d *driver) executorLost(ex *executor, why, host string, byApp bool) {
	if !ex.known {
		return
	}
	ex.known, ex.up = false, false
	first := d.rnd.IntN(2) == 0
	if first {
		d.ev.executorRemoved(ex.id, why, d.now)
	}
	filesLost := !d.ess || host != ""
	for _, ts := range slices.Clone(d.pool) {
		ts.executorLost(d, ex, why, byApp, filesLost)
	}
	reason := "worker_removed"
	if host != "" && d.ess {
		reason = "machine_removed"
	}
	if !d.ev.v.workerLostHost && !d.ess {
		host = ""
	}
	d.dropExecutor(ex, d.epoch, filesLost, reason, host)
	for _, s := range ex.dropped {
		s.Reason = "worker_removed" // the store had been the first sign
	}
	if !first {
		d.ev.executorRemoved(ex.id, why, d.now)
	}
	d.kick()
}
