package lineage

import (
	"cmp"
	"slices"

	"tracereplay/ingest"
	"tracereplay/internal/table"
)

// datasetKey identifies a dataset. reading is 0 for SQL exchanges (the map RDD
// alone is the key), for shuffles without a known reader, and for caches.
type datasetKey struct {
	cache        bool
	rdd, reading int64
	hasReading   bool
	ordinal      int64
}

// dataset is a shuffle or a cached RDD with the state of its pieces.
type dataset struct {
	id            int32
	key           datasetKey
	parts         int64
	name          string
	firstStage    table.I64
	repl          int64
	rollback      bool
	engineShuffle table.I64
	known         string
	lastReadMs    table.I64
	liveUntilMs   table.I64 // end of the last job that made or might have read it
	openJobs      int       // running jobs of that kind
	inputs        []*dataset

	cur       []int32 // piece -> its latest output, -1 = never made
	first     []int32 // piece -> its first output
	live      int64   // pieces with a live copy
	withBytes int64   // pieces whose latest output has bytes, or whose size is unknown
	assumed   bool    // a cache whose pieces cannot be placed: complete after its first stage
}

// known pieces: made tells whether a piece was ever made.
func (d *dataset) made(p int64) bool { return p >= 0 && p < int64(len(d.first)) && d.first[p] >= 0 }

// complete tells whether every piece has a live copy.
func (d *dataset) complete() bool {
	return d.assumed || d.parts > 0 && d.live >= d.parts
}

// maxPieces is more than any dataset has. Numbers of pieces beyond it are taken
// for unknown, so that one wrong number in a log cannot fill the memory.
const maxPieces = 1 << 23

func isPiece(p int64) bool { return 0 <= p && p < maxPieces }

// pieces is a number of pieces that a log tells, 0 where it cannot be meant.
func pieces(n int64) int64 {
	if n < 0 || n > maxPieces {
		return 0
	}
	return n
}

// grow makes room for piece p.
func (d *dataset) grow(p int64) {
	for int64(len(d.cur)) <= p {
		d.cur = append(d.cur, -1)
		d.first = append(d.first, -1)
	}
}

// newDataset adds a dataset.
func (a *app) newDataset(key datasetKey, known string) *dataset {
	d := &dataset{id: int32(len(a.datasets)), key: key, repl: 1, known: known}
	if r := a.rdds[key.rdd]; r != nil {
		d.parts, d.rollback = r.parts, r.rollback
		if key.cache {
			d.repl = r.repl
			d.rollback = false
		}
	}
	a.datasets = append(a.datasets, d)
	a.byKey[key] = d
	return d
}

// jobStart learns a job's stages and finds the shuffle that each of them
// writes, where a reader in the job tells.
func (a *app) jobStart(e *ingest.JobStart) {
	stages := make([]*stage, 0, len(e.Stages))
	for i := range e.Stages {
		s := a.learn(&e.Stages[i])
		s.sql = s.sql || e.Properties.Execution.OK
		stages = append(stages, s)
	}
	slices.SortFunc(stages, func(x, y *stage) int { return cmp.Compare(x.id, y.id) })
	for _, s := range stages {
		for _, p := range s.parents {
			if ps := a.stages[p]; ps != nil {
				ps.isMap = true
			}
		}
	}
	for _, s := range stages {
		a.identify(s)
	}
	j := &job{id: e.Job, seq: e.Seq, stages: stages, uses: map[*dataset]bool{}}
	a.jobs[e.Job] = j
	for _, s := range stages {
		a.touch(j, s.dataset)
	}
	j.missing = j.missingAtStart()
}

// identify gives every parent stage of s the shuffle that s reads from it.
// Where several parents compute one RDD for several readings, they are matched
// in order of their ids, which is a guess: the log does not tell.
func (a *app) identify(s *stage) {
	if len(s.readers) > 0 && a.allIdentified(s) {
		return
	}
	deps := a.shuffleDeps(s)
	slices.SortFunc(deps, func(x, y shuffleDep) int {
		return cmp.Or(cmp.Compare(x.parent, y.parent), cmp.Compare(x.child, y.child))
	})
	s.readers = deps
	parents := slices.Clone(s.parents)
	slices.Sort(parents)
	for i := 0; i < len(deps); {
		j := i
		for j < len(deps) && deps[j].parent == deps[i].parent {
			j++
		}
		a.match(deps[i:j], parents)
		i = j
	}
}

func (a *app) allIdentified(s *stage) bool {
	return !slices.ContainsFunc(s.parents, func(p int64) bool { return a.stages[p] == nil || a.stages[p].dataset == nil })
}

