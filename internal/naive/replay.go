package naive

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"tracereplay/ingest"
	"tracereplay/internal/table"
)

// step is one thing that the log tells, in the order of its lines.
type step struct {
	seq   int64
	order int // among steps of one line
	do    func()
}

// driver is what the engine's coordinator knew, rebuilt line by line.
type driver struct {
	*loader
	epoch   int64
	failed  map[string]int64 // worker -> epoch of its last recorded failure
	lost    map[string]int64 // the same, for its files
	gone    map[string]bool  // removed
	latest  map[int64]*round // stage -> its latest attempt
	jobs    map[int64]bool   // running
	listing map[int64][]int64
	shared  bool // an external shuffle service keeps map outputs
	remote  bool // outputs are kept outside the cluster

	succeeded map[pieceKey]bool
	finished  map[pieceKey]bool // of results
	dropped   map[string][]*stay
	firstIn   map[int64]int64 // cached RDD -> first stage that contains it
}

// pieceKey names a piece of a shuffle, or of a result stage.
type pieceKey struct {
	of    *dataset
	stage int64
	part  int64
}

func (l *loader) replay() {
	d := &driver{
		loader: l, failed: map[string]int64{}, lost: map[string]int64{}, gone: map[string]bool{}, latest: map[int64]*round{},
		jobs: map[int64]bool{}, listing: map[int64][]int64{}, succeeded: map[pieceKey]bool{}, finished: map[pieceKey]bool{},
		dropped: map[string][]*stay{}, firstIn: map[int64]int64{},
		shared: l.settings["spark.shuffle.service.enabled"] == "true",
	}
	manager := strings.ToLower(l.settings["spark.shuffle.manager"])
	for _, name := range []string{"celeborn", "uniffle", "rss"} {
		d.remote = d.remote || strings.Contains(manager, name)
	}
	for _, x := range l.rows.JobStages {
		d.listing[x.Stage] = append(d.listing[x.Stage], x.Job)
	}
	steps := d.steps()
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Or(cmp.Compare(a.seq, b.seq), cmp.Compare(a.order, b.order)) })
	for _, s := range steps {
		s.do()
	}
	for _, x := range d.rows.Jobs {
		if d.jobs[x.Job] {
			d.expect(x.Job, x.SubmitSeq.V, d.End)
		}
	}
	d.expectUnread()
	for _, x := range l.datasets {
		for _, outs := range x.pieces {
			for _, o := range outs {
				for _, s := range o.stays {
					s.to = min(s.to, max(l.End, s.from)) // still there
				}
			}
		}
	}
}

func (d *driver) steps() []step {
	var out []step
	add := func(seq table.I64, order int, do func()) {
		if seq.OK {
			out = append(out, step{seq.V, order, do})
		}
	}
	for _, x := range d.rows.Jobs {
		add(x.SubmitSeq, 0, func() { d.jobs[x.Job] = true })
		add(x.EndSeq, 0, func() {
			if x.Outcome.V == "failed" {
				d.expect(x.Job, x.SubmitSeq.V, x.EndMs.Or(d.End))
			}
			delete(d.jobs, x.Job)
		})
	}
	for _, x := range d.rows.Stages {
		for _, r := range d.rounds {
			if r.stage == x.Info.Stage && r.attempt == x.Info.Attempt {
				add(x.SubmitSeq, 0, func() { d.submitted(r) })
				add(x.CompleteSeq, 0, func() { d.completed(r, x.Info.Failure) })
			}
		}
	}
	for _, a := range d.attempts {
		if a.success && a.endSeq > 0 && a.round != nil {
			add(table.Some(a.endSeq), 0, func() { d.success(a) })
		}
	}
	for _, x := range d.rows.FetchFailures {
		add(table.Some(x.Seq), 1, func() { d.fetchFailed(&x) })
	}
	for _, x := range d.rows.Blocks {
		add(table.Some(x.Seq), 1, func() { d.block(&x) })
	}
	for _, x := range d.rows.Unpersists {
		add(table.Some(x.Seq), 0, func() { d.unpersist(x.RDD, x.Ms.Or(d.Start)) })
	}
	for _, x := range d.rows.Workers {
		add(x.RemovedSeq, 0, func() { d.removed(x.Worker, x.RemovedMs.Or(d.End), x.Reason.V) })
	}
	for _, x := range d.rows.Stores {
		if x.Added {
			add(table.Some(x.Seq), 0, func() { d.storeAdded(x.Worker, x.Ms.Or(d.Start)) })
		} else {
			add(table.Some(x.Seq), 0, func() { d.storeRemoved(x.Worker, x.Ms.Or(d.End), d.isDeath(x.Worker, x.Seq)) })
		}
	}
	return out
}

