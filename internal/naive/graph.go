package naive

import (
	"cmp"
	"slices"
	"strings"
)

// graph is what the log says of RDDs and stages, without any time in it but
// the order of the descriptions.
type graph struct {
	versions map[int64][]version // RDD -> its descriptions in log order
	stages   map[int64]*stageText
	listed   []*stageText // all descriptions of stages, in no order that matters
}

// version is one description of an RDD.
type version struct {
	seq        int64
	name       string
	partitions int64
	rollback   bool    // barrier or indeterminate
	parents    []int64 // with repeats: a cogroup of an RDD with itself lists it twice
}

// stageText is a stage as one attempt of it, or a job's start, describes it.
type stageText struct {
	stage, attempt int64 // attempt -1: listed by a job's start
	seq            int64 // of the attempt's submission, when known
	own            int64
	rdds           map[int64]bool // RDD -> it is persisted
	parents        []int64        // stage ids
}

// slot is what a reading stage sees of a shuffle: this RDD, read by that one,
// for the n-th time. In SQL the map RDD is all.
type slot struct {
	mapRDD, reader int64 // reader -1: SQL, or no reader is known
	ordinal        int
}

func newGraph(r *Rows) *graph {
	g := &graph{versions: map[int64][]version{}, stages: map[int64]*stageText{}}
	for _, x := range r.RDDs {
		g.versions[x.RDD] = append(g.versions[x.RDD], version{
			seq: x.Seq, name: x.Name, partitions: x.Partitions, rollback: x.Barrier || x.Deterministic == "INDETERMINATE",
		})
	}
	for _, p := range r.RDDParents {
		for i := range g.versions[p.RDD] {
			if v := &g.versions[p.RDD][i]; v.seq == p.Seq {
				v.parents = append(v.parents, p.Parent)
			}
		}
	}
	for id := range g.versions {
		slices.SortStableFunc(g.versions[id], func(a, b version) int { return cmp.Compare(a.seq, b.seq) })
	}
	parents := map[int64][]int64{}
	for _, p := range r.StageParents {
		parents[p.Stage] = append(parents[p.Stage], p.Parent)
	}
	type key struct{ stage, attempt int64 }
	texts := map[key]*stageText{}
	for _, x := range r.StageRDDs {
		k := key{x.Stage, x.Attempt}
		t := texts[k]
		if t == nil {
			t = &stageText{stage: x.Stage, attempt: x.Attempt, seq: -1, own: -1, rdds: map[int64]bool{}, parents: parents[x.Stage]}
			texts[k] = t
			g.listed = append(g.listed, t)
		}
		t.rdds[x.RDD] = x.Persisted
		if x.Ordinal == 0 {
			t.own = x.RDD
		}
	}
	for _, x := range r.Stages {
		if t := texts[key{x.Info.Stage, x.Info.Attempt}]; t != nil && x.SubmitSeq.OK {
			t.seq = x.SubmitSeq.V
		}
	}
	for _, t := range g.listed {
		if old := g.stages[t.stage]; old == nil || old.attempt < t.attempt {
			g.stages[t.stage] = t
		}
	}
	slices.SortFunc(g.listed, func(a, b *stageText) int {
		return cmp.Or(cmp.Compare(a.stage, b.stage), cmp.Compare(a.attempt, b.attempt))
	})
	return g
}

// describe is an RDD as of a line of the log; seq -1: as last told.
func (g *graph) describe(rdd, seq int64) version {
	vs := g.versions[rdd]
	if len(vs) == 0 {
		return version{}
	}
	out := vs[0]
	for _, v := range vs {
		if seq < 0 || v.seq <= seq {
			out = v
		}
	}
	return out
}

func readsShuffles(class string) bool {
	for _, p := range []string{"ShuffledRDD", "ShuffledRowRDD", "CoGroupedRDD", "SubtractedRDD"} {
		if strings.HasPrefix(class, p) {
			return true
		}
	}
	return false
}

func isSQLReader(class string) bool { return strings.HasPrefix(class, "ShuffledRowRDD") }

// isShuffle tells whether r's dependency on p is a shuffle, inside stage t.
func (g *graph) isShuffle(t *stageText, r version, p int64) bool {
	if _, inside := t.rdds[p]; !inside {
		return true
	}
	if !readsShuffles(r.name) {
		return false
	}
	for _, parent := range t.parents {
		if x := g.stages[parent]; x != nil && x.own == p {
			return true
		}
	}
	return false
}

