package sparkgen

import (
	"cmp"
	"io"
	"slices"
)

// lineKind tells what a line of the log is of.
type lineKind int8

const (
	headLine       lineKind = iota
	addedLine               // i: worker; its block store follows on the next line
	removedLine             // i: worker; its block store follows
	jobStartLine            // i: job
	jobEndLine              // i: job
	submittedLine           // i: stage, in order of submission
	completedLine           // i: stage
	startLine               // i: task
	endLine                 // i: task
	lastLine                // the application's end
	workerLines    = 2      // lines of a worker added or removed
	headLines      = 5
	applicationEnd = 500 // ms after the last job
)

// lines goes through the log line by line: it calls do with what stands there,
// and with the number of the line, from 1. (Two lines for a worker.)
func (b *BigRun) lines(do func(kind lineKind, i int, seq int64)) {
	seq := int64(1)
	put := func(kind lineKind, i, n int) {
		do(kind, i, seq)
		seq += int64(n)
	}
	put(headLine, 0, headLines)
	for _, w := range b.workersBy(func(w *bigWorker) int64 { return w.added }) {
		put(addedLine, w, workerLines)
	}
	gone := b.workersBy(func(w *bigWorker) int64 { return w.removed })
	removals := func(until int64) {
		for len(gone) > 0 && b.workers[gone[0]].removed <= until {
			put(removedLine, gone[0], workerLines)
			gone = gone[1:]
		}
	}
	next := 0
	for j := range b.jobs {
		removals(b.jobs[j].submit)
		put(jobStartLine, j, 1)
		for ; next < len(b.stages) && b.stages[next].job == j; next++ {
			put(submittedLine, next, 1)
			b.taskLines(&b.stages[next], func(kind lineKind, t int) { put(kind, t, 1) })
			put(completedLine, next, 1)
		}
		put(jobEndLine, j, 1)
	}
	removals(b.end)
	put(lastLine, 0, 1)
}

// taskLines merges the launches and the ends of a stage; of one ms, ends first.
func (b *BigRun) taskLines(st *bigStage, put func(kind lineKind, t int)) {
	ends := make([]int, st.end-st.first)
	for i := range ends {
		ends[i] = st.first + i
	}
	slices.SortStableFunc(ends, func(x, y int) int { return cmp.Compare(b.tasks[x].end, b.tasks[y].end) })
	for t := st.first; t < st.end; t++ {
		for len(ends) > 0 && b.tasks[ends[0]].end <= b.tasks[t].start {
			put(endLine, ends[0])
			ends = ends[1:]
		}
		put(startLine, t)
	}
	for _, t := range ends {
		put(endLine, t)
	}
}

