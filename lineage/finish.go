package lineage

import (
	"cmp"
	"maps"
	"slices"

	"tracereplay/ingest"
	"tracereplay/internal/table"
)

// denseFrom is the share of the possible blocks from which on an edge counts
// as dense: every reader needs every output.
const denseFrom = 0.98

// finish writes the application's rows.
func (a *app) finish(f *ingest.AppFacts) {
	a.settle()
	end := max(f.App.LastMs.Or(0), a.now)
	for i := range f.Workers {
		w := a.worker(f.Workers[i].Worker, f.Workers[i].Host.V)
		a.workers[w].machine = f.Workers[i].Machine
	}
	removalOf := a.writeRemovals(f)
	a.writeOpenTasks(f, end)
	a.expectOpen(end)
	a.expectUnread(end)
	a.writeDatasets()
	a.writeNeeds(end)
	a.writeOutputs(removalOf)
	a.writeReruns(removalOf)
	a.checkEnd()
}

// writeOpenTasks writes the attempts that never ended: until their worker was
// given up, else until the end of the log.
func (a *app) writeOpenTasks(f *ingest.AppFacts, end int64) {
	removed := map[string]int64{}
	for i := range f.Workers {
		if ms := f.Workers[i].RemovedMs; ms.OK {
			removed[f.Workers[i].Worker] = ms.V
		}
	}
	for _, id := range slices.Sorted(maps.Keys(a.running)) {
		r := a.running[id]
		ms, ok := removed[a.workers[r.worker].id]
		if !ok {
			ms = end
		}
		a.writeAttempt(r, string(ingest.Running), max(ms, r.start), false)
	}
}

func (a *app) writeDatasets() {
	for _, d := range a.datasets {
		if d.openJobs > 0 {
			d.liveUntilMs = table.I64{}
		}
		kind := "shuffle"
		if d.key.cache {
			kind = "cache"
		}
		a.w.datasets.Append(&DatasetRow{
			App: a.key, Dataset: int64(d.id), Kind: kind, RDD: d.key.rdd,
			ReadingRDD: table.I64{V: d.key.reading, OK: d.key.hasReading}, Ordinal: d.key.ordinal, EngineShuffle: d.engineShuffle,
			Partitions: table.I64{V: d.parts, OK: d.parts > 0}, Name: d.name, FirstStage: d.firstStage, Replication: d.repl,
			Rollback: d.rollback, LastReadMs: d.lastReadMs, LiveUntilMs: d.liveUntilMs, Known: d.known,
		})
	}
	for _, d := range a.datasets {
		inputs := d.passThrough(map[*dataset]bool{d: true})
		slices.SortFunc(inputs, func(x, y *dataset) int { return cmp.Compare(x.id, y.id) })
		for _, in := range slices.Compact(inputs) {
			if in == d {
				continue
			}
			a.w.inputs.Append(&InputRow{App: a.key, Dataset: int64(d.id), Input: int64(in.id), Known: cmp.Or(worse(d.known, in.known), Derived)})
		}
	}
}

func sortFindings(rows []FindingRow) {
	slices.SortStableFunc(rows, func(x, y FindingRow) int {
		return cmp.Or(cmp.Compare(x.Check, y.Check), cmp.Compare(x.Seq.V, y.Seq.V), cmp.Compare(x.Detail, y.Detail))
	})
}

// worse is the weaker of two ways of knowing.
func worse(x, y string) string {
	rank := map[string]int{Logged: 0, Derived: 1, Inferred: 2, Bound: 3}
	if rank[x] > rank[y] {
		return x
	}
	return y
}

func (a *app) writeNeeds(end int64) {
	rows := []NeedRow{}
	for _, ts := range [][]*attempt{a.order, a.expected} {
		for _, t := range ts {
			for _, n := range t.needs {
				rows = append(rows, a.needRow(t, n, end))
			}
		}
	}
	slices.SortFunc(rows, func(x, y NeedRow) int {
		return cmp.Or(cmp.Compare(x.Dataset, y.Dataset), cmp.Compare(x.Stage, y.Stage), cmp.Compare(x.StageAttempt, y.StageAttempt))
	})
	for i := range rows {
		a.w.needs.Append(&rows[i])
	}
}

