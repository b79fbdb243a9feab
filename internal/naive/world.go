package naive

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"tracereplay/ingest"
	"tracereplay/internal/table"
)

// World is a run in the words of the model: docs/model.md, "World".
type World struct {
	App      string
	Start    int64
	End      int64
	workers  []*worker
	datasets []*dataset
	attempts []*attempt
	rounds   []*round
	needs    []*need
	inferred bool // cached blocks are placed by inference
}

type worker struct {
	id, machine string
	coordinator bool
	from, to    int64
}

// dataset is a shuffle or a cached RDD.
type dataset struct {
	n        int
	cache    bool
	slot     slot // shuffles
	rdd      int64
	size     int64 // pieces when complete
	rollback bool
	inputs   []*dataset
	pieces   map[int64][]*output // by partition, in the order made
	current  map[int64]*output   // while the log is read: what the engine would read
}

// output is one output that came into being.
type output struct {
	of        *dataset
	partition int64
	task      int64 // -1: not known
	worker    string
	machine   string
	made      int64
	cost      int64
	bytes     int64
	known     int
	stays     []*stay
}

// stay is one residence.
type stay struct {
	holder   holder
	from, to int64
	reason   string
}

// holder keeps outputs. Exactly one of its names is set, or none: never dies.
type holder struct{ worker, machine string }

func (h holder) String() string {
	switch {
	case h.worker != "":
		return "worker:" + h.worker
	case h.machine != "":
		return "machine:" + h.machine
	}
	return "store"
}

func (s *stay) alive(t int64) bool { return s.from <= t && t < s.to }

// attempt is a task attempt that was launched.
type attempt struct {
	task        int64
	round       *round
	index       int64
	partition   table.I64
	worker      string
	start, end  int64
	startSeq    int64
	endSeq      int64 // 0: not in the log
	success     bool
	speculative bool
	blocks      int64
	bytes       table.I64
}

// round is a stage attempt.
type round struct {
	stage, attempt   int64
	text             *stageText
	submit, complete table.I64
	submitSeq        int64
	tasks            int64
	isMap            bool
	writes           *dataset
	launched         []*attempt
	epoch            int64 // of the driver, when it was submitted
	missing          []int64
	reads            []read
	firstRun         bool
	endedWell        bool
	wantedUntil      table.I64 // its stage was not done when a job that failed, or never ended, was over
}

type read struct {
	of      *dataset
	through *dataset // an incomplete cache between, or nil
	unsure  bool     // that cache may be complete: the log does not tell
}

// need is a row of table need.
type need struct {
	of                        *dataset
	round                     *round
	from, submit, lastStart   table.I64
	until                     int64
	isDense, isRerun, isKnown bool
	unsure                    bool // it looks through a cache that may be complete
}

// Worst first is last: how a fact is known.
const (
	logged = iota
	derived
	inferred
	bound
)

var knownNames = [...]string{"logged", "derived", "inferred", "bound"}

// Load rebuilds the run of the one application that rows hold.
func Load(rows *Rows) (*World, error) {
	if len(rows.Apps) != 1 {
		return nil, fmt.Errorf("naive: rows of %d applications, want one (see Rows.Only)", len(rows.Apps))
	}
	app := rows.Apps[0]
	w := &World{App: app.App, Start: app.FirstMs.V, End: app.LastMs.V, inferred: !app.BlockUpdates}
	l := &loader{
		World: w, rows: rows, g: newGraph(rows), settings: map[string]string{}, version: app.Version,
		byStage: map[int64]*dataset{}, caches: map[int64]*dataset{}, byTask: map[int64]*attempt{},
	}
	for _, s := range rows.Settings {
		if s.Scope == "spark" {
			l.settings[s.Name] = s.Value
		}
	}
	l.findWorkers()
	l.findRounds()
	l.findDatasets()
	l.replay()
	l.findInputs()
	l.findNeeds()
	return w, nil
}

type loader struct {
	*World
	rows     *Rows
	g        *graph
	settings map[string]string
	version  string
	slots    map[int64]slot
	byStage  map[int64]*dataset // shuffle that a map stage writes
	caches   map[int64]*dataset // by RDD
	byTask   map[int64]*attempt
}

func (l *loader) findWorkers() {
	for _, x := range l.rows.Workers {
		w := &worker{id: x.Worker, machine: x.Machine.V, coordinator: x.IsCoordinator, from: x.AddedMs.Or(l.Start), to: l.End}
		if x.RemovedMs.OK {
			w.to = x.RemovedMs.V
		}
		l.workers = append(l.workers, w)
	}
}

