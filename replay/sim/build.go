package sim

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"tracereplay/internal/table"
)

// Build makes a Run of the rows of one application:
//
//  1. Tasks are put on the lanes (slots) of their worker, in order of launch,
//     which gives how long a slot stood empty before each launch (PreMs).
//  2. Every shuffle gets one stage that makes it, whatever stage ids it ran
//     under; every result stage is a stage of its own. A piece takes as long as
//     its first success took.
//  3. Gaps of stages and jobs are measured from what they waited for.
//  4. A job waits for the jobs that had to end before it (afterOf).
func Build(log *Log) (*Run, error) {
	b := &builder{log: log, run: &Run{App: log.App, Version: log.Version, Rules: RulesFor(log.Engine, log.Version, log.Settings)}}
	if !b.clock() {
		return nil, errors.New("no job with a start and an end in the log")
	}
	if n := most(log); n > maxUntold+16*int64(len(log.Tasks)) {
		return nil, fmt.Errorf("stages of %d pieces and datasets of as many, of which %d tasks are in the log: too little to replay", n, len(log.Tasks))
	}
	b.index()
	b.workers()
	b.lanes()
	b.stages()
	b.datasets()
	b.costs()
	b.jobs()
	b.cold()
	b.removals()
	b.skipped()
	b.record()
	return b.run, nil
}

// maxUntold is how many pieces a run may have of which the log tells nothing: a
// number in a broken log must not take all memory.
const maxUntold = 10_000_000

// most is the number of pieces that the stages, or the datasets, say that they
// have, whichever is more.
func most(log *Log) int64 {
	stages, datasets := int64(0), int64(0)
	for i := range log.Stages {
		stages = sum(stages, log.Stages[i].Tasks)
	}
	for i := range log.Datasets {
		datasets = sum(datasets, log.Datasets[i].Partitions.Or(0))
	}
	return max(stages, datasets)
}

// sum adds what is not negative, and stays below the bounds of the type.
func sum(a, b int64) int64 { return a + min(max(b, 0), math.MaxInt64-a) }

type attemptKey struct{ stage, attempt int64 }

// launch is a task attempt with what the lanes tell of it.
type launch struct {
	*LogTask
	pre   int64 // slot empty before the launch
	lane  int32
	first bool // the first on its lane, and nothing had ended on its worker
	entry bool // the first of its stage attempt on its lane
}

// builder holds what Build has found so far.
type builder struct {
	log  *Log
	run  *Run
	zero int64

	machines  map[string]int32
	workerID  map[string]int32
	attempts  map[attemptKey]*LogStage
	byStage   map[int64][]*LogStage
	byTask    map[int64]*LogTask // those that failed to fetch
	job       map[int64]*LogJob
	launches  []launch
	ofStage   map[int64][]int32 // stage -> launches in order of launch
	datasetID map[int64]int32
	made      map[int64]int32   // log stage id -> dataset that it makes
	makers    map[int32][]int64 // dataset -> stage ids
	entity    map[int64]int32   // log stage id -> stage of the Run
	needs     map[attemptKey][]LogNeed
	blocksOf  map[int64][]int64 // stage id -> caches of which its tasks computed blocks
	pieceOf   map[int64]int32   // task -> piece whose time it gave
	again     map[int32]int64   // piece -> task that made it a second time
	crowded   int64             // tasks that ran although all slots of their worker were taken
	lost      int64             // tasks whose piece is not known
	fresh     []int64           // what the first tasks of fresh workers took longer
	freshCPU  []int64           // the same in processor time
	late      []int64           // of those, on workers that came after the first job's start
	unpack    []Entry           // what a stage's first tasks on workers that had run before took longer
	unpackCPU []int64           // processor time of their unpacking
}

// clock finds time 0 and the recorded makespan.
func (b *builder) clock() bool {
	first, last := Never, -Never
	for i := range b.log.Jobs {
		j := &b.log.Jobs[i]
		if j.SubmitMs.OK {
			first = min(first, j.SubmitMs.V)
		}
		if j.EndMs.OK {
			last = max(last, j.EndMs.V)
		}
	}
	if first == Never || last < first {
		return false
	}
	b.zero = first
	b.run.StartMs, b.run.RecordedMs = first, last-first
	return true
}