// isDeath tells whether the removal of a store at seq is that of its worker:
// the worker is removed later and the store does not come back in between.
func (d *driver) isDeath(worker string, seq int64) bool {
	for _, w := range d.rows.Workers {
		if w.Worker != worker {
			continue
		}
		if !w.RemovedSeq.OK {
			return false
		}
		for _, s := range d.rows.Stores {
			if s.Worker == worker && s.Added && s.Seq > seq && s.Seq < w.RemovedSeq.V {
				return false
			}
		}
		return true
	}
	return false
}

// submitted notes what a stage attempt has to run and to read.
func (d *driver) submitted(r *round) {
	d.latest[r.stage] = r
	r.epoch = d.epoch
	if r.text != nil {
		for rdd, persisted := range r.text.rdds {
			if _, ok := d.firstIn[rdd]; persisted && !ok {
				d.firstIn[rdd] = r.stage
			}
		}
	}
	r.missing = d.missing(r)
	r.reads = d.readsNow(r, r.submitSeq)
	d.placePartitions(r)
	r.firstRun = d.isFirstRun(r)
}

// missing is what the stage had still to make, ascending. For a result stage
// they are places in the list of requested partitions.
func (d *driver) missing(r *round) []int64 {
	var out []int64
	if r.isMap {
		for p := range r.writes.size {
			if o := r.writes.current[p]; o == nil {
				out = append(out, p)
			}
		}
		return out
	}
	n := r.tasks
	for _, x := range d.rounds {
		if x.stage == r.stage {
			n = max(n, x.tasks)
		}
	}
	for i := range n {
		if !d.finished[pieceKey{stage: r.stage, part: i}] {
			out = append(out, i)
		}
	}
	return out
}

// placePartitions finds the partitions of the attempt's tasks where the log does
// not tell: the i-th task runs the i-th missing one.
func (d *driver) placePartitions(r *round) {
	for _, a := range r.launched {
		if a.partition.OK {
			continue
		}
		switch {
		case int64(len(r.missing)) == r.tasks && a.index < r.tasks:
			if r.isMap || r.tasks == d.ownSize(r) {
				a.partition = table.Some(r.missing[a.index])
			}
		case r.isMap && r.tasks == r.writes.size:
			a.partition = table.Some(a.index)
		}
	}
}

// ownSize is the number of partitions of the stage's own RDD.
func (d *driver) ownSize(r *round) int64 {
	if r.text == nil {
		return -1
	}
	return d.g.describe(r.text.own, -1).partitions
}

// pieceOf is the piece that a task makes, as far as that can be told.
func (d *driver) pieceOf(a *attempt) (pieceKey, bool) {
	r := a.round
	switch {
	case r.isMap:
		return pieceKey{of: r.writes, part: a.partition.V}, a.partition.OK
	case a.partition.OK:
		return pieceKey{stage: r.stage, part: a.partition.V}, true
	case int64(len(r.missing)) == r.tasks && a.index < r.tasks:
		return pieceKey{stage: r.stage, part: r.missing[a.index]}, true
	}
	return pieceKey{}, false
}

// isFirstRun tells whether the attempt has a piece that had never succeeded.
// Pieces that were never launched are known when the missing ones are.
func (d *driver) isFirstRun(r *round) bool {
	if r.isMap && int64(len(r.missing)) == r.tasks {
		for _, p := range r.missing {
			if !d.succeeded[pieceKey{of: r.writes, part: p}] {
				return true
			}
		}
		return false
	}
	seen := map[int64]bool{}
	for _, a := range r.launched {
		seen[a.index] = true
		if k, ok := d.pieceOf(a); !ok || !d.succeeded[k] {
			return true
		}
	}
	return int64(len(seen)) < r.tasks
}

