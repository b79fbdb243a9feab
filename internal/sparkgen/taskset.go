package sparkgen

import (
	"cmp"
	"slices"
)

// taskset is one stage attempt's tasks: what Spark's TaskSetManager does.
type taskset struct {
	stage      *stage
	job        *job // first that wants it; decides its turn
	attempt    int
	epoch      int   // of the driver, when it was submitted
	ids        []int // by index: map partition, or place among the requested partitions
	parts      []int // by index: partition of the stage's RDD
	successful []bool
	attempts   []int // launched so far, by index
	failures   []int
	pending    []int // a stack of indices
	zombie     bool
	running    []*task
	all        []*task
	done       int
	work       int64 // typical time of a task, ms
}

// task is one attempt of one task.
type task struct {
	id, index, part, attempt int
	ts                       *taskset
	ex                       *executor
	launch, finish           int64
	speculative              bool
	ended                    bool
	killReason               string
	killedByOther            bool
	failed, killed           bool
	fetched                  taskMetrics
}

const maxTaskFailures = 4

func (ts *taskset) prepare(d *driver) {
	n := len(ts.ids)
	ts.successful, ts.attempts, ts.failures = make([]bool, n), make([]int, n), make([]int, n)
	ts.parts = make([]int, n)
	for i, id := range ts.ids {
		ts.parts[i] = id
		if j := ts.stage.job; j != nil {
			ts.parts[i] = j.plan.parts[id]
		}
	}
	for i := n - 1; i >= 0; i-- {
		ts.pending = append(ts.pending, i)
	}
	ts.work = int64(30 + d.rnd.IntN(400))
}

// kick has the scheduler look for work soon.
func (d *driver) kick() {
	if !d.kicked {
		d.kicked = true
		d.after(1, d.schedule)
	}
}

// schedule offers every free slot, one task a worker and pass, to the task sets
// in order of job and stage.
func (d *driver) schedule() {
	d.kicked = false
	d.pool = slices.DeleteFunc(d.pool, func(ts *taskset) bool { return ts.zombie && len(ts.running) == 0 })
	order := slices.Clone(d.pool)
	slices.SortStableFunc(order, func(a, b *taskset) int {
		return cmp.Or(cmp.Compare(a.job.id, b.job.id), cmp.Compare(a.stage.id, b.stage.id))
	})
	offers := d.cluster.offers()
	d.rnd.Shuffle(len(offers), func(a, b int) { offers[a], offers[b] = offers[b], offers[a] })
	for _, ts := range order {
		for launched := true; launched; {
			launched = false
			for _, ex := range offers {
				if ex.busy < ex.slots && ts.offer(d, ex) {
					launched = true
				}
			}
		}
	}
}

// offer launches a task on ex if there is one to launch.
func (ts *taskset) offer(d *driver, ex *executor) bool {
	for !ts.zombie && len(ts.pending) > 0 {
		i := ts.pending[len(ts.pending)-1]
		ts.pending = ts.pending[:len(ts.pending)-1]
		if ts.successful[i] || ts.isRunning(i) {
			continue
		}
		ts.launch(d, i, ex, false)
		return true
	}
	return d.speculation && ts.offerCopy(d, ex)
}

func (ts *taskset) isRunning(i int) bool {
	return slices.ContainsFunc(ts.running, func(t *task) bool { return t.index == i })
}

// offerCopy launches a second copy of a slow task once most are done.
func (ts *taskset) offerCopy(d *driver, ex *executor) bool {
	if ts.zombie || len(ts.ids) < 2 || ts.done*4 < len(ts.ids)*3 {
		return false
	}
	for _, t := range ts.running {
		n := 0
		for _, x := range ts.running {
			if x.index == t.index {
				n++
			}
		}
		if n == 1 && !ts.successful[t.index] && t.ex.host != ex.host && d.now-t.launch > ts.work*3/2 && t.killReason == "" {
			ts.launch(d, t.index, ex, true)
			return true
		}
	}
	return false
}

func (ts *taskset) launch(d *driver, i int, ex *executor, speculative bool) {
	t := &task{id: d.nextTask, index: i, part: ts.parts[i], attempt: ts.attempts[i], ts: ts, ex: ex, launch: d.now, speculative: speculative}
	d.nextTask++
	ts.attempts[i]++
	ts.running = append(ts.running, t)
	ts.all = append(ts.all, t)
	ex.busy++
	ti := t.info()
	d.ev.taskStart(ts.stage.id, ts.attempt, &ti)
	d.cluster.start(d.sim, t)
}

func (t *task) info() taskInfo {
	return taskInfo{
		task: t.id, index: t.index, attempt: t.attempt, part: t.part, launch: t.launch, finish: t.finish,
		worker: t.ex.id, host: t.ex.host, locality: "PROCESS_LOCAL", speculative: t.speculative, failed: t.failed, killed: t.killed,
	}
}

func (t *task) kind() string {
	if t.ts.stage.shuffle != nil {
		return "ShuffleMapTask"
	}
	return "ResultTask"
}

// written is the size of the task's map output.
func (t *task) written() int64 {
	s := t.ts.stage.shuffle
	if s == nil || s.isEmpty(t.part) {
		return 0
	}
	return int64(1000 + 37*t.part + 11*s.id)
}

