package sim

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// datasets ties data sets to what they are made from.
func (b *builder) datasets() {
	for _, in := range b.log.Inputs {
		d, ok1 := b.datasetID[in.Dataset]
		i, ok2 := b.datasetID[in.Input]
		if ok1 && ok2 {
			b.run.Datasets[d].Inputs = append(b.run.Datasets[d].Inputs, i)
		}
	}
	for d := range b.run.Datasets {
		x := &b.run.Datasets[d]
		slices.Sort(x.Inputs)
		x.Inputs = slices.Compact(x.Inputs)
		if x.Maker >= 0 {
			s := &b.run.Stages[x.Maker]
			s.Reads = append(s.Reads, x.Inputs...)
			slices.Sort(s.Reads)
			s.Reads = slices.Compact(s.Reads)
		}
	}
	for i := range b.run.Stages {
		for _, d := range b.run.Stages[i].Reads {
			b.run.Stages[i].Cached = b.run.Stages[i].Cached || b.run.Datasets[d].Cache
		}
	}
}

// costs finds what computing a lost cached piece adds to the task that reads
// it, and which tasks computed one. The time of the task that made the block
// is the most it can be, without what belonged to that task's place.
func (b *builder) costs() {
	rows := slices.Clone(b.log.Blocks)
	slices.SortFunc(rows, func(x, y LogBlock) int {
		return cmp.Or(cmp.Compare(x.Dataset, y.Dataset), cmp.Compare(x.MadeMs, y.MadeMs))
	})
	for d := range b.run.Datasets {
		if x := &b.run.Datasets[d]; x.Cache {
			x.CostMs = make([]int32, x.Pieces)
		} else {
			x.Bytes = make([]int64, x.Pieces)
		}
	}
	for i := range b.launches {
		l := &b.launches[i]
		if task, ok := b.pieceOf[l.Task]; ok && l.WrittenBytes.OK && l.Dataset.OK {
			x := &b.run.Datasets[b.datasetID[l.Dataset.V]]
			x.Bytes[task-b.run.Stages[x.Maker].First] = l.WrittenBytes.V
		}
	}
	for _, r := range rows {
		d, ok := b.datasetID[r.Dataset]
		x := &b.run.Datasets[d]
		if !ok || r.Partition >= int64(x.Pieces) {
			continue
		}
		task, maker := b.pieceOf[r.Task.V]
		maker = maker && r.Task.OK
		if x.CostMs[r.Partition] == 0 {
			x.CostMs[r.Partition] = int32(r.CostMs)
			if maker {
				x.CostMs[r.Partition] = min(int32(r.CostMs), b.run.DurMs[task])
			}
		}
		if maker {
			b.run.Flags[task] |= flagComputes
		}
	}
	b.againWithoutBlocks(rows)
}

// againWithoutBlocks has each second run compute the cached blocks that the first
// one did: those that it made because a loss had taken them belong to the loss,
// which the simulation adds.
func (b *builder) againWithoutBlocks(rows []LogBlock) {
	made := map[int64]int64{} // log task -> ms of the blocks that it made
	for _, r := range rows {
		if d, ok := b.datasetID[r.Dataset]; ok && r.Task.OK && r.Partition < int64(b.run.Datasets[d].Pieces) {
			made[r.Task.V] += int64(b.run.Datasets[d].CostMs[r.Partition])
		}
	}
	for task, second := range b.again {
		ms := int64(b.run.Again[task]) - made[second] + made[b.run.Source[task]]
		b.run.Again[task] = int32(max(ms, 0))
	}
}

// jobs makes the jobs, in order of submission.
func (b *builder) jobs() {
	rows := make([]*LogJob, 0, len(b.log.Jobs))
	for i := range b.log.Jobs {
		if b.log.Jobs[i].SubmitMs.OK {
			rows = append(rows, &b.log.Jobs[i])
		}
	}
	slices.SortFunc(rows, func(x, y *LogJob) int {
		return cmp.Or(cmp.Compare(x.SubmitSeq.V, y.SubmitSeq.V), cmp.Compare(x.Job, y.Job))
	})
	finals := b.finals()
	for i, r := range rows {
		j := Job{ID: r.Job, Final: -1, Failed: r.Outcome.V == "failed", Recorded: [2]int64{b.relative(r.SubmitMs), Never}}
		end := b.log.LastMs.V
		if r.EndMs.OK {
			end = r.EndMs.V
			j.Recorded[1] = end - b.zero
		}
		j.LengthMs = max(0, end-r.SubmitMs.V)
		j.Cut = !r.EndMs.OK
		if id, ok := finals[r.Job]; ok {
			b.finish(&j, r, id)
		}
		j.After, j.GapMs = b.afterOf(rows, i)
		b.run.Jobs = append(b.run.Jobs, j)
	}
	b.cuts()
}

// finals finds each job's last stage: the one that no other stage of the job
// reads. Jobs whose last stage never ran are left out.
func (b *builder) finals() map[int64]int64 {
	out := map[int64]int64{}
	for _, l := range b.log.Listed {
		if id, ok := out[l.Job]; !ok || l.Stage > id {
			out[l.Job] = l.Stage
		}
	}
	for job, id := range out {
		if _, ok := b.entity[id]; !ok {
			delete(out, job)
		}
	}
	return out
}

