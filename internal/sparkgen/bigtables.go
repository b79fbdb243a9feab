package sparkgen

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"tracereplay/ingest"
	"tracereplay/internal/table"
	"tracereplay/lineage"
)

// WriteTables hands the run on as finished rows: of ingest app, setting,
// worker, machine, job, job_stage and stage, of lineage everything that the
// loss queries read (dataset, input, need, attempt, output, holder, residence).
// The rows say what reading WriteLog's log would have said.
func (b *BigRun) WriteTables(sink table.Sink) error {
	w := &bigTables{
		BigRun: b, sink: sink, added: make([]int64, len(b.workers)), removed: make([]int64, len(b.workers)),
		jobSeq: make([][2]int64, len(b.jobs)), stageSeq: make([][2]int64, len(b.stages)), ends: make([]int64, len(b.tasks)),
	}
	b.lines(w.line)
	steps := []func(*bigTables) error{
		(*bigTables).apps, (*bigTables).cluster, (*bigTables).rounds, (*bigTables).lineage, (*bigTables).needs, (*bigTables).attempts, (*bigTables).outputs,
	}
	for _, step := range steps {
		if err := step(w); err != nil {
			return err
		}
	}
	return nil
}

type bigTables struct {
	*BigRun
	sink table.Sink

	// Lines of the log, by worker, job, stage and task.
	added, removed   []int64
	jobSeq, stageSeq [][2]int64
	ends             []int64
	last             int64
}

func (b *bigTables) line(kind lineKind, i int, seq int64) {
	b.last = seq
	switch kind {
	case addedLine:
		b.added[i] = seq
	case removedLine:
		b.removed[i] = seq
	case jobStartLine:
		b.jobSeq[i][0] = seq
	case jobEndLine:
		b.jobSeq[i][1] = seq
	case submittedLine:
		b.stageSeq[i][0] = seq
	case completedLine:
		b.stageSeq[i][1] = seq
	case endLine:
		b.ends[i] = seq
	}
}

// App is the application's id in every table.
func (b *BigRun) App() string { return b.app }

// Tasks is how many task attempts the run has.
func (b *BigRun) Tasks() int { return len(b.tasks) }

// Span is the run's first and last time.
func (b *BigRun) Span() (from, to int64) { return b.start, b.end }

func some(v int64) table.I64 { return table.Some(v) }

func (b *bigTables) apps() error {
	w := table.NewWriter(ingest.Apps, b.sink)
	w.Append(&ingest.AppRow{
		App: b.app, Log: 1, Engine: "spark", Version: spark35().name, ID: table.Some(b.app), Name: table.Some("big"), User: table.Some("user"),
		StartMs: some(b.start), EndMs: some(b.end), FirstMs: some(b.start), LastMs: some(b.end), FirstSeq: 1, LastSeq: b.last,
		TimeZone: table.Some("Etc/UTC"), Manager: table.Some("standalone"), CoordinatorMachine: table.Some("m0000"),
	})
	if err := w.Flush(); err != nil {
		return err
	}
	s := table.NewWriter(ingest.SettingTable, b.sink)
	for _, kv := range b.settings() {
		s.Append(&ingest.SettingRow{App: b.app, Setting: ingest.Setting{Scope: "spark", Name: kv[0], Value: kv[1]}})
	}
	return s.Flush()
}

func (b *BigRun) settings() [][2]string {
	return [][2]string{
		{"spark.app.id", b.app},
		{"spark.executor.cores", strconv.Itoa(b.opt.Slots)},
		{"spark.master", "spark://m0000:7077"},
		{"spark.shuffle.service.enabled", strconv.FormatBool(b.opt.ESS)},
	}
}