func (w *World) worker(id string) *worker {
	for _, x := range w.workers {
		if x.id == id {
			return x
		}
	}
	return &worker{id: id}
}

func (l *loader) findRounds() {
	texts := map[[2]int64]*stageText{}
	for _, t := range l.g.listed {
		texts[[2]int64{t.stage, t.attempt}] = t
	}
	isParent := map[int64]bool{}
	for _, p := range l.rows.StageParents {
		isParent[p.Parent] = true
	}
	kinds := map[int64]string{}
	for _, x := range l.rows.Stages {
		if x.Kind.OK {
			kinds[x.Info.Stage] = x.Kind.V
		}
	}
	byKey := map[[2]int64]*round{}
	for _, x := range l.rows.Stages {
		k := [2]int64{x.Info.Stage, x.Info.Attempt}
		r := &round{
			stage: x.Info.Stage, attempt: x.Info.Attempt, text: texts[k], submit: x.Info.SubmitMs, complete: x.Info.CompleteMs,
			submitSeq: x.SubmitSeq.Or(0), tasks: x.Info.Tasks,
		}
		if r.text == nil {
			r.text = l.g.stages[r.stage]
		}
		r.isMap = kinds[r.stage] == "map" || kinds[r.stage] == "" && isParent[r.stage]
		byKey[k] = r
		l.rounds = append(l.rounds, r)
	}
	slices.SortStableFunc(l.rounds, func(a, b *round) int { return cmp.Compare(a.submitSeq, b.submitSeq) })
	for i := range l.rows.Tasks {
		x := &l.rows.Tasks[i]
		a := &attempt{
			task: x.Task, round: byKey[[2]int64{x.Stage, x.StageAttempt}], index: x.Index, partition: x.Partition, worker: x.Worker,
			start: x.LaunchMs, startSeq: x.StartSeq.Or(0), endSeq: x.EndSeq.Or(0), success: x.Status == ingest.Success,
			speculative: x.Speculative, blocks: x.M.RemoteBlocks.Or(0) + x.M.LocalBlocks.Or(0), bytes: x.M.WrittenBytes,
		}
		a.end = x.FinishMs.Or(l.worker(x.Worker).to)
		if !x.FinishMs.OK && a.end == 0 {
			a.end = l.End
		}
		l.byTask[a.task] = a
		l.attempts = append(l.attempts, a)
		if a.round != nil {
			a.round.launched = append(a.round.launched, a)
		}
	}
}

// findDatasets numbers shuffles and caches.
func (l *loader) findDatasets() {
	l.slots = l.g.identify()
	bySlot := map[slot]*dataset{}
	add := func(d *dataset) *dataset {
		d.n, d.pieces, d.current = len(l.datasets), map[int64][]*output{}, map[int64]*output{}
		v := l.g.describe(d.rdd, -1)
		d.size, d.rollback = v.partitions, v.rollback && !d.cache
		l.datasets = append(l.datasets, d)
		return d
	}
	isMap := map[int64]bool{}
	for _, r := range l.rounds {
		isMap[r.stage] = r.isMap
	}
	for _, p := range l.rows.StageParents {
		isMap[p.Parent] = true
	}
	for _, t := range l.g.listed {
		for _, rdd := range slices.Sorted(maps.Keys(t.rdds)) {
			if t.rdds[rdd] && l.caches[rdd] == nil {
				l.caches[rdd] = add(&dataset{cache: true, rdd: rdd})
			}
		}
		if !isMap[t.stage] || l.byStage[t.stage] != nil {
			continue
		}
		s := l.slots[t.stage]
		if bySlot[s] == nil {
			bySlot[s] = add(&dataset{slot: s, rdd: s.mapRDD})
		}
		l.byStage[t.stage] = bySlot[s]
	}
	// A reader may name a shuffle whose stage the log never lists.
	for _, t := range l.g.listed {
		for _, e := range l.g.allEdges(t) {
			if bySlot[e.slot] == nil {
				bySlot[e.slot] = add(&dataset{slot: e.slot, rdd: e.mapRDD})
			}
		}
	}
	for _, r := range l.rounds {
		if r.isMap {
			r.writes = l.byStage[r.stage]
		}
	}
}

func (l *loader) shuffle(s slot) *dataset {
	for _, d := range l.datasets {
		if !d.cache && d.slot == s {
			return d
		}
	}
	return nil
}

