package sparkgen

import (
	"cmp"
	"io"
	"slices"
)

// WriteLog writes the run as a Spark 3.5 event log.
func (b *BigRun) WriteLog(w io.Writer) error {
	l := &bigLog{BigRun: b, ev: &events{v: spark35()}, w: w}
	l.head()
	next := 0
	for j := range b.jobs {
		l.job(j, &next)
		if l.err != nil {
			return l.err
		}
	}
	l.removals(b.end)
	l.ev.appEnd(b.end)
	l.flush(0)
	return l.err
}

type bigLog struct {
	*BigRun
	ev      *events
	w       io.Writer
	err     error
	removed int // workers already reported, in order of removal
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

func (l *bigLog) head() {
	e := l.ev
	e.logStart()
	e.profile(l.opt.Slots)
	e.blockManagerAdded("driver", "m0000", 40000, l.start)
	e.environment(l.settings())
	e.appStart("big", l.app, l.start)
	order := make([]int, len(l.workers))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(l.workers[x].added, l.workers[y].added) })
	for _, i := range order {
		w := &l.workers[i]
		e.executorAdded(w.id, w.host, l.opt.Slots, w.added)
		e.blockManagerAdded(w.id, w.host, 41000, w.added)
	}
}

// removals tells of the workers that left until ms.
func (l *bigLog) removals(ms int64) {
	var gone []int
	for i := range l.workers {
		if r := l.workers[i].removed; r > 0 && r <= ms {
			gone = append(gone, i)
		}
	}
	slices.SortStableFunc(gone, func(x, y int) int { return cmp.Compare(l.workers[x].removed, l.workers[y].removed) })
	for _, i := range gone[l.removed:] {
		w := &l.workers[i]
		l.ev.executorRemoved(w.id, exitReason, w.removed)
		l.ev.blockManagerRemoved(w.id, w.host, 41000, w.removed)
	}
	l.removed = len(gone)
}

func (l *bigLog) job(j int, next *int) {
	job := &l.jobs[j]
	l.removals(job.submit)
	ids := map[int]int{} // dataset -> stage id in this job
	for _, s := range job.stages {
		if s.ds >= 0 {
			ids[s.ds] = s.id
		}
	}
	infos := make([]*stageInfo, len(job.stages))
	for i, s := range job.stages {
		st := l.stages[s.of]
		st.id, st.attempt = s.id, 0
		infos[i] = l.info(&st, ids)
		infos[i].tasks = st.whole
	}
	l.ev.jobStart(j, job.submit, infos)
	for ; *next < len(l.stages) && l.stages[*next].job == j; *next++ {
		l.stage(&l.stages[*next], ids)
	}
	l.ev.jobEnd(j, job.end, "")
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

func (l *bigLog) stage(st *bigStage, ids map[int]int) {
	info := l.info(st, ids)
	info.submit = st.submit
	l.ev.stageSubmitted(info)
	n := st.end - st.first
	order := make([]int, n)
	for i := range order {
		order[i] = st.first + i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(l.tasks[x].end, l.tasks[y].end) })
	next := 0
	ends := func(before int64) {
		for ; next < n && l.tasks[order[next]].end <= before; next++ {
			l.end(st, order[next])
		}
	}
	for t := st.first; t < st.end; t++ {
		ends(l.tasks[t].start)
		ti := l.taskInfo(st, t)
		l.ev.taskStart(st.id, st.attempt, &ti)
		l.flush(1 << 20)
	}
	ends(st.complete)
	info.finish = st.complete
	l.ev.stageCompleted(info)
}

func (l *bigLog) taskInfo(st *bigStage, t int) taskInfo {
	x := &l.tasks[t]
	w := &l.workers[x.worker]
	return taskInfo{task: t, index: t - st.first, part: int(x.part), launch: x.start, finish: x.end, worker: w.id, host: w.host, locality: "PROCESS_LOCAL"}
}

func (l *bigLog) end(st *bigStage, t int) {
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
	l.flush(1 << 20)
}