// index makes the log's rows findable.
func (b *builder) index() {
	b.attempts = make(map[attemptKey]*LogStage, len(b.log.Stages))
	b.byStage = map[int64][]*LogStage{}
	for i := range b.log.Stages {
		s := &b.log.Stages[i]
		b.attempts[attemptKey{s.Stage, s.Attempt}] = s
		b.byStage[s.Stage] = append(b.byStage[s.Stage], s)
	}
	for _, list := range b.byStage {
		slices.SortFunc(list, func(x, y *LogStage) int { return cmp.Compare(x.Attempt, y.Attempt) })
	}
	b.job = map[int64]*LogJob{}
	for i := range b.log.Jobs {
		b.job[b.log.Jobs[i].Job] = &b.log.Jobs[i]
	}
	b.needs = map[attemptKey][]LogNeed{}
	for _, n := range b.log.Needs {
		k := attemptKey{n.Stage, n.Attempt}
		b.needs[k] = append(b.needs[k], n)
	}
	b.byTask = map[int64]*LogTask{}
	for i := range b.log.Tasks {
		if t := &b.log.Tasks[i]; t.Status == "fetch_failed" {
			b.byTask[t.Task] = t
		}
	}
	stageOf := map[int64]int64{}
	for _, x := range b.log.Blocks {
		if x.Task.OK {
			stageOf[x.Task.V] = -1
		}
	}
	for i := range b.log.Tasks {
		if _, ok := stageOf[b.log.Tasks[i].Task]; ok {
			stageOf[b.log.Tasks[i].Task] = b.log.Tasks[i].Stage
		}
	}
	b.blocksOf = map[int64][]int64{}
	for _, x := range b.log.Blocks {
		if st, ok := stageOf[x.Task.V]; ok && x.Task.OK && !slices.Contains(b.blocksOf[st], x.Dataset) {
			b.blocksOf[st] = append(b.blocksOf[st], x.Dataset)
		}
	}
	b.launches = make([]launch, len(b.log.Tasks))
	for i := range b.log.Tasks {
		b.launches[i].LogTask = &b.log.Tasks[i]
	}
	slices.SortFunc(b.launches, func(x, y launch) int {
		return cmp.Or(cmp.Compare(x.StartMs, y.StartMs), cmp.Compare(x.Task, y.Task))
	})
	b.ofStage = map[int64][]int32{}
	for i := range b.launches {
		s := b.launches[i].Stage
		b.ofStage[s] = append(b.ofStage[s], int32(i))
	}
}

// workers lists those that ran tasks or could have.
func (b *builder) workers() {
	b.machines, b.workerID = map[string]int32{}, map[string]int32{}
	ran := map[string]bool{}
	for i := range b.log.Tasks {
		ran[b.log.Tasks[i].Worker] = true
	}
	rows := slices.Clone(b.log.Workers)
	slices.SortFunc(rows, func(x, y LogWorker) int {
		return cmp.Or(cmp.Compare(x.AddedMs.Or(0), y.AddedMs.Or(0)), cmp.Compare(x.Worker, y.Worker))
	})
	b.run.Coordinator = -1
	for _, w := range rows {
		if !ran[w.Worker] && (w.Coordinator || !w.Slots.OK || !w.AddedMs.OK) {
			continue
		}
		b.addWorker(&w)
	}
	for _, w := range rows {
		if m, ok := b.machines[w.Machine.V]; ok && w.Coordinator && w.Machine.OK {
			b.run.Coordinator = m
		}
	}
	for i := range b.launches { // workers of which the log has no row
		if _, ok := b.workerID[b.launches[i].Worker]; !ok {
			b.addWorker(&LogWorker{Worker: b.launches[i].Worker})
		}
	}
}