// match pairs the readings of one map RDD with the parent stages over it.
func (a *app) match(deps []shuffleDep, parents []int64) {
	m := deps[0].parent
	var over []*stage
	for _, p := range parents {
		if ps := a.stages[p]; ps != nil && ps.rdd == m {
			over = append(over, ps)
		}
	}
	if len(over) == 0 {
		return
	}
	if a.readBySQL(over[0], deps[0].child) {
		for _, ps := range over {
			a.assign(ps, datasetKey{rdd: m}, Derived)
		}
		return
	}
	known := Derived
	if len(over) > 1 {
		known = Inferred
	}
	used := map[int64]int64{} // readings by one RDD: it may read the same parent more than once
	for i, ps := range over {
		child := deps[min(i, len(deps)-1)].child
		a.assign(ps, datasetKey{rdd: m, reading: child, hasReading: true, ordinal: used[child]}, known)
		used[child]++
	}
}

// readBySQL tells whether an RDD reads an exchange of a SQL plan: there each
// exchange has a map RDD of its own, however many RDDs read it.
func (a *app) readBySQL(s *stage, child int64) bool {
	r := a.rdds[child]
	return r != nil && !r.coreReader && (s.sql || r.reader)
}

// assign ties a stage to the dataset of a key. A stage that already writes a
// dataset under a provisional key hands that dataset over.
func (a *app) assign(s *stage, key datasetKey, known string) {
	d := a.byKey[key]
	switch {
	case s.dataset != nil && s.dataset.key == key:
		return
	case d == nil && s.dataset != nil && !s.dataset.key.hasReading && key.hasReading && len(s.dataset.cur) > 0:
		d = s.dataset // made before its reader was known
		delete(a.byKey, d.key)
		d.key, d.known = key, known
		a.byKey[key] = d
	case d == nil:
		d = a.newDataset(key, known)
	}
	s.dataset = d
	if d.name == "" {
		d.name = s.name
	}
}

// datasetOf is the dataset that a map stage writes; for one that no reader
// named (an adaptive query's own map stage) the map RDD alone is the key.
func (a *app) datasetOf(s *stage) *dataset {
	if s.dataset == nil {
		a.assign(s, datasetKey{rdd: s.rdd}, Derived)
	}
	return s.dataset
}

// cacheOf is the dataset of a cached RDD.
func (a *app) cacheOf(rdd int64) *dataset {
	key := datasetKey{cache: true, rdd: rdd}
	if d := a.byKey[key]; d != nil {
		return d
	}
	return a.newDataset(key, Derived)
}

// resolve turns what a walk found into datasets. A shuffle whose stage is not
// known (its job's start was lost) is left out.
func (a *app) resolve(s *stage, nodes []node) []*dataset {
	var out []*dataset
	for _, n := range nodes {
		if n.isRDD {
			out = append(out, a.cacheOf(n.cache))
		} else {
			out = append(out, a.shufflesOf(s, n.dep)...)
		}
	}
	slices.SortFunc(out, func(x, y *dataset) int { return cmp.Compare(x.id, y.id) })
	return slices.Compact(out)
}

// shufflesOf finds the datasets of a shuffle dependency: one, or several where
// one RDD reads the same parent more than once.
func (a *app) shufflesOf(s *stage, dep shuffleDep) []*dataset {
	var out []*dataset
	for key := (datasetKey{rdd: dep.parent, reading: dep.child, hasReading: true}); ; key.ordinal++ {
		d := a.byKey[key]
		if d == nil {
			break
		}
		out = append(out, d)
	}
	if len(out) > 0 {
		return out
	}
	if d := a.byKey[datasetKey{rdd: dep.parent}]; d != nil {
		return []*dataset{d}
	}
	for _, p := range s.parents {
		if ps := a.stages[p]; ps != nil && ps.rdd == dep.parent {
			return []*dataset{a.datasetOf(ps)}
		}
	}
	return nil
}

// passThrough makes what lies below a cache that never kept anything an input
// of what reads through it.
func (d *dataset) passThrough(seen map[*dataset]bool) []*dataset {
	var out []*dataset
	for _, in := range d.inputs {
		if in.key.cache && len(in.cur) == 0 && !in.assumed && !seen[in] {
			seen[in] = true
			out = append(out, in.passThrough(seen)...)
		}
		out = append(out, in)
	}
	return out
}

// addInputs records what a dataset is made from.
func (d *dataset) addInputs(in []*dataset) {
	for _, x := range in {
		if x != d && !slices.Contains(d.inputs, x) {
			d.inputs = append(d.inputs, x)
		}
	}
}