// finish sets a job's last stage and what passed between its end and the job's.
func (b *builder) finish(j *Job, r *LogJob, stage int64) {
	j.Final = b.entity[stage]
	done := int64(0)
	for _, s := range b.byStage[stage] {
		if s.CompleteMs.OK && (!r.EndMs.OK || s.CompleteMs.V <= r.EndMs.V) {
			done = max(done, s.CompleteMs.V)
		}
	}
	if done > 0 && r.EndMs.OK {
		j.EndGapMs = max(0, r.EndMs.V-done)
	}
}

// afterOf finds what a job had to wait for: the job that ended last before it
// was submitted, within its SQL execution, or else at all; and the jobs of its
// execution that made what it reads. The gap runs from the last of their ends.
func (b *builder) afterOf(rows []*LogJob, i int) (after []int32, gap int64) {
	r := rows[i]
	ended := func(k int) bool { return rows[k].EndSeq.OK && rows[k].EndSeq.V < r.SubmitSeq.V }
	last := func(same bool) int {
		best := -1
		for k := range i {
			if ended(k) && (!same || sameExecution(rows[k], r)) && (best < 0 || rows[k].EndSeq.V > rows[best].EndSeq.V) {
				best = k
			}
		}
		return best
	}
	best := last(true)
	if best < 0 || !r.Execution.OK {
		best = last(false)
	}
	start := b.zero
	if best >= 0 {
		after = append(after, int32(best))
		start = rows[best].EndMs.Or(start)
	}
	return after, max(0, r.SubmitMs.V-start)
}

func sameExecution(x, y *LogJob) bool {
	root := func(j *LogJob) int64 {
		if j.RootExec.OK {
			return j.RootExec.V
		}
		return j.Execution.Or(-1)
	}
	return x.Execution.OK && y.Execution.OK && root(x) == root(y)
}

// cuts marks failed jobs whose failure no task's failures explain: they were
// cancelled from outside, after the recorded time.
func (b *builder) cuts() {
	for i := range b.run.Jobs {
		j := &b.run.Jobs[i]
		if !j.Failed {
			continue
		}
		j.Cut = true
		for _, l := range b.log.Listed {
			s, ok := b.entity[l.Stage]
			if l.Job != j.ID || !ok {
				continue
			}
			for task := b.run.Stages[s].First; task < b.run.Stages[s].Last; task++ {
				n := 0
				for _, f := range b.run.Fails[task] {
					if f.Counts {
						n++
					}
				}
				if n >= b.run.Rules.TaskFailures && b.run.Flags[task]&flagEstimated != 0 {
					j.Cut = false
				}
			}
		}
	}
}

// cold estimates how much longer the first task of each slot of a fresh worker
// takes, and how long a worker takes to start. Workers that all start at once
// are in each other's way, and one that comes later has a quiet machine: where
// the log has such, they tell. Where it has not, the processor time counts,
// which waiting does not lengthen, and half of it again for what other threads
// (compilation) do meanwhile.
func (b *builder) cold() {
	b.run.ColdMs = int32(median(b.fresh))
	switch {
	case len(b.late) > 0:
		b.run.ColdMs = int32(median(b.late))
	case len(b.freshCPU) > 0:
		b.run.ColdMs = min(b.run.ColdMs, int32(median(b.freshCPU)*3/2))
	}
	var pre, dur []int64
	for _, e := range b.unpack {
		pre, dur = append(pre, int64(e.PreMs)), append(dur, int64(e.DurMs))
	}
	b.run.Entry = Entry{int32(median(pre)), int32(median(dur))}
	if n := len(dur); n > 0 {
		b.run.AgainMs = int32(dur[n/4]) // sorted by now
	}
	b.run.UnpackMs = b.run.AgainMs
	if len(b.unpackCPU) > 0 {
		b.run.UnpackMs = min(b.run.AgainMs, int32(median(b.unpackCPU)/1e6))
	}
	var first, again int64
	for task, ms := range b.run.Again {
		first, again = first+int64(b.run.DurMs[task]), again+int64(ms)
	}
	b.run.AgainShare = 1
	if first > 0 {
		b.run.AgainShare = float64(again) / float64(first)
	}
	var start []int64
	for _, w := range b.log.Workers {
		if w.RequestMs.OK && w.AddedMs.OK && w.AddedMs.V > w.RequestMs.V {
			start = append(start, w.AddedMs.V-w.RequestMs.V)
		}
	}
	b.run.StartupMs = median(start)
}