// edge is one shuffle dependency of an RDD in a stage.
type edge struct {
	slot
	sql bool
}

// edgesOf are the shuffle dependencies of RDD r in stage t, with the narrow
// parents beside them.
func (g *graph) edgesOf(t *stageText, r int64) (edges []edge, narrow []int64) {
	v := g.describe(r, t.seq)
	times := map[int64]int{}
	for _, p := range v.parents {
		if !g.isShuffle(t, v, p) {
			narrow = append(narrow, p)
			continue
		}
		e := edge{slot: slot{p, r, times[p]}, sql: isSQLReader(v.name)}
		if e.sql {
			e.slot = slot{p, -1, 0}
		}
		times[p]++
		edges = append(edges, e)
	}
	return edges, narrow
}

// allEdges are the shuffle dependencies anywhere in stage t, each slot once.
func (g *graph) allEdges(t *stageText) []edge {
	var out []edge
	seen := map[slot]bool{}
	for r := range t.rdds {
		edges, _ := g.edgesOf(t, r)
		for _, e := range edges {
			if !seen[e.slot] {
				seen[e.slot] = true
				out = append(out, e)
			}
		}
	}
	slices.SortFunc(out, func(a, b edge) int { return compareSlots(a.slot, b.slot) })
	return out
}

func compareSlots(a, b slot) int {
	return cmp.Or(cmp.Compare(a.mapRDD, b.mapRDD), cmp.Compare(a.reader, b.reader), cmp.Compare(a.ordinal, b.ordinal))
}

// identify finds which slot each map stage writes. A reading stage says: these
// parent stages, all over one map RDD, write these slots. Where that leaves no
// choice it is settled, which may settle others; what is left then is given out
// in the order of ids.
func (g *graph) identify() map[int64]slot {
	type puzzle struct {
		stages []int64
		slots  []slot
	}
	var puzzles []*puzzle
	known := map[int64]slot{}
	slotsOf := map[int64][]slot{} // by map RDD
	for _, t := range g.listed {
		byMap := map[int64][]slot{}
		for _, e := range g.allEdges(t) {
			byMap[e.mapRDD] = append(byMap[e.mapRDD], e.slot)
			if !slices.Contains(slotsOf[e.mapRDD], e.slot) {
				slotsOf[e.mapRDD] = append(slotsOf[e.mapRDD], e.slot)
			}
		}
		for m, slots := range byMap {
			p := &puzzle{slots: slots}
			for _, id := range t.parents {
				if x := g.stages[id]; x != nil && x.own == m && !slices.Contains(p.stages, id) {
					p.stages = append(p.stages, id)
				}
			}
			slices.Sort(p.stages)
			puzzles = append(puzzles, p)
		}
	}
	slices.SortStableFunc(puzzles, func(a, b *puzzle) int {
		return cmp.Or(slices.Compare(a.stages, b.stages), slices.CompareFunc(a.slots, b.slots, compareSlots))
	})
	settle := func(id int64, s slot) { known[id] = s }
	for {
		progress := false
		var open *puzzle
		for _, p := range puzzles {
			var stages []int64
			slots := slices.Clone(p.slots)
			for _, id := range p.stages {
				if s, ok := known[id]; ok {
					slots = slices.DeleteFunc(slots, func(x slot) bool { return x == s })
				} else {
					stages = append(stages, id)
				}
			}
			switch {
			case len(stages) == 0:
			case len(stages) == 1 && len(slots) == 1:
				settle(stages[0], slots[0])
				progress = true
			case open == nil:
				open = &puzzle{stages, slots}
			}
		}
		if progress {
			continue
		}
		if open == nil {
			break
		}
		for i, id := range open.stages {
			if i < len(open.slots) {
				settle(id, open.slots[i])
			} else {
				settle(id, slot{g.stages[id].own, -1, i})
			}
		}
	}
	for id, t := range g.stages {
		if _, ok := known[id]; !ok {
			if s := slotsOf[t.own]; len(s) == 1 {
				known[id] = s[0]
			} else {
				known[id] = slot{t.own, -1, 0}
			}
		}
	}
	return known
}