func (d *driver) completed(r *round, failure string) {
	r.endedWell = failure == ""
	if failure == "" && r.isMap {
		d.epoch++
	}
}

// success registers what a task made.
func (d *driver) success(a *attempt) {
	r := a.round
	k, ok := d.pieceOf(a)
	if ok {
		d.succeeded[k] = true
	}
	d.inferBlocks(a)
	if !ok {
		return
	}
	if !r.isMap {
		d.finished[k] = true
		return
	}
	if !d.wanted(r.stage) || d.gone[a.worker] {
		return
	}
	if e, ok := d.failed[a.worker]; ok && r.epoch <= e {
		return // possibly bogus: the worker was recorded as failed
	}
	if old := r.writes.current[k.part]; old != nil {
		old.leave(a.end, "replaced")
	}
	o := d.make(r.writes, k.part, a, a.end)
	o.bytes = a.bytes.Or(0)
	o.known = logged
	h := holder{worker: a.worker}
	switch {
	case d.remote:
		h, o.known = holder{}, derived
	case d.shared && o.machine != "":
		h, o.known = holder{machine: o.machine}, derived
	}
	o.arrive(h, a.end)
	r.writes.current[k.part] = o
}

// wanted tells whether a running job lists the stage.
func (d *driver) wanted(stage int64) bool {
	jobs := d.listing[stage]
	for _, j := range jobs {
		if d.jobs[j] {
			return true
		}
	}
	return len(jobs) == 0
}

// make adds an output.
func (d *driver) make(of *dataset, part int64, by *attempt, ms int64) *output {
	o := &output{of: of, partition: part, task: -1, made: ms}
	if by != nil {
		o.task, o.worker, o.cost = by.task, by.worker, by.end-by.start
		o.machine = d.worker(by.worker).machine
	}
	of.pieces[part] = append(of.pieces[part], o)
	return o
}

func (o *output) arrive(h holder, ms int64) *stay {
	s := &stay{holder: h, from: ms, to: forever}
	o.stays = append(o.stays, s)
	return s
}

// leave ends all that stands of an output.
func (o *output) leave(ms int64, reason string) {
	for _, s := range o.stays {
		s.end(ms, reason)
	}
}

func (s *stay) end(ms int64, reason string) {
	if s.to == forever {
		s.to, s.reason = max(ms, s.from), reason
	}
}

// fetchFailed drops what a reader could not get.
func (d *driver) fetchFailed(x *ingest.FetchFailureRow) {
	r := d.latest[x.Stage]
	if r == nil || r.attempt != x.Attempt || !d.wanted(x.Stage) || x.Worker == "" {
		return
	}
	ms := x.Ms.Or(d.End)
	if o := d.unread(x, r); o != nil {
		o.leave(ms, "fetch_failed")
		delete(o.of.current, o.partition)
		d.epoch++
	}
	if e, ok := d.failed[x.Worker]; !ok || e < r.epoch {
		d.failed[x.Worker] = r.epoch
	}
	if e, ok := d.lost[x.Worker]; ok && e >= r.epoch {
		return
	}
	d.lost[x.Worker] = r.epoch
	host := ""
	if d.shared && d.settings["spark.files.fetchFailure.unRegisterOutputOnHost"] == "true" {
		host = d.worker(x.Worker).machine
	}
	d.drop(x.Worker, host, ms, "fetch_failed")
}

// unread is the output that a fetch failure names, if it is the live one and
// still stands where the reader looked.
func (d *driver) unread(x *ingest.FetchFailureRow, r *round) *output {
	var of *dataset
	var part int64
	if x.MapIndex.OK {
		if a := d.byTask[x.Map.V]; x.Map.OK && a != nil && a.round != nil && a.round.isMap {
			of, part = a.round.writes, x.MapIndex.V
		}
	} else if x.Map.OK && x.Map.V >= 0 {
		for _, n := range r.reads {
			if o := n.of.current[x.Map.V]; !n.of.cache && o != nil && o.worker == x.Worker {
				if of != nil {
					return nil // two shuffles could be meant
				}
				of, part = n.of, x.Map.V
			}
		}
	}
	if of == nil {
		return nil
	}
	if o := of.current[part]; o != nil && o.worker == x.Worker {
		return o
	}
	return nil
}