// findInputs finds for every dataset the nearest datasets below it, in the
// last description of a stage that makes it.
func (l *loader) findInputs() {
	for _, d := range l.datasets {
		var t *stageText
		kept := map[int64]bool{} // while d was made, at least once
		for _, x := range l.g.listed {
			makes := !d.cache && l.byStage[x.stage] == d
			if _, inside := x.rdds[d.rdd]; d.cache && inside {
				makes = true
			}
			if !makes {
				continue
			}
			t = x
			for rdd, persisted := range x.rdds {
				kept[rdd] = kept[rdd] || persisted
			}
		}
		if t == nil {
			continue
		}
		seen := map[int64]bool{}
		var walk func(r int64)
		walk = func(r int64) {
			if seen[r] {
				return
			}
			seen[r] = true
			if c := l.caches[r]; c != nil && c != d && kept[r] {
				d.addInput(c)
				return
			}
			edges, narrow := l.g.edgesOf(t, r)
			for _, e := range edges {
				d.addInput(l.shuffle(e.slot))
			}
			for _, p := range narrow {
				walk(p)
			}
		}
		walk(d.rdd)
	}
}

func (d *dataset) addInput(i *dataset) {
	if i != nil && !slices.Contains(d.inputs, i) {
		d.inputs = append(d.inputs, i)
	}
}

// readsNow are the datasets that a stage attempt reads as of now: it looks
// through caches that are not complete.
func (l *driver) readsNow(r *round, seq int64) []read {
	if r.text == nil {
		return nil
	}
	t := *r.text
	t.seq = seq
	var out []read
	add := func(d, through *dataset) {
		if d == nil {
			return
		}
		for _, x := range out {
			if x.of == d {
				return
			}
		}
		unsure := through != nil && l.inferred && l.firstIn[through.rdd] != r.stage
		out = append(out, read{d, through, unsure})
	}
	seen := map[int64]bool{}
	var walk func(rdd int64, through *dataset)
	walk = func(rdd int64, through *dataset) {
		if seen[rdd] {
			return
		}
		seen[rdd] = true
		if c := l.caches[rdd]; c != nil && t.rdds[rdd] {
			standing := c.standing()
			if standing > 0 {
				add(c, through)
			}
			if standing >= c.size {
				return
			}
			through = c
		}
		edges, narrow := l.g.edgesOf(&t, rdd)
		for _, e := range edges {
			add(l.shuffle(e.slot), through)
		}
		for _, p := range narrow {
			walk(p, through)
		}
	}
	walk(t.own, nil)
	return out
}

// standing counts the pieces of a cache of which a copy stands now.
func (d *dataset) standing() int64 {
	n := int64(0)
	for _, outs := range d.pieces {
		for _, o := range outs {
			if o.stands() {
				n++
				break
			}
		}
	}
	return n
}

func (o *output) stands() bool {
	for _, s := range o.stays {
		if s.to == forever {
			return true
		}
	}
	return false
}

const forever = int64(1) << 62

// findNeeds makes the rows of table need.
func (l *loader) findNeeds() {
	for _, r := range l.rounds {
		if r.tasks == 0 {
			continue
		}
		n := need{round: r, submit: r.submit, isRerun: !r.firstRun}
		if !r.firstRun {
			n.from = r.submit
		}
		finished, fetched := int64(0), int64(0)
		n.until = -1
		for _, a := range r.launched {
			if !a.speculative && (!n.lastStart.OK || a.start > n.lastStart.V) {
				n.lastStart = table.Some(a.start)
			}
			if a.success && a.endSeq > 0 {
				n.until = max(n.until, a.end)
				finished++
				fetched += a.blocks
			}
		}
		if n.until < 0 {
			n.until = r.complete.Or(l.End)
		}
		n.until = max(n.until, r.wantedUntil.V)
		possible := int64(0)
		for _, x := range r.reads {
			if !x.of.cache {
				possible += finished * x.of.withBytes()
			}
		}
		if possible > 0 {
			n.isKnown, n.isDense = true, float64(fetched) >= 0.98*float64(possible)
		}
		for _, x := range r.reads {
			row := n
			row.of, row.unsure = x.of, x.unsure
			if x.of.cache {
				row.isKnown, row.isDense = false, false
			}
			l.needs = append(l.needs, &row)
		}
	}
}

// withBytes counts the pieces of a shuffle that hold anything.
func (d *dataset) withBytes() int64 {
	n := int64(0)
	for _, outs := range d.pieces {
		if len(outs) > 0 && outs[len(outs)-1].bytes > 0 {
			n++
		}
	}
	return n
}
