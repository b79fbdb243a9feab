package lineage

import (
	"slices"

	"tracereplay/ingest"
	"tracereplay/internal/table"
)

// output is one output in compact form; its own residence runs from made to
// its end, further ones (a moved file, a second copy) are in app.extras.
type output struct {
	task      int64
	made      int64
	seq       int64 // line that told of it
	cost      int64
	bytes     int64 // -1 = not known
	dataset   int32
	partition int32
	worker    int32
	attempt   int32 // index into app.order+1, 0 = none
	end       int32 // index into ends, -1 = alive
	extra     int32 // newest further residence, -1 = none
	inferred  bool
	rerun     bool
}

// outputList is all outputs, by number. It grows in chunks that stay where they
// are: millions in one piece would be in memory twice whenever they are moved to
// a larger one.
type outputList struct {
	chunks [][]output
	n      int32
}

// chunkOutputs is how many outputs a chunk holds, a power of two.
const chunkOutputs = 1 << 12

func (l *outputList) at(i int32) *output { return &l.chunks[i/chunkOutputs][i%chunkOutputs] }

// add returns the number of a new output.
func (l *outputList) add(o output) int32 {
	if l.n%chunkOutputs == 0 {
		l.chunks = append(l.chunks, make([]output, 0, chunkOutputs))
	}
	last := &l.chunks[len(l.chunks)-1]
	*last = append(*last, o)
	l.n++
	return l.n - 1
}

// residence is a further copy of an output.
type residence struct {
	output, worker int32
	from, seq      int64
	end            int32 // -1 = alive
	next           int32 // older further residence of the same output, -1 = none
}

// end is how residences ended; many share one.
type end struct {
	ms     int64
	seq    int64
	reason string
	worker int32 // whose loss it was, -1 = none

	guessed bool // no event has told the time yet
}

// rerun is an attempt that repeats a piece.
type rerun struct {
	task        int64
	dataset     int32
	partition   int64
	first, prev int32
	prevAlive   bool
	status      ingest.Status
}

// alive tells whether any copy of an output stands.
func (a *app) alive(o int32) bool {
	if a.outputs.at(o).end < 0 {
		return true
	}
	for x := a.outputs.at(o).extra; x >= 0; x = a.extras[x].next {
		if a.extras[x].end < 0 {
			return true
		}
	}
	return false
}

// newEnd adds a way in which residences end.
func (a *app) newEnd(ms, seq int64, reason string, worker int32) int32 {
	a.ends = append(a.ends, end{ms: ms, seq: seq, reason: reason, worker: worker})
	return int32(len(a.ends) - 1)
}

// close ends all copies of an output.
func (a *app) close(o int32, e int32) {
	if !a.alive(o) {
		return
	}
	out := a.outputs.at(o)
	if out.end < 0 {
		out.end = e
	}
	for x := out.extra; x >= 0; x = a.extras[x].next {
		if a.extras[x].end < 0 {
			a.extras[x].end = e
		}
	}
	a.datasets[out.dataset].live--
}

// closeOn ends the copies of an output that stand on a worker, and tells
// whether one did.
func (a *app) closeOn(o, w int32, e int32) (stood bool) {
	was := a.alive(o)
	out := a.outputs.at(o)
	if out.end < 0 && out.worker == w {
		out.end, stood = e, true
	}
	for x := out.extra; x >= 0; x = a.extras[x].next {
		if a.extras[x].end < 0 && a.extras[x].worker == w {
			a.extras[x].end, stood = e, true
		}
	}
	if was && !a.alive(o) {
		a.datasets[out.dataset].live--
	}
	return stood
}

// add makes a new output the one that counts for its piece.
func (a *app) add(d *dataset, p int64, o output, seq int64) int32 {
	d.grow(p)
	d.parts = max(d.parts, p+1)
	if old := d.cur[p]; old >= 0 {
		o.rerun = true
		if a.alive(old) {
			a.close(old, a.newEnd(o.made, seq, "replaced", -1))
		}
		if a.outputs.at(old).bytes != 0 {
			d.withBytes--
		}
	}
	o.dataset, o.partition, o.end, o.extra, o.seq = d.id, int32(p), -1, -1, seq
	i := a.outputs.add(o)
	a.workers[o.worker].held = append(a.workers[o.worker].held, i)
	d.cur[p] = i
	if d.first[p] < 0 {
		d.first[p] = i
	}
	d.live++
	if o.bytes != 0 {
		d.withBytes++
	}
	return i
}

// register adds the map output of a successful task.
func (a *app) register(t *attempt, r *runningTask, e *ingest.TaskEnd, end int64) {
	bytes := e.M.WrittenBytes.Or(-1)
	if !e.M.WrittenBytes.OK && e.HasMetrics {
		bytes = 0 // old logs leave the whole group out when nothing was written
	}
	o := a.add(t.stage.dataset, r.partition.V, output{
		task: e.Task, made: end, cost: end - r.start, bytes: bytes, worker: r.worker, attempt: t.index,
	}, e.Seq)
	if a.byTask != nil {
		a.byTask[e.Task] = o
	}
}

// outputOfTask finds the map output that a task wrote, -1 if none. The index
// is built only for logs that need it.
func (a *app) outputOfTask(task int64) int32 {
	if a.byTask == nil {
		a.byTask = map[int64]int32{}
		for i := range a.outputs.n {
			if o := a.outputs.at(i); !a.datasets[o.dataset].key.cache {
				a.byTask[o.task] = i
			}
		}
	}
	if o, ok := a.byTask[task]; ok {
		return o
	}
	return -1
}