func (a *app) needRow(t *attempt, n *need, end int64) NeedRow {
	row := NeedRow{
		App: a.key, Dataset: int64(n.dataset.id), Stage: t.stage.id, StageAttempt: t.number, Job: t.job,
		SubmitMs: t.submitMs, LastStartMs: t.lastStart, UntilMs: t.until(end),
		IsRerun: t.isMap && t.readers > 0 && !t.firstRun,
		Readers: t.readers, FinishedReaders: t.finished, Known: n.dataset.known,
	}
	if t.expectedUntil.OK {
		row.SubmitMs, row.Known = t.expectedUntil, Inferred
	}
	if n.through != nil {
		row.ThroughCache = table.Some(int64(n.through.id))
	}
	if row.IsRerun {
		row.FromMs = t.submitMs
	}
	if !n.dataset.key.cache && t.counted > 0 && t.blocksPerReader > 0 {
		possible := t.counted * t.blocksPerReader
		row.BlocksFetched, row.BlocksPossible = table.Some(t.blocks), table.Some(possible)
		density := float64(t.blocks) / float64(possible)
		row.Density, row.Dense = table.Some(density), table.Some(density >= denseFrom)
	}
	return row
}

// until is when an attempt's last reader had ended: its last success; without
// one its own end, or the end of the log. The newest attempt of a stage that
// still lacked pieces would have been followed by another: until its job ended.
func (t *attempt) until(end int64) int64 {
	switch {
	case t.expectedUntil.OK:
		return t.expectedUntil.V
	case t.stage.last == t && t.finished < t.tasks && (t.failure != "" || !t.done) && !t.jobOK:
		return t.jobEndMs.Or(end)
	case len(t.open) > 0 && !t.doneMs.OK:
		return end
	case t.lastSuccess.OK:
		return t.lastSuccess.V
	case t.doneMs.OK:
		return t.doneMs.V
	}
	return end
}

func (a *app) writeOutputs(removalOf map[int32]int64) {
	holders := map[string]HolderRow{}
	for i := range a.outputs.n {
		o := a.outputs.at(i)
		d := a.datasets[o.dataset]
		row := OutputRow{
			App: a.key, Output: int64(i), Dataset: int64(o.dataset), Partition: int64(o.partition), Task: known(o.task),
			Worker: a.workers[o.worker].id, MadeMs: o.made, MadeSeq: o.seq, CostMs: max(o.cost, 0), Bytes: known(o.bytes), IsRerun: o.rerun, Known: Logged,
		}
		if o.inferred {
			row.Known = Inferred
		}
		if o.attempt > 0 {
			t := a.order[o.attempt-1]
			row.Stage, row.StageAttempt = table.Some(t.stage.id), table.Some(t.number)
		}
		a.w.outputs.Append(&row)
		a.writeResidence(holders, d, residence{output: int32(i), worker: o.worker, from: o.made, seq: o.seq, end: o.end}, removalOf, row.Known)
		var later []residence
		for x := o.extra; x >= 0; x = a.extras[x].next {
			later = append(later, a.extras[x])
		}
		slices.Reverse(later)
		for _, r := range later {
			a.writeResidence(holders, d, r, removalOf, row.Known)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(holders)) {
		h := holders[name]
		a.w.holders.Append(&h)
	}
}

// writeResidence writes one copy of an output. A map output that outlives the
// last job that could read it is a bound: from that job's end on the engine may
// delete it, and no log tells when.
func (a *app) writeResidence(holders map[string]HolderRow, d *dataset, r residence, removalOf map[int32]int64, how string) {
	h := a.workerHolder(r.worker)
	if !d.key.cache {
		h = a.shuffleHolder(r.worker)
	}
	holders[h.Holder] = h
	row := ResidenceRow{App: a.key, Output: int64(r.output), Holder: h.Holder, FromMs: r.from, FromSeq: r.seq, Known: how}
	if how == Logged {
		row.Known = Derived
	}
	if r.end >= 0 {
		e := &a.ends[r.end]
		row.ToMs, row.EndReason, row.EndSeq = table.Some(max(e.ms, r.from)), table.Some(e.reason), table.Some(e.seq)
		if id, ok := removalOf[e.worker]; ok && e.worker >= 0 {
			row.Removal = table.Some(id)
		}
	}
	if until := d.liveUntilMs; !d.key.cache && until.OK && (!row.ToMs.OK || row.ToMs.V > until.V) {
		row.Known = Bound
	}
	a.w.residences.Append(&row)
}

func (a *app) writeReruns(removalOf map[int32]int64) {
	slices.SortFunc(a.reruns, func(x, y rerun) int { return cmp.Compare(x.task, y.task) })
	for i := range a.reruns {
		r := &a.reruns[i]
		row := RerunRow{
			App: a.key, Task: r.task, Dataset: int64(r.dataset), Partition: r.partition,
			FirstOutput: int64(r.first), FirstTask: a.outputs.at(r.first).task, PrevOutput: int64(r.prev), PrevTask: a.outputs.at(r.prev).task,
			PrevAlive: r.prevAlive, Status: string(r.status),
		}
		if e := a.outputs.at(r.prev).end; e >= 0 && a.ends[e].worker >= 0 {
			if id, ok := removalOf[a.ends[e].worker]; ok {
				row.Removal = table.Some(id)
			}
		}
		a.w.reruns.Append(&row)
	}
}