func (b *bigTables) cluster() error {
	w := table.NewWriter(ingest.Workers, b.sink)
	w.Append(&ingest.WorkerRow{
		App: b.app, Worker: "driver", Host: table.Some("m0000"), Machine: table.Some("m0000"), MachineKnown: table.Some("logged"), IsCoordinator: true,
		MemoryBytes: some(384093388), AddedMs: some(b.start), AddedSeq: some(3),
	})
	m := table.NewWriter(ingest.Machines, b.sink)
	m.Append(&ingest.MachineRow{App: b.app, Machine: "m0000", IsCoordinator: true})
	var machine ingest.MachineRow
	open := false // a worker of it was never removed
	flush := func() {
		if machine.Machine == "" {
			return
		}
		if open {
			machine.LastMs = table.I64{}
		}
		m.Append(&machine)
	}
	for i, x := range b.workers {
		row := ingest.WorkerRow{
			App: b.app, Worker: x.id, Host: table.Some(x.host), Machine: table.Some(x.host), MachineKnown: table.Some("logged"),
			Cores: some(int64(b.opt.Slots)), Slots: some(int64(b.opt.Slots)), Profile: some(0), MemoryBytes: some(384093388),
			AddedMs: some(x.added), AddedSeq: some(b.added[i]),
		}
		if x.removed > 0 {
			row.RemovedMs, row.RemovedSeq, row.Reason = some(x.removed), some(b.removed[i]), table.Some(exitReason)
			row.StoreRemovedMs, row.StoreRemovedSeq = some(x.removed), some(b.removed[i]+1)
		}
		w.Append(&row)
		if machine.Machine != x.host {
			flush()
			open = false
			machine = ingest.MachineRow{App: b.app, Machine: x.host, FirstMs: some(x.added)}
		}
		machine.Workers++
		machine.FirstMs.V = min(machine.FirstMs.V, x.added)
		open = open || x.removed == 0
		machine.LastMs = some(max(machine.LastMs.V, x.removed))
	}
	flush()
	if err := w.Flush(); err != nil {
		return err
	}
	return m.Flush()
}

const exitReason = "Command exited with code 137"

func (b *bigTables) rounds() error {
	j := table.NewWriter(ingest.Jobs, b.sink)
	l := table.NewWriter(ingest.JobStages, b.sink)
	for i := range b.jobs {
		x := &b.jobs[i]
		j.Append(&ingest.JobRow{
			App: b.app, Job: int64(i), SubmitMs: some(x.submit), EndMs: some(x.end), SubmitSeq: some(b.jobSeq[i][0]), EndSeq: some(b.jobSeq[i][1]), Outcome: table.Some("succeeded"), Stages: int64(len(x.stages)),
		})
		for _, s := range x.stages {
			of := &b.stages[s.of]
			l.Append(&ingest.JobStageRow{App: b.app, Job: int64(i), Stage: int64(s.id), Tasks: int64(of.whole), RDD: some(int64(of.own))})
		}
	}
	s := table.NewWriter(ingest.Stages, b.sink)
	for i := range b.stages {
		st := &b.stages[i]
		kind := "map"
		if st.ds < 0 {
			kind = "result"
		}
		s.Append(&ingest.StageRow{
			App: b.app, Job: some(int64(st.job)), Kind: table.Some(kind), SubmitSeq: some(b.stageSeq[i][0]), CompleteSeq: some(b.stageSeq[i][1]),
			Info: ingest.StageInfo{
				Stage: int64(st.id), Attempt: int64(st.attempt), Name: b.stageName(st), Tasks: int64(st.end - st.first),
				RDDs:     []ingest.RDDInfo{{RDD: int64(st.own), Partitions: int64(st.whole)}},
				SubmitMs: some(st.submit), CompleteMs: some(st.complete), Profile: some(0),
			},
		})
	}
	if err := j.Flush(); err != nil {
		return err
	}
	if err := l.Flush(); err != nil {
		return err
	}
	return s.Flush()
}

func (b *BigRun) stageName(st *bigStage) string { return "map at Big.scala:" + strconv.Itoa(st.own+1) }