// inferBlocks places the cached blocks that a successful task must have
// computed, for logs without block updates: piece p of a cached RDD is taken
// to be computed by the task of piece p. Where the numbers of pieces differ
// nothing is placed.
func (a *app) inferBlocks(t *attempt, r *runningTask, e *ingest.TaskEnd, end int64) {
	for _, d := range t.caches {
		if d.parts != t.stage.tasks {
			continue
		}
		p := r.partition.V
		if d.made(p) && a.alive(d.cur[p]) {
			continue
		}
		a.add(d, p, output{
			task: e.Task, made: end, cost: end - r.start, bytes: -1, worker: r.worker, attempt: t.index, inferred: true,
		}, e.Seq)
	}
}

// blockUpdate follows a logged change of where a block is.
func (a *app) blockUpdate(e *ingest.BlockUpdate) {
	if e.MapTask.OK {
		a.moved(e)
		return
	}
	if !e.RDD.OK || !e.Partition.OK {
		return
	}
	a.hasBlockUpdates = true
	w := a.worker(e.Worker, e.Host)
	d := a.cacheOf(e.RDD.V)
	if !e.Valid {
		if d.made(e.Partition.V) {
			a.closeOn(d.cur[e.Partition.V], w, a.newEnd(a.now, e.Seq, "evicted", -1))
		}
		return
	}
	a.placeBlock(d, e, w, a.maker(d, e.Partition.V, w))
}

// taskBlock follows a block that a task's end tells of.
func (a *app) taskBlock(r *runningTask, e *ingest.BlockUpdate, end int64) {
	if !e.RDD.OK || !e.Partition.OK || !e.Valid {
		return
	}
	a.hasBlockUpdates = true
	d := a.cacheOf(e.RDD.V)
	a.placeBlock(d, e, r.worker, r)
	if n := len(r.blocks); n > 0 {
		a.outputs.at(r.blocks[n-1]).cost = end - r.start
	}
}

// placeBlock adds a cached block, or a further copy of one that stands.
func (a *app) placeBlock(d *dataset, e *ingest.BlockUpdate, w int32, maker *runningTask) {
	p, bytes := e.Partition.V, e.MemoryBytes+e.DiskBytes
	if !isPiece(p) {
		return
	}
	if d.made(p) && a.alive(d.cur[p]) {
		a.addCopy(d.cur[p], w, e.Seq)
		a.outputs.at(d.cur[p]).bytes = bytes
		return
	}
	o := output{task: -1, made: a.now, bytes: bytes, worker: w}
	if maker != nil {
		o.task, o.attempt, o.cost = maker.task, maker.attempt.index, a.now-maker.start
	}
	i := a.add(d, p, o, e.Seq)
	if maker != nil {
		maker.blocks = append(maker.blocks, i)
	}
}

// addCopy adds a residence on a worker unless one stands there.
func (a *app) addCopy(o, w int32, seq int64) {
	out := a.outputs.at(o)
	if out.end < 0 && out.worker == w {
		return
	}
	for x := out.extra; x >= 0; x = a.extras[x].next {
		if a.extras[x].end < 0 && a.extras[x].worker == w {
			return
		}
	}
	if !a.alive(o) {
		a.datasets[out.dataset].live++
	}
	a.extras = append(a.extras, residence{output: o, worker: w, from: a.now, seq: seq, end: -1, next: out.extra})
	out.extra = int32(len(a.extras) - 1)
	a.workers[w].held = append(a.workers[w].held, o)
}

// maker finds the running task that must have computed a block: the one of
// the same piece on the same worker in a stage that contains the cached RDD,
// else the only one there.
func (a *app) maker(d *dataset, p int64, w int32) *runningTask {
	var found *runningTask
	n := 0
	for _, t := range a.order[max(0, len(a.order)-64):] {
		if len(t.open) == 0 || !slices.Contains(t.caches, d) {
			continue
		}
		for _, r := range t.open {
			if r.worker != w {
				continue
			}
			if r.partition.OK && r.partition.V == p {
				return r
			}
			found = r
			n++
		}
	}
	if n == 1 {
		return found
	}
	return nil
}

// moved follows the files of a map output to another worker (decommission).
// The index file is the later of the two: with it the move is complete.
func (a *app) moved(e *ingest.BlockUpdate) {
	if e.Data || !e.Valid {
		return
	}
	o := a.outputOfTask(e.MapTask.V)
	if o < 0 || a.datasets[a.outputs.at(o).dataset].cur[a.outputs.at(o).partition] != o {
		return
	}
	d := a.datasets[a.outputs.at(o).dataset]
	if e.Shuffle.OK {
		d.engineShuffle = e.Shuffle
	}
	w := a.worker(e.Worker, e.Host)
	if a.outputs.at(o).worker == w && a.outputs.at(o).end < 0 {
		return
	}
	wasAlive := a.alive(o)
	if wasAlive {
		a.close(o, a.newEnd(a.now, e.Seq, "moved", -1))
	}
	a.addCopy(o, w, e.Seq)
}

func (a *app) unpersist(e *ingest.Unpersist) {
	d := a.byKey[datasetKey{cache: true, rdd: e.RDD}]
	if d == nil {
		return
	}
	d.assumed = false
	end := int32(-1)
	for _, o := range d.cur {
		if o >= 0 && a.alive(o) {
			if end < 0 {
				end = a.newEnd(a.now, e.Seq, "unpersisted", -1)
			}
			a.close(o, end)
		}
	}
}

// rollBack drops all pieces of a shuffle that is run again in whole.
func (a *app) rollBack(d *dataset, seq int64) {
	e := a.newEnd(a.now, seq, "rolled_back", -1)
	for _, o := range d.cur {
		if o >= 0 {
			a.close(o, e)
		}
	}
}

// known is a non-negative number, else null.
func known(n int64) table.I64 { return table.I64{V: n, OK: n >= 0} }