func (b *builder) addWorker(w *LogWorker) {
	machine := w.Machine.Or("worker " + w.Worker)
	m, ok := b.machines[machine]
	if !ok {
		m = int32(len(b.run.Machines))
		b.machines[machine] = m
		b.run.Machines = append(b.run.Machines, machine)
	}
	x := Worker{Name: w.Worker, Machine: m, Slots: int32(w.Slots.Or(0)), To: Never, Gone: Never, ReplacedBy: -1}
	if w.AddedMs.OK {
		x.From = max(0, w.AddedMs.V-b.zero)
	}
	if w.RemovedMs.OK {
		x.To = max(x.From, w.RemovedMs.V-b.zero)
		x.Gone = x.To
	}
	if w.Coordinator {
		b.run.Coordinator = m
	}
	b.workerID[w.Worker] = int32(len(b.run.Workers))
	b.run.Workers = append(b.run.Workers, x)
}

// slack is how far a launch may come before the end of the task before it on
// the slot: the coordinator frees a slot before it notes the task's end.
const slackMs = 200

// lanes puts the launches on slots.
func (b *builder) lanes() {
	ends := make([][]int64, len(b.run.Workers))
	last := make([][]attemptKey, len(b.run.Workers))
	firstEnd := make([]int64, len(b.run.Workers))
	for w := range ends {
		n := b.run.Workers[w].Slots
		if n <= 0 {
			n = b.widest(int32(w))
			b.run.Workers[w].Slots = n
		}
		ends[w] = make([]int64, n)
		last[w] = make([]attemptKey, n)
		firstEnd[w] = Never
		for i := range ends[w] {
			ends[w][i], last[w][i] = b.run.Workers[w].From+b.zero, attemptKey{-1, -1}
		}
	}
	var waited []int64
	ran := make([]bool, len(b.run.Workers))
	for i := range b.launches {
		l := &b.launches[i]
		w := b.workerID[l.Worker]
		ran[w] = true
		lane := laneFor(ends[w], l.StartMs)
		free := ends[w][lane]
		if free > l.StartMs+slackMs && l.Ended {
			b.crowded++
		}
		ready, k := free, attemptKey{l.Stage, l.LogTask.Attempt}
		if s := b.attempts[k]; s != nil && s.SubmitMs.OK {
			ready = max(ready, s.SubmitMs.V)
		}
		l.pre, l.lane = l.StartMs-ready, int32(lane)
		if ready == free && ready > 0 {
			waited = append(waited, l.StartMs)
		}
		l.first, l.entry = last[w][lane].stage < 0 && firstEnd[w] > l.StartMs, last[w][lane] != k
		firstEnd[w] = min(firstEnd[w], l.EndMs)
		last[w][lane] = k
		ends[w][lane] = l.EndMs
	}
	for w := range b.run.Workers {
		x := &b.run.Workers[w]
		from, _ := slices.BinarySearch(waited, x.From+b.zero)
		to, _ := slices.BinarySearch(waited, min(x.To, Never/2)+b.zero)
		x.Unused = !ran[w] && to-from >= unusedAfter
	}
}

// unusedAfter is how many tasks must have waited for slots during the life of a
// worker that ran none, to tell that it could not be used.
const unusedAfter = 10

// laneFor is the lane that was freed last before a launch, or the one that is
// freed first when all are taken.
func laneFor(ends []int64, at int64) int {
	best := 0
	for i, e := range ends {
		switch b := ends[best]; {
		case e <= at && (b > at || e > b), e > at && b > at && e < b:
			best = i
		}
	}
	return best
}

// widest is the largest number of tasks that ran at once on a worker.
func (b *builder) widest(w int32) int32 {
	type edge struct {
		at   int64
		step int32
	}
	var edges []edge
	for i := range b.launches {
		if l := &b.launches[i]; b.workerID[l.Worker] == w {
			edges = append(edges, edge{l.StartMs, 1}, edge{max(l.EndMs-slackMs, l.StartMs+1), -1})
		}
	}
	slices.SortFunc(edges, func(x, y edge) int { return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.step, y.step)) })
	var n, most int32
	for _, e := range edges {
		n += e.step
		most = max(most, n)
	}
	return max(most, 1)
}

// median of a list that it sorts; 0 when empty.
func median(list []int64) int64 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[len(list)/2]
}

// relative is a time of the log on the Run's clock.
func (b *builder) relative(ms table.I64) int64 { return ms.V - b.zero }