func (b *bigTables) lineage() error {
	live := b.liveUntil()
	d := table.NewWriter(lineage.Datasets, b.sink)
	in := table.NewWriter(lineage.Inputs, b.sink)
	for i := range b.datasets {
		x := &b.datasets[i]
		maker := &b.stages[x.maker]
		row := lineage.DatasetRow{
			App: b.app, Dataset: int64(i), Kind: "shuffle", RDD: int64(x.rdd), ReadingRDD: some(int64(x.reader)), Partitions: some(int64(x.parts)),
			Name: b.stageName(maker), FirstStage: some(int64(maker.id)), Replication: 1, LiveUntilMs: some(live[i]), Known: lineage.Derived,
		}
		if x.isCache {
			row.Kind, row.ReadingRDD, row.Known = "cache", table.I64{}, lineage.Logged
		}
		for s := range b.stages {
			if slices.Contains(b.stages[s].reads, i) {
				row.LastReadMs = some(b.stages[s].complete)
			}
		}
		d.Append(&row)
		for _, y := range x.inputs {
			in.Append(&lineage.InputRow{App: b.app, Dataset: int64(i), Input: int64(y), Known: lineage.Derived})
		}
	}
	if err := d.Flush(); err != nil {
		return err
	}
	return in.Flush()
}

// liveUntil is the end of the last job that made or might have read each dataset.
func (b *BigRun) liveUntil() []int64 {
	out := make([]int64, len(b.datasets))
	for _, st := range b.stages {
		uses := slices.Clone(st.reads)
		for _, d := range []int{st.ds, st.cache} {
			if d >= 0 {
				uses = append(uses, d)
			}
		}
		for _, d := range uses {
			out[d] = max(out[d], b.jobs[st.job].end)
		}
	}
	for _, j := range b.jobs {
		for _, s := range j.stages {
			if s.ds >= 0 {
				out[s.ds] = max(out[s.ds], j.end)
			}
		}
	}
	return out
}