// removals notes the recorded losses, and which workers were started in place
// of lost ones.
func (b *builder) removals() {
	rows := slices.Clone(b.log.Removals)
	slices.SortFunc(rows, func(x, y LogRemoval) int { return cmp.Compare(x.Removal, y.Removal) })
	for _, r := range rows {
		x := Removal{Machine: -1, DetectMs: r.DetectedMs - b.zero, Release: r.Kind == "release"}
		x.GoneMs, x.Silent = b.goneMs(&r)
		x.NoticeMs, x.Moves = x.GoneMs, r.Cause == "decommission" && b.run.Rules.Migrates
		launched := map[string]int64{}
		told := r.Cause == "decommission" // others are given back because they are idle
		if told {
			x.NoticeMs = 0
			for i := range b.launches {
				launched[b.launches[i].Worker] = b.launches[i].StartMs - b.zero
			}
		}
		for _, name := range r.Workers {
			w, ok := b.workerID[name]
			if !ok {
				continue
			}
			x.Workers = append(x.Workers, w)
			if told {
				x.NoticeMs = max(x.NoticeMs, launched[name]+1)
			}
			x.DetectEach = append(x.DetectEach, b.run.Workers[w].To)
			b.run.Workers[w].Gone = x.GoneMs
			b.run.Workers[w].Release = x.Release
		}
		if m, ok := b.machines[r.Unit]; ok && r.UnitKind == "machine" {
			x.Machine = m
		}
		b.run.Removals = append(b.run.Removals, x)
	}
	b.replaced()
}

// goneMs is when workers were really gone, and whether silently. A closed
// connection tells at once, unless a reader had failed to fetch from one of them
// before: then it was gone when that reader started. Where heartbeats were
// missed, the reason says for how long ("timed out after N ms"), and the worker
// went at some moment of the heartbeat interval after the last one: the middle is
// taken.
func (b *builder) goneMs(r *LogRemoval) (ms int64, silent bool) {
	ms = r.DetectedMs
	if reason := strings.ToLower(r.Reason); strings.Contains(reason, "heartbeat") {
		silent = true
		ms -= b.run.Rules.SilentDetectMs()
		var n int64
		if _, rest, ok := strings.Cut(reason, "timed out after "); ok {
			if _, err := fmt.Sscan(rest, &n); err == nil {
				ms = r.DetectedMs - n + b.run.Rules.HeartbeatMs/2
			}
		}
		return min(max(ms, r.GoneLowMs.Or(ms)), r.DetectedMs) - b.zero, true
	}
	for _, f := range b.log.Failures {
		if l := b.byTask[f.Task]; l != nil && f.From.OK && slices.Contains(r.Workers, f.From.V) && l.EndMs < r.DetectedMs {
			ms = min(ms, max(l.StartMs, r.GoneLowMs.Or(l.StartMs)))
		}
	}
	return ms - b.zero, silent
}

// replaced pairs every lost worker with the worker that came in its place: the
// first one that registered after the loss, on the same machine if there is
// one within five minutes, and is not a pair of an earlier loss.
func (b *builder) replaced() {
	const windowMs = 300_000
	ws := b.run.Workers
	all, onMachine := newcomersOf(ws)
	lost := 0
	var after []int64
	for i := range ws {
		w := &ws[i]
		if w.To == Never || w.Release {
			continue
		}
		lost++
		best := onMachine[w.Machine].first(ws, w.Gone, int32(i))
		if best < 0 || ws[best].From > w.To+windowMs {
			best = all.first(ws, w.Gone, int32(i))
		}
		if best >= 0 && ws[best].From <= w.To+windowMs {
			ws[best].Replaces, w.ReplacedBy = true, best
			after = append(after, ws[best].From-w.Gone)
		}
	}
	b.run.ReplacedMs = -1
	if 2*len(after) > lost {
		b.run.ReplacedMs = median(after)
	}
}

// newcomers are workers in the order in which they came. Those that are pairs
// already are passed over, each but once: a run may have millions.
type newcomers struct {
	workers []int32
	next    []int // where to look further behind one that is a pair
}

func newcomersOf(ws []Worker) (all *newcomers, onMachine map[int32]*newcomers) {
	order := make([]int32, len(ws))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(ws[a].From, ws[b].From) })
	all, onMachine = &newcomers{}, map[int32]*newcomers{}
	for _, w := range order {
		all.add(w)
		m := onMachine[ws[w].Machine]
		if m == nil {
			m = &newcomers{}
			onMachine[ws[w].Machine] = m
		}
		m.add(w)
	}
	return all, onMachine
}

func (n *newcomers) add(w int32) {
	n.workers = append(n.workers, w)
	n.next = append(n.next, len(n.workers))
}

// first is the first one from an instant on, but for one worker; -1 if there is none.
func (n *newcomers) first(ws []Worker, fromMs int64, but int32) int32 {
	at := sort.Search(len(n.workers), func(i int) bool { return ws[n.workers[i]].From >= fromMs })
	for at = n.free(ws, at); at < len(n.workers); at = n.free(ws, at+1) {
		if n.workers[at] != but {
			return n.workers[at]
		}
	}
	return -1
}

// free is the first place from one on whose worker is no pair.
func (n *newcomers) free(ws []Worker, at int) int {
	end := at
	for end < len(n.workers) && ws[n.workers[end]].Replaces {
		end = n.next[end]
	}
	for at < end {
		at, n.next[at] = n.next[at], end
	}
	return end
}