// drop unregisters all map outputs of a worker, or of all on a host.
func (d *driver) drop(worker, host string, ms int64, reason string) {
	for _, x := range d.datasets {
		if x.cache {
			continue
		}
		for p, o := range x.current {
			if o != nil && (o.worker == worker || host != "" && o.machine == host) {
				o.leave(ms, reason)
				delete(x.current, p)
			}
		}
	}
	d.epoch++
}

// removed takes a worker off.
func (d *driver) removed(worker string, ms int64, why string) {
	d.gone[worker] = true
	d.failed[worker] = d.epoch
	machine, reason := "", "worker_removed"
	if strings.HasPrefix(why, "worker lost") && d.atLeast(2, 3) {
		machine = d.worker(worker).machine // its machine's daemon is gone, and all that stood there
	}
	if (!d.shared || machine != "") && !d.remote {
		if d.shared {
			reason = "machine_removed"
		}
		d.lost[worker] = d.epoch
		d.drop(worker, machine, ms, reason)
	}
	d.dropBlocks(worker, ms, "worker_removed")
	delete(d.dropped, worker)
}

// atLeast tells whether the engine's version is at least major.minor.
func (d *driver) atLeast(major, minor int) bool {
	parts := strings.SplitN(d.version, ".", 3)
	if len(parts) < 2 {
		return true
	}
	a, err := strconv.Atoi(parts[0])
	if err != nil {
		return true
	}
	b, err := strconv.Atoi(parts[1])
	return err != nil || a > major || a == major && b >= minor
}

// storeRemoved drops a worker's cached blocks. When it is the first sign of the
// worker's removal, its map outputs go at the same time.
func (d *driver) storeRemoved(worker string, ms int64, death bool) {
	if death && !d.gone[worker] && !d.shared && !d.remote {
		d.drop(worker, "", ms, "worker_removed")
	}
	reason := "store_removed"
	if death {
		reason = "worker_removed"
	}
	d.dropBlocks(worker, ms, reason)
}

// dropBlocks ends all cached blocks on a worker.
func (d *driver) dropBlocks(worker string, ms int64, reason string) {
	for _, x := range d.datasets {
		if !x.cache {
			continue
		}
		for _, outs := range x.pieces {
			for _, o := range outs {
				for _, s := range o.stays {
					if s.to == forever && s.holder.worker == worker {
						s.end(ms, reason)
						d.dropped[worker] = append(d.dropped[worker], s)
					}
				}
			}
		}
	}
}

// storeAdded: a store that comes back still holds what it held. With block
// updates it tells that itself; without them it is inferred.
func (d *driver) storeAdded(worker string, ms int64) {
	if !d.inferred {
		return
	}
	for _, s := range d.dropped[worker] {
		o := d.owner(s)
		if o != nil && o.of.current[o.partition] == o {
			o.arrive(s.holder, ms)
		}
	}
	delete(d.dropped, worker)
}

func (d *driver) owner(s *stay) *output {
	for _, x := range d.datasets {
		for _, outs := range x.pieces {
			for _, o := range outs {
				if slices.Contains(o.stays, s) {
					return o
				}
			}
		}
	}
	return nil
}

// Cached blocks.

// block takes a logged change of where a block is.
func (d *driver) block(x *ingest.BlockRow) {
	ms := x.Ms.Or(d.Start)
	if x.MapTask.OK {
		d.moved(x, ms)
		return
	}
	c := d.caches[x.RDD.V]
	if !x.RDD.OK || c == nil {
		return
	}
	outs := c.pieces[x.Partition.V]
	var here *stay
	var last *output
	for _, o := range outs {
		for _, s := range o.stays {
			if s.holder.worker == x.Worker {
				here, last = s, o
			}
		}
	}
	if !x.Valid {
		if here != nil {
			here.end(ms, "evicted")
		}
		return
	}
	if here != nil && here.to == forever {
		last.bytes = x.MemoryBytes + x.DiskBytes
		return
	}
	h := holder{worker: x.Worker}
	if here != nil && here.reason == "store_removed" {
		last.arrive(h, ms) // the store came back and tells what it still holds
		return
	}
	by := d.maker(x, c.rdd)
	if by == nil && len(outs) > 0 {
		outs[len(outs)-1].arrive(h, ms) // a copy of what another worker made
		return
	}
	o := d.make(c, x.Partition.V, by, ms)
	o.worker, o.bytes, o.known = x.Worker, x.MemoryBytes+x.DiskBytes, logged
	o.arrive(h, ms)
	c.current[o.partition] = o
}