// end is the common part of every end of a task.
func (d *driver) end(t *task, r *endReason, m *taskMetrics) {
	t.ended, t.finish = true, d.now
	t.failed = r.reason != "Success" && r.reason != "TaskKilled"
	t.killed = r.reason == "TaskKilled"
	t.ts.running = slices.DeleteFunc(t.ts.running, func(x *task) bool { return x == t })
	t.ex.busy--
	ti := t.info()
	d.ev.taskEnd(t.ts.stage.id, t.ts.attempt, t.kind(), &ti, r, m)
	d.taskEnded()
	d.kick()
}

// success is told by the worker.
func (d *driver) success(t *task) {
	if t.killReason != "" {
		d.killed(t)
		return
	}
	ts := t.ts
	m := t.fetched
	m.runMs = max(d.now-t.launch-4, 0)
	m.deserializeMs, m.resultBytes = 2, 900
	if m.writtenBytes = t.written(); m.writtenBytes > 0 {
		m.writtenRecords, m.wrNs = 10, 200_000
	}
	d.end(t, &endReason{reason: "Success"}, &m)
	if !ts.successful[t.index] {
		ts.succeed(t.index)
		for _, x := range slices.Clone(ts.running) {
			if x.index == t.index {
				x.killedByOther = true
				d.kill(x, "another attempt succeeded")
			}
		}
	}
	d.succeeded(t)
}

func (ts *taskset) succeed(i int) {
	ts.successful[i] = true
	if ts.done++; ts.done == len(ts.ids) {
		ts.zombie = true
	}
}

// markCompleted is told that another attempt of the stage finished a partition.
func (ts *taskset) markCompleted(part int) {
	if i := slices.Index(ts.parts, part); i >= 0 && !ts.successful[i] {
		ts.succeed(i)
	}
}

// kill asks the worker to stop a task; it takes a moment.
func (d *driver) kill(t *task, reason string) {
	if t.killReason != "" {
		return
	}
	t.killReason = reason
	d.after(int64(1+d.rnd.IntN(8)), func() {
		if !t.ended && t.ex.up {
			d.killed(t)
		}
	})
}

func (d *driver) killed(t *task) {
	d.end(t, &endReason{reason: "TaskKilled", text: t.killReason}, nil)
	t.ts.retry(t)
}

// retry puts a task that did not succeed back, unless that is pointless.
func (ts *taskset) retry(t *task) {
	if !ts.successful[t.index] && !ts.zombie {
		ts.pending = append(ts.pending, t.index)
	}
}

// exception is a failure of the task's own.
func (d *driver) exception(t *task, text string) {
	if t.killReason != "" {
		d.killed(t)
		return
	}
	d.end(t, &endReason{reason: "ExceptionFailure", text: text}, nil)
	d.countFailure(t, text)
}

// countFailure counts a failure against the task; four of them fail its jobs.
func (d *driver) countFailure(t *task, text string) {
	ts := t.ts
	if !ts.zombie {
		if ts.failures[t.index]++; ts.failures[t.index] >= maxTaskFailures {
			ts.zombie = true
			d.abort(ts.stage, "Task failed 4 times, most recent failure: "+text)
			return
		}
	}
	ts.retry(t)
}

// fetchFailure ends a task that could not read.
func (d *driver) fetchFailure(t *task, f *fetchTrouble) {
	if t.killReason != "" {
		d.killed(t)
		return
	}
	r := &endReason{reason: "FetchFailed", shuffle: f.shuffle.id, mapID: -1, mapIndex: -1, reduce: f.reduce, text: f.message}
	if f.at != nil {
		r.worker, r.host, r.port = f.at.ex.id, f.at.ex.host, f.at.ex.port
		if d.ess {
			r.port = servicePort
		}
		r.mapIndex, r.mapID = f.part, f.part
		if d.ev.v.mapIsTask {
			r.mapID = f.at.by.id
		}
	}
	d.end(t, r, nil)
	ts := t.ts
	if !ts.successful[t.index] {
		ts.succeed(t.index)
	}
	ts.zombie = true
	d.fetchFailed(t, f)
}

// executorLost takes back what the set's tasks on ex had finished, and fails
// those that ran there.
func (ts *taskset) executorLost(d *driver, ex *executor, why string, byApp, filesLost bool) {
	if ts.stage.shuffle != nil && !ts.zombie && filesLost {
		for _, t := range ts.all {
			if t.ex != ex || !t.ended || !ts.successful[t.index] || t.killedByOther {
				continue
			}
			ts.successful[t.index] = false
			ts.done--
			ts.pending = append(ts.pending, t.index)
			if d.stages[ts.stage.id] == ts.stage {
				ts.stage.pending[t.part] = true
			}
			ti := t.info()
			d.ev.taskEnd(ts.stage.id, ts.attempt, t.kind(), &ti, &endReason{reason: "Resubmitted"}, nil)
		}
	}
	for _, t := range slices.Clone(ts.running) {
		if t.ex != ex {
			continue
		}
		d.end(t, &endReason{reason: "ExecutorLostFailure", worker: ex.id, byApp: byApp, text: why}, nil)
		if byApp {
			d.countFailure(t, why)
		} else {
			ts.retry(t)
		}
	}
}