func (b *bigTables) needs() error {
	var rows []lineage.NeedRow
	for i := range b.stages {
		st := &b.stages[i]
		n := int64(st.end - st.first)
		fetched, possible := int64(0), int64(0)
		for t := st.first; t < st.end; t++ {
			fetched += b.tasks[t].reads
		}
		for _, d := range st.reads {
			if x := &b.datasets[d]; !x.isCache {
				possible += n * int64(x.parts)
			}
		}
		reads := st.reads
		if st.rerun && st.cache >= 0 {
			reads = append(slices.Clone(reads), st.cache)
		}
		for _, d := range reads {
			row := lineage.NeedRow{
				App: b.app, Dataset: int64(d), Stage: int64(st.id), StageAttempt: int64(st.attempt), Job: some(int64(st.job)),
				SubmitMs: some(st.submit), LastStartMs: some(b.lastStart(st)), UntilMs: st.complete, IsRerun: st.rerun,
				Readers: n, FinishedReaders: n, Known: lineage.Derived,
			}
			if st.rerun {
				row.FromMs = some(st.submit)
			}
			if st.cache >= 0 && d != st.cache {
				row.ThroughCache = some(int64(st.cache))
			}
			if !b.datasets[d].isCache && possible > 0 {
				density := float64(fetched) / float64(possible)
				row.BlocksFetched, row.BlocksPossible = some(fetched), some(possible)
				row.Density, row.Dense = table.Some(density), table.Some(density >= 0.98)
			}
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(x, y lineage.NeedRow) int {
		return cmp.Or(cmp.Compare(x.Dataset, y.Dataset), cmp.Compare(x.Stage, y.Stage), cmp.Compare(x.StageAttempt, y.StageAttempt))
	})
	w := table.NewWriter(lineage.Needs, b.sink)
	for i := range rows {
		w.Append(&rows[i])
	}
	return w.Flush()
}

func (b *BigRun) lastStart(st *bigStage) int64 {
	last := int64(0)
	for t := st.first; t < st.end; t++ {
		last = max(last, b.tasks[t].start)
	}
	return last
}

func (b *bigTables) attempts() error {
	w := table.NewWriter(lineage.Attempts, b.sink)
	for i := range b.stages {
		st := &b.stages[i]
		ds := table.I64{}
		if st.ds >= 0 {
			ds = some(int64(st.ds))
		}
		for t := st.first; t < st.end; t++ {
			x := &b.tasks[t]
			worker := &b.workers[x.worker]
			w.Append(&lineage.AttemptRow{
				App: b.app, Task: int64(t), Job: some(int64(st.job)), Stage: int64(st.id), StageAttempt: int64(st.attempt), Index: int64(t - st.first),
				Partition: some(int64(x.part)), PartitionKnown: table.Some(lineage.Logged), Dataset: ds, Worker: worker.id, Machine: table.Some(worker.host),
				StartMs: x.start, EndMs: x.end, Ended: true, Status: "success", IsRerun: st.rerun,
			})
		}
	}
	return w.Flush()
}

// bigOutput is an output on its way into the tables.
type bigOutput struct {
	ds, task int32
	next     int32 // task that replaced it, -1: none
}

// outputs writes output and residence.
func (b *bigTables) outputs() error {
	var all []bigOutput
	live := make([][]int32, len(b.datasets)) // per piece, its last output in all
	for i := range live {
		live[i] = make([]int32, b.datasets[i].parts)
		for p := range live[i] {
			live[i][p] = -1
		}
	}
	for i := range b.stages {
		st := &b.stages[i]
		for t := st.first; t < st.end; t++ {
			p := b.tasks[t].part
			for _, d := range []int{st.ds, st.cache} {
				if d < 0 {
					continue
				}
				if prev := live[d][p]; prev >= 0 {
					if st.cache == d && b.stands(b.tasks[all[prev].task].worker, st.submit) {
						continue // still kept
					}
					all[prev].next = int32(t)
				}
				live[d][p] = int32(len(all))
				all = append(all, bigOutput{ds: int32(d), task: int32(t), next: -1})
			}
		}
	}
	live = nil
	slices.SortStableFunc(all, func(x, y bigOutput) int {
		return cmp.Or(cmp.Compare(b.tasks[x.task].end, b.tasks[y.task].end), cmp.Compare(x.task, y.task))
	})
	until := b.liveUntil()
	holders := map[string]lineage.HolderRow{}
	out := table.NewWriter(lineage.Outputs, b.sink)
	res := table.NewWriter(lineage.Residences, b.sink)
	for n := range all {
		x := &all[n]
		t := &b.tasks[x.task]
		st := &b.stages[t.stage]
		worker := &b.workers[t.worker]
		isCache := b.datasets[x.ds].isCache
		known := lineage.Logged
		if isCache {
			known = lineage.Inferred
		}
		row := lineage.OutputRow{
			App: b.app, Output: int64(n), Dataset: int64(x.ds), Partition: int64(t.part), Task: some(int64(x.task)),
			Stage: some(int64(st.id)), StageAttempt: some(int64(st.attempt)), Worker: worker.id, MadeMs: t.end, MadeSeq: b.ends[x.task], CostMs: t.end - t.start,
			IsRerun: st.rerun, Known: known,
		}
		if !isCache {
			row.Bytes = some(t.bytes)
		}
		out.Append(&row)
		r := lineage.ResidenceRow{App: b.app, Output: int64(n), Holder: "worker:" + worker.id, FromMs: t.end, FromSeq: b.ends[x.task], Known: known}
		gone := worker.removed
		if b.opt.ESS && !isCache {
			r.Holder, gone = "machine:"+worker.host, 0
		}
		switch {
		case gone > 0 && (x.next < 0 || gone <= b.tasks[x.next].end):
			r.ToMs, r.EndReason, r.EndSeq = some(gone), table.Some("worker_removed"), some(b.removed[t.worker])
		case x.next >= 0:
			r.ToMs, r.EndReason, r.EndSeq = some(b.tasks[x.next].end), table.Some("replaced"), some(b.ends[x.next])
		}
		if !isCache && (!r.ToMs.OK || r.ToMs.V > until[x.ds]) {
			r.Known = lineage.Bound // nobody can read it any more: it may be deleted
		}
		res.Append(&r)
		h := lineage.HolderRow{App: b.app, Holder: r.Holder, DiesWith: "worker", Worker: table.Some(worker.id), Machine: table.Some(worker.host)}
		if r.Holder == "machine:"+worker.host {
			h.DiesWith, h.Worker = "machine", table.Str{}
		}
		holders[r.Holder] = h
	}
	hold := table.NewWriter(lineage.Holders, b.sink)
	for _, name := range slices.Sorted(maps.Keys(holders)) {
		h := holders[name]
		hold.Append(&h)
	}
	if err := hold.Flush(); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return res.Flush()
}

// stands tells whether a worker is there at ms.
func (b *BigRun) stands(worker int32, ms int64) bool {
	w := &b.workers[worker]
	return w.removed == 0 || w.removed > ms
}