// workersBy lists the workers that have a time, by it.
func (b *BigRun) workersBy(at func(*bigWorker) int64) []int {
	var out []int
	for i := range b.workers {
		if at(&b.workers[i]) > 0 {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(x, y int) int { return cmp.Compare(at(&b.workers[x]), at(&b.workers[y])) })
	return out
}

// WriteLog writes the run as a Spark 3.5 event log.
func (b *BigRun) WriteLog(w io.Writer) error {
	l := &bigLog{BigRun: b, ev: &events{v: spark35()}, w: w}
	b.lines(l.line)
	l.flush(0)
	return l.err
}

type bigLog struct {
	*BigRun
	ev  *events
	w   io.Writer
	err error
	ids map[int]int // dataset -> its stage in this job
}

func (l *bigLog) line(kind lineKind, i int, _ int64) {
	e := l.ev
	switch kind {
	case headLine:
		e.logStart()
		e.profile(l.opt.Slots)
		e.blockManagerAdded("driver", "m0000", 40000, l.start)
		e.environment(l.settings())
		e.appStart("big", l.app, l.start)
	case addedLine:
		w := &l.workers[i]
		e.executorAdded(w.id, w.host, l.opt.Slots, w.added)
		e.blockManagerAdded(w.id, w.host, 41000, w.added)
	case removedLine:
		w := &l.workers[i]
		e.executorRemoved(w.id, exitReason, w.removed)
		e.blockManagerRemoved(w.id, w.host, 41000, w.removed)
	case jobStartLine:
		l.jobStart(i)
	case jobEndLine:
		e.jobEnd(i, l.jobs[i].end, "")
	case submittedLine, completedLine:
		st := &l.stages[i]
		info := l.info(st, l.ids)
		info.submit = st.submit
		if kind == submittedLine {
			e.stageSubmitted(info)
		} else {
			info.finish = st.complete
			e.stageCompleted(info)
		}
	case startLine:
		st := &l.stages[l.tasks[i].stage]
		ti := l.taskInfo(st, i)
		e.taskStart(st.id, st.attempt, &ti)
	case endLine:
		l.taskEnd(&l.stages[l.tasks[i].stage], i)
	case lastLine:
		e.appEnd(l.end)
	}
	l.flush(1 << 20)
}

// flush hands on what is written once it is more than keep bytes.
func (l *bigLog) flush(keep int) {
	if len(l.ev.b) <= keep {
		return
	}
	if l.err == nil {
		_, l.err = l.w.Write(l.ev.b)
	}
	l.ev.b = l.ev.b[:0]
}

func (l *bigLog) jobStart(j int) {
	job := &l.jobs[j]
	l.ids = map[int]int{}
	for _, s := range job.stages {
		if s.ds >= 0 {
			l.ids[s.ds] = s.id
		}
	}
	infos := make([]*stageInfo, len(job.stages))
	for i, s := range job.stages {
		st := l.stages[s.of]
		st.id, st.attempt = s.id, 0
		infos[i] = l.info(&st, l.ids)
		infos[i].tasks = st.whole
	}
	l.ev.jobStart(j, job.submit, infos)
}

// info describes a stage by the RDDs that Big gave it.
func (l *bigLog) info(st *bigStage, ids map[int]int) *stageInfo {
	own := &rdd{id: st.own, class: "MapPartitionsRDD", scope: "map", parts: st.whole}
	base := &rdd{id: st.base, class: "MapPartitionsRDD", scope: "map", parts: st.whole}
	rdds := []stageRDD{{own, false}, {base, false}}
	top := base
	if st.cache >= 0 {
		c := &l.datasets[st.cache]
		top = &rdd{id: c.rdd, class: "MapPartitionsRDD", scope: "map", parts: c.parts, parents: []dep{{rdd: base}}}
		rdds = append(rdds, stageRDD{top, true})
	}
	own.parents = []dep{{rdd: top}}
	if len(st.reads) == 0 {
		base.class, base.scope = "ParallelCollectionRDD", "parallelize"
	}
	from := base
	if len(st.reads) > 1 {
		from = &rdd{id: st.join, class: "ZippedPartitionsRDD2", scope: "zip", parts: st.whole}
		base.parents = []dep{{rdd: from}}
		rdds = append(rdds, stageRDD{from, false})
	}
	info := &stageInfo{id: st.id, attempt: st.attempt, name: l.stageName(st), tasks: st.end - st.first, submit: 0}
	read := func(d int) {
		x := &l.datasets[d]
		m := &rdd{id: x.rdd}
		r := &rdd{id: x.reader, class: "ShuffledRDD", scope: "partitionBy", parts: st.whole, parents: []dep{{rdd: m}}}
		from.parents = append(from.parents, dep{rdd: r})
		rdds = append(rdds, stageRDD{r, false})
		if id, ok := ids[d]; ok {
			info.parents = append(info.parents, id)
		}
	}
	for _, d := range st.reads {
		x := &l.datasets[d]
		if !x.isCache {
			read(d)
			continue
		}
		c := &rdd{id: x.rdd, class: "MapPartitionsRDD", scope: "map", parts: x.parts}
		from.parents = append(from.parents, dep{rdd: c})
		rdds = append(rdds, stageRDD{c, true})
		// Below a cache the log goes on listing what made it.
		made := l.stages[x.maker]
		made.reads, made.cache = l.datasets[st.cacheRead(l.BigRun)].inputs, -1
		below := l.info(&made, ids)
		c.parents = []dep{{rdd: below.rdds[1].rdd}}
		rdds = append(rdds, below.rdds[1:]...)
		info.parents = append(info.parents, below.parents...)
	}
	slices.Sort(info.parents)
	info.parents = slices.Compact(info.parents)
	info.rdds = rdds
	return info
}

// cacheRead is the cached dataset that a stage reads.
func (st *bigStage) cacheRead(b *BigRun) int {
	for _, d := range st.reads {
		if b.datasets[d].isCache {
			return d
		}
	}
	return -1
}

func (l *bigLog) taskInfo(st *bigStage, t int) taskInfo {
	x := &l.tasks[t]
	w := &l.workers[x.worker]
	return taskInfo{task: t, index: t - st.first, part: int(x.part), launch: x.start, finish: x.end, worker: w.id, host: w.host, locality: "PROCESS_LOCAL"}
}

func (l *bigLog) taskEnd(st *bigStage, t int) {
	x := &l.tasks[t]
	ti := l.taskInfo(st, t)
	m := taskMetrics{runMs: x.end - x.start - 10, deserializeMs: 5, gcMs: 1, resultBytes: 1200, remoteBlocks: x.reads, remoteBytes: x.reads << 10, readRecords: x.reads}
	kind := "ResultTask"
	if st.ds >= 0 {
		kind = "ShuffleMapTask"
		m.writtenBytes, m.writtenRecords, m.wrNs = x.bytes, x.bytes>>7, 1_000_000
	}
	if len(st.reads) == 0 {
		m.inputBytes = x.bytes
	}
	l.ev.taskEnd(st.id, st.attempt, kind, &ti, &endReason{reason: "Success"}, &m)
}
