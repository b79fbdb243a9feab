package sim

import (
	"cmp"
	"maps"
	"slices"
)

// stages makes the stages of the Run: one a shuffle, one a result stage.
func (b *builder) stages() {
	b.made, b.makers, b.entity = map[int64]int32{}, map[int32][]int64{}, map[int64]int32{}
	b.pieceOf, b.again = map[int64]int32{}, map[int32]int64{}
	b.run.Fails, b.run.Copies, b.run.Again = map[int32][]Fail{}, map[int32]Copy{}, map[int32]int32{}
	b.datasetRows()
	for _, id := range slices.Sorted(maps.Keys(b.byStage)) {
		if d, ok := b.madeBy(id); ok {
			b.made[id] = d
			b.makers[d] = append(b.makers[d], id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(b.byStage)) {
		d, isMap := b.made[id]
		switch {
		case isMap && b.makers[d][0] != id:
			b.entity[id] = b.entity[b.makers[d][0]]
		case isMap:
			b.addStage(id, d, b.makers[d])
		default:
			b.addStage(id, -1, []int64{id})
		}
	}
}

// skipped adds stage ids that only a job lists: they stand for the shuffle that
// their RDD's map tasks make.
func (b *builder) skipped() {
	b.run.StageOf = b.entity
	maker := map[int64]int32{}
	for i := range b.log.Datasets {
		x := &b.log.Datasets[i]
		if d := b.datasetID[x.Dataset]; x.Kind == "shuffle" && b.run.Datasets[d].Maker >= 0 {
			maker[x.RDD] = b.run.Datasets[d].Maker
		}
	}
	for _, l := range b.log.Listed {
		if m, ok := maker[l.RDD.V]; ok && l.RDD.OK {
			if _, known := b.entity[l.Stage]; !known {
				b.run.StageOf[l.Stage] = m
			}
		}
	}
}

// datasetRows lists the data sets, in the log's order.
func (b *builder) datasetRows() {
	b.datasetID = map[int64]int32{}
	rows := slices.Clone(b.log.Datasets)
	slices.SortFunc(rows, func(x, y LogDataset) int { return cmp.Compare(x.Dataset, y.Dataset) })
	base := int32(0)
	for _, r := range rows {
		d := Dataset{ID: r.Dataset, Cache: r.Kind == "cache", Maker: -1, Pieces: int32(r.Partitions.Or(0)), Base: base, Rollback: r.Rollback, Keep: r.Keep}
		if len(d.Keep) == 0 && r.Replication > 1 {
			d.Keep = []Keep{{OnWorker, 0}}
			for range r.Replication - 1 {
				d.Keep = append(d.Keep, Keep{OnOther, 0})
			}
		}
		b.datasetID[r.Dataset] = int32(len(b.run.Datasets))
		b.run.Datasets = append(b.run.Datasets, d)
		base += d.Pieces
	}
}

// madeBy tells which shuffle a stage id's tasks write.
func (b *builder) madeBy(stage int64) (int32, bool) {
	for _, i := range b.ofStage[stage] {
		if d := b.launches[i].Dataset; d.OK {
			id, ok := b.datasetID[d.V]
			return id, ok
		}
	}
	return 0, false
}

// addStage adds the stage that ran under ids.
func (b *builder) addStage(id int64, dataset int32, ids []int64) {
	s := Stage{ID: id, Makes: dataset, First: int32(len(b.run.DurMs))}
	n := b.run.Datasets
	pieces := int32(0)
	if dataset >= 0 {
		pieces = n[dataset].Pieces
		b.run.Datasets[dataset].Maker = int32(len(b.run.Stages))
	}
	at := b.places(ids, dataset >= 0, &pieces)
	s.Last = s.First + pieces
	b.grow(int(s.Last))
	b.times(&s, ids, at)
	s.Reads = b.readsOf(ids)
	s.Density = b.densityOf(ids)
	s.Width = max(pieces, 1)
	if r := b.byStage[ids[0]][0]; r.Partitions.OK {
		s.Width = max(int32(r.Partitions.V), 1)
	}
	s.SubmitGapMs, s.EndGapMs = b.stageGaps(ids[0], ids)
	b.entity[id] = int32(len(b.run.Stages))
	b.run.Stages = append(b.run.Stages, s)
}

func (b *builder) grow(n int) {
	for len(b.run.DurMs) < n {
		b.run.DurMs = append(b.run.DurMs, -1)
		b.run.PreMs = append(b.run.PreMs, 0)
		b.run.Flags = append(b.run.Flags, 0)
		b.run.Part = append(b.run.Part, 0)
		b.run.Source = append(b.run.Source, -1)
	}
}

// places numbers the pieces of a stage: a shuffle's by partition; a result
// stage's partitions, which may be a choice, in ascending order. pieces grows
// to what the stage has.
func (b *builder) places(ids []int64, isMap bool, pieces *int32) map[int64]int32 {
	var parts []int64
	for _, id := range ids {
		for _, s := range b.byStage[id] {
			if !isMap {
				*pieces = max(*pieces, int32(s.Tasks))
			}
		}
		for _, i := range b.ofStage[id] {
			if p := b.launches[i].Partition; p.OK {
				parts = append(parts, p.V)
			} else {
				b.lost++
			}
		}
	}
	slices.Sort(parts)
	parts = slices.Compact(parts)
	at := make(map[int64]int32, len(parts))
	for i, p := range parts {
		if isMap {
			at[p] = int32(p)
		} else {
			at[p] = int32(i)
		}
	}
	if n := int32(len(parts)); !isMap {
		*pieces = max(*pieces, n)
	}
	return at
}

// times gives every piece of a stage its time: that of its first success.
func (b *builder) times(s *Stage, ids []int64, at map[int64]int32) {
	byPiece := make([][]int32, s.Tasks())
	var all []int32
	for _, id := range ids {
		all = append(all, b.ofStage[id]...)
	}
	slices.Sort(all) // launches are in order of launch
	for _, i := range all {
		p := b.launches[i].Partition
		if k, ok := at[p.V]; p.OK && ok && k < s.Tasks() {
			byPiece[k] = append(byPiece[k], i)
			b.run.Part[s.First+k] = int32(p.V)
		}
	}
	for k, list := range byPiece {
		b.piece(s.First+int32(k), list)
	}
	b.estimate(s, byPiece)
	b.repeats(s, byPiece)
}

// piece fills in one piece from its attempts, in order of launch.
func (b *builder) piece(task int32, list []int32) {
	win := -1
	for k, i := range list {
		if b.launches[i].Status == "success" && (win < 0 || b.launches[i].EndMs < b.launches[list[win]].EndMs) {
			win = k
		}
	}
	for k, i := range list {
		if win >= 0 && k >= win {
			break
		}
		l := &b.launches[i]
		if l.Status == "failed" || l.Status == "unknown" || l.Status == "result_lost" {
			b.run.Fails[task] = append(b.run.Fails[task], Fail{int32(l.EndMs - l.StartMs), l.Status != "result_lost"})
			b.run.Flags[task] |= flagFails
		}
	}
	if win < 0 {
		return
	}
	l := &b.launches[list[win]]
	b.pieceOf[l.Task] = task
	b.run.Source[task] = l.Task
	start, pre := l.StartMs, l.pre
	for k, i := range list { // a copy beside it?
		o := &b.launches[i]
		if k == win || o.Stage != l.Stage || o.LogTask.Attempt != l.LogTask.Attempt || o.Index != l.Index {
			continue
		}
		switch {
		case l.Speculative && !o.Speculative && o.StartMs <= l.StartMs && o.EndMs >= l.EndMs-slackMs:
			start, pre = o.StartMs, o.pre
			b.run.Copies[task] = Copy{int32(l.StartMs - o.StartMs), int32(l.EndMs - l.StartMs)}
			b.run.Flags[task] |= flagCopy
		case o.Speculative && !l.Speculative && o.StartMs >= l.StartMs && o.StartMs < l.EndMs:
			b.run.Copies[task] = Copy{int32(o.StartMs - l.StartMs), int32(o.EndMs - o.StartMs)}
			b.run.Flags[task] |= flagCopy
		}
	}
	dur := l.EndMs - start
	b.run.DurMs[task] = int32(max(dur, 0))
	b.run.PreMs[task] = int32(max(pre, -dur))
}

// repeats notes what pieces took that ran once more, the place's part taken
// out; on a fresh worker that is all that goes beyond the first time.
func (b *builder) repeats(s *Stage, byPiece [][]int32) {
	for k, list := range byPiece {
		task, seen := s.First+int32(k), false
		for _, i := range list {
			l := &b.launches[i]
			if l.Status != "success" || !seen {
				seen = seen || b.isWinner(l, task)
				continue
			}
			dur := l.EndMs - l.StartMs
			extra := int64(0)
			switch {
			case l.first:
				extra = max(0, dur-int64(b.run.DurMs[task]))
				s.Cold = append(s.Cold, Entry{int32(max(l.pre, 0)), int32(extra)})
				b.late = append(b.late, extra)
			case l.entry:
				extra = min(l.DeserializeMs.Or(0), dur)
			}
			b.run.Again[task] = int32(dur - extra)
			b.again[task] = l.Task
			break
		}
	}
}

// estimate takes the entries out of the times, gives pieces without a success
// the median of the stage, and finds its fetch time.
func (b *builder) estimate(s *Stage, byPiece [][]int32) {
	var later, laterPre, laterCPU, tried, fetch []int64
	for k, list := range byPiece {
		for _, i := range list {
			l := &b.launches[i]
			tried = append(tried, l.EndMs-l.StartMs)
			if l.Status != "success" {
				continue
			}
			if l.FetchWaitMs.OK {
				fetch = append(fetch, l.FetchWaitMs.V)
			}
			if task := s.First + int32(k); b.pieceOf[l.Task] == task && !l.entry {
				later = append(later, int64(b.run.DurMs[task]))
				laterPre = append(laterPre, int64(b.run.PreMs[task]))
				laterCPU = append(laterCPU, l.CPUNs.V)
			}
		}
	}
	s.FetchMs = median(fetch)
	b.entries(s, byPiece, later, median(laterPre), median(laterCPU))
	var done []int64
	for task := s.First; task < s.Last; task++ {
		if d := b.run.DurMs[task]; d >= 0 {
			done = append(done, int64(d))
		}
	}
	s.MedianMs = int32(median(done))
	if len(done) == 0 {
		s.MedianMs = int32(median(tried))
	}
	for task := s.First; task < s.Last; task++ {
		if b.run.DurMs[task] < 0 {
			b.run.DurMs[task] = s.MedianMs
			b.run.Flags[task] |= flagEstimated
		}
	}
}

// entries takes from the first pieces on each slot what belongs to their
// place: the wait for the launch, the unpacking, and what they took longer
// besides than the stage's later pieces, median against median. The first ones
// of fresh workers are looked at apart.
func (b *builder) entries(s *Stage, byPiece [][]int32, later []int64, laterPre, laterCPU int64) {
	type firsts struct{ launch, task int32 }
	var groups [2][]firsts // warm, cold
	for k, launches := range byPiece {
		for _, i := range launches {
			l := &b.launches[i]
			if task := s.First + int32(k); l.entry && l.Status == "success" && b.isWinner(l, task) {
				g := 0
				if l.first {
					g = 1
				}
				groups[g] = append(groups[g], firsts{i, task})
			}
		}
	}
	for g, list := range groups {
		slices.SortFunc(list, func(x, y firsts) int { return cmp.Compare(x.launch, y.launch) })
		net := make([]int64, len(list))
		for i, f := range list {
			net[i] = int64(b.run.DurMs[f.task]) - b.unpackMs(f.launch, f.task)
		}
		shift := int64(0)
		if enough := 4 - 3*g; len(net) >= enough && len(later) >= enough {
			shift = max(0, median(net)-median(later))
		}
		for _, f := range list {
			l := &b.launches[f.launch]
			dur := int64(b.run.DurMs[f.task])
			extra := min(b.unpackMs(f.launch, f.task)+shift, dur)
			e := Entry{b.run.PreMs[f.task], int32(extra)}
			b.run.DurMs[f.task] = int32(dur - extra)
			b.run.PreMs[f.task] = int32(laterPre)
			if g == 0 {
				s.Entries = append(s.Entries, e)
				b.unpack = append(b.unpack, e)
				if l.UnpackCPUNs.OK {
					b.unpackCPU = append(b.unpackCPU, l.UnpackCPUNs.V)
				}
				continue
			}
			s.Cold = append(s.Cold, e)
			b.fresh = append(b.fresh, extra)
			if cpu := l.CPUNs; cpu.OK && laterCPU > 0 {
				b.freshCPU = append(b.freshCPU, max(0, cpu.V-laterCPU)/1e6)
			}
			if b.run.Workers[b.workerID[l.Worker]].From > 0 {
				b.late = append(b.late, extra)
			}
		}
	}
}

// unpackMs is how long a task took to unpack its stage's code.
func (b *builder) unpackMs(launch, task int32) int64 {
	return min(b.launches[launch].DeserializeMs.Or(0), int64(b.run.DurMs[task]))
}

func (b *builder) isWinner(l *launch, task int32) bool {
	t, ok := b.pieceOf[l.Task]
	return ok && t == task
}

// readsOf lists the data sets that a stage reads directly: those that its
// attempts needed, the caches through which it needed others, and those of
// which it computed blocks.
func (b *builder) readsOf(ids []int64) []int32 {
	var out []int32
	add := func(dataset int64) {
		if d, ok := b.datasetID[dataset]; ok {
			out = append(out, d)
		}
	}
	for _, id := range ids {
		for _, d := range b.blocksOf[id] {
			add(d)
		}
		for _, s := range b.byStage[id] {
			list := b.needs[attemptKey{s.Stage, s.Attempt}]
			below := map[int64]bool{}
			for _, n := range list {
				below[n.Dataset] = below[n.Dataset] || n.ThroughCache.OK
			}
			for _, n := range list {
				switch {
				case !n.ThroughCache.OK:
					add(n.Dataset)
				case !below[n.ThroughCache.V]:
					add(n.ThroughCache.V)
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// densityOf is the share of the outputs that a reader of the stage fetches.
func (b *builder) densityOf(ids []int64) float64 {
	for _, id := range ids {
		for _, s := range b.byStage[id] {
			for _, n := range b.needs[attemptKey{s.Stage, s.Attempt}] {
				if n.Density.OK {
					return min(n.Density.V, 1)
				}
			}
		}
	}
	return 1
}

// stageGaps measures what the coordinator itself took: from the moment that
// the stage could have been submitted until it was, and from its last task's
// end until its own.
func (b *builder) stageGaps(first int64, ids []int64) (submit, end int64) {
	if s := b.byStage[first][0]; s.SubmitMs.OK {
		submit = max(0, s.SubmitMs.V-b.readyMs(s))
	}
	for _, id := range ids {
		for _, s := range b.byStage[id] {
			if s.Failure.OK || !s.CompleteMs.OK {
				continue
			}
			last := int64(0)
			for _, i := range b.ofStage[id] {
				if l := &b.launches[i]; l.LogTask.Attempt == s.Attempt && l.Status == "success" && l.EndMs <= s.CompleteMs.V {
					last = max(last, l.EndMs)
				}
			}
			if last > 0 {
				return submit, s.CompleteMs.V - last
			}
		}
	}
	return submit, 0
}

// readyMs is when a stage attempt could have been submitted: its job was, and
// its parents had ended.
func (b *builder) readyMs(s *LogStage) int64 {
	ready := b.zero
	if j := b.job[s.Job.V]; s.Job.OK && j != nil && j.SubmitMs.OK {
		ready = j.SubmitMs.V
	}
	for _, n := range b.needs[attemptKey{s.Stage, s.Attempt}] {
		d, ok := b.datasetID[n.Dataset]
		if !ok {
			continue
		}
		for _, id := range b.makers[d] {
			for _, p := range b.byStage[id] {
				if p.CompleteMs.OK && p.CompleteMs.V <= s.SubmitMs.V {
					ready = max(ready, p.CompleteMs.V)
				}
			}
		}
	}
	return ready
}