// maker is the task that made a block: one that ran on the worker when the
// block was told, and whose partition leads to the block's; of several the one
// that was launched first.
func (d *driver) maker(x *ingest.BlockRow, rdd int64) *attempt {
	var by *attempt
	for _, a := range d.attempts {
		if a.worker != x.Worker || a.startSeq > x.Seq || a.endSeq > 0 && a.endSeq < x.Seq || a.round == nil || a.round.text == nil {
			continue
		}
		t := a.round.text
		if _, inside := t.rdds[rdd]; !inside || a.partition.OK && !d.leadsTo(t, t.own, a.partition.V, rdd, x.Partition.V) {
			continue
		}
		if by == nil || a.startSeq < by.startSeq {
			by = a
		}
	}
	return by
}

// leadsTo tells whether computing partition q of r may compute partition p of
// the RDD target, inside stage t. Partitions keep their number from an RDD to a
// narrow parent with as many, and count on through the parents of a union; where
// the log does not tell, any may lead to any.
func (d *driver) leadsTo(t *stageText, r, q, target, p int64) bool {
	if r == target {
		return p == q
	}
	v := d.g.describe(r, t.seq)
	_, narrow := d.g.edgesOf(t, r)
	offset := int64(0)
	for _, parent := range narrow {
		n := d.g.describe(parent, t.seq).partitions
		switch {
		case strings.HasPrefix(v.name, "UnionRDD"):
			if offset <= q && q < offset+n && d.leadsTo(t, parent, q-offset, target, p) {
				return true
			}
			offset += n
		case n == v.partitions:
			if d.leadsTo(t, parent, q, target, p) {
				return true
			}
		default:
			for any := range n {
				if d.leadsTo(t, parent, any, target, p) {
					return true
				}
			}
		}
	}
	return false
}

// moved takes a map output that went to another worker.
func (d *driver) moved(x *ingest.BlockRow, ms int64) {
	a := d.byTask[x.MapTask.V]
	if !x.Valid || a == nil || a.round == nil || !a.round.isMap || !a.partition.OK {
		return
	}
	outs := a.round.writes.pieces[a.partition.V]
	for _, o := range outs {
		if o.task != a.task || o.worker == x.Worker {
			continue
		}
		if cur := a.round.writes.current[a.partition.V]; cur != nil && cur != o {
			return // a later one counts
		}
		o.leave(ms, "moved")
		o.worker = x.Worker
		o.arrive(holder{worker: x.Worker}, ms)
		a.round.writes.current[a.partition.V] = o
	}
}

func (d *driver) unpersist(rdd, ms int64) {
	c := d.caches[rdd]
	if c == nil {
		return
	}
	for _, outs := range c.pieces {
		for _, o := range outs {
			o.leave(ms, "unpersisted")
		}
	}
	clear(c.current)
}

// inferBlocks places, in a log that does not tell, the blocks that a successful
// task must have computed on its way: partition p of every cached RDD with as
// many partitions as the stage's own, down to those of which p stands already.
func (d *driver) inferBlocks(a *attempt) {
	r := a.round
	if !d.inferred || r.text == nil || !a.partition.OK || d.gone[a.worker] {
		return
	}
	p, size := a.partition.V, d.ownSize(r)
	seen := map[int64]bool{}
	var walk func(rdd int64)
	walk = func(rdd int64) {
		if seen[rdd] {
			return
		}
		seen[rdd] = true
		if c := d.caches[rdd]; c != nil && r.text.rdds[rdd] && c.size == size {
			if old := c.current[p]; old != nil && old.stands() {
				return
			}
			o := d.make(c, p, a, a.end)
			o.known = inferred
			o.arrive(holder{worker: a.worker}, a.end)
			c.current[p] = o
		}
		_, narrow := d.g.edgesOf(r.text, rdd)
		for _, parent := range narrow {
			walk(parent)
		}
	}
	walk(r.text.own)
}
