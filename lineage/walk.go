package lineage

import (
	"slices"
	"strings"

	"tracereplay/ingest"
)

// rdd is what is known of an RDD, by its latest description.
type rdd struct {
	parents   []int64
	parts     int64
	repl      int64
	persisted bool
	rollback  bool
	// reader: its class reads a shuffle; coreReader: one of the RDD API, where
	// one map RDD can feed several shuffles.
	reader, coreReader bool
}

// stage is a stage id: what it computes and what it reads.
type stage struct {
	id      int64
	name    string
	rdd     int64
	tasks   int64 // of the whole stage
	parents []int64
	in      []int64 // RDDs inside, sorted
	isMap   bool    // some stage lists it as a parent
	sql     bool    // its job belongs to a SQL execution
	dataset *dataset
	readers []shuffleDep

	last         *attempt       // newest attempt
	resultDone   map[int64]bool // pieces of a result stage that succeeded
	failedInARow int64
}

// shuffleDep is a dependency through a shuffle: child reads what the stage
// over parent wrote.
type shuffleDep struct{ child, parent int64 }

// node is an input found by a walk: a shuffle dependency or a cached RDD.
type node struct {
	dep   shuffleDep
	cache int64
	isRDD bool
}

// learn takes note of a stage's description.
func (a *app) learn(info *ingest.StageInfo) *stage {
	for i := range info.RDDs {
		a.learnRDD(&info.RDDs[i])
	}
	s := a.stages[info.Stage]
	if s == nil {
		s = &stage{id: info.Stage}
		a.stages[info.Stage] = s
	}
	s.name = info.Name
	s.tasks = max(s.tasks, pieces(info.Tasks))
	if info.HasParents {
		s.parents = slices.Clone(info.Parents)
	}
	if len(info.RDDs) > 0 {
		s.rdd = info.RDDs[0].RDD
		s.tasks = max(s.tasks, pieces(info.RDDs[0].Partitions))
		s.in = s.in[:0]
		for i := range info.RDDs {
			s.in = append(s.in, info.RDDs[i].RDD)
		}
		slices.Sort(s.in)
	}
	return s
}

func (a *app) learnRDD(info *ingest.RDDInfo) {
	r := a.rdds[info.RDD]
	if r == nil {
		r = &rdd{}
		a.rdds[info.RDD] = r
	}
	if !slices.Equal(r.parents, info.Parents) {
		r.parents = slices.Clone(info.Parents)
	}
	r.parts, r.persisted, r.repl = pieces(info.Partitions), info.Persisted(), max(info.Replication, 1)
	r.rollback = info.Barrier || info.Deterministic == "INDETERMINATE"
	switch info.Name {
	case "ShuffledRDD", "CoGroupedRDD", "SubtractedRDD":
		r.reader, r.coreReader = true, true
	default: // ShuffledRowRDD, and what plug-ins call theirs
		r.reader = strings.HasPrefix(info.Name, "Shuffled")
	}
}

// contains tells whether an RDD is inside a stage.
func (s *stage) contains(rdd int64) bool {
	_, ok := slices.BinarySearch(s.in, rdd)
	return ok
}

// edges splits the parents of RDD r inside stage s into narrow ones and those
// read through a shuffle. A parent outside the stage is read through a shuffle;
// one inside may be both (an RDD zipped with its own grouping): when r's class
// reads shuffles and a parent stage computes it, it is a shuffle's.
func (a *app) edges(s *stage, r int64) (narrow, shuffled []int64) {
	x := a.rdds[r]
	if x == nil {
		return nil, nil
	}
	for _, p := range x.parents {
		if s.contains(p) && !(x.reader && a.parentStageOver(s, p)) {
			narrow = append(narrow, p)
		} else {
			shuffled = append(shuffled, p)
		}
	}
	return narrow, shuffled
}

func (a *app) parentStageOver(s *stage, rdd int64) bool {
	return slices.ContainsFunc(s.parents, func(id int64) bool {
		p := a.stages[id]
		return p != nil && p.rdd == rdd
	})
}

// shuffleDeps lists all shuffle dependencies inside a stage, caches or not.
func (a *app) shuffleDeps(s *stage) []shuffleDep {
	var out []shuffleDep
	a.visit(s, s.rdd, func(int64) bool { return false }, func(n node) {
		out = append(out, n.dep)
	})
	return out
}

// inputsBelow lists the nearest shuffles and cached RDDs below an RDD: what
// must exist to compute it. The RDD itself counts when self is true.
func (a *app) inputsBelow(s *stage, start int64, self bool) []node {
	var out []node
	first := true
	a.visit(s, start, func(r int64) bool {
		isStart := first
		first = false
		x := a.rdds[r]
		return x != nil && x.persisted && (self || !isStart)
	}, func(n node) { out = append(out, n) })
	return out
}

// visit walks narrow dependencies from start, depth first, each RDD once. It
// stops at RDDs for which stop holds and reports them, and reports every
// shuffle dependency met.
func (a *app) visit(s *stage, start int64, stop func(int64) bool, found func(node)) {
	seen := map[int64]bool{}
	var walk func(r int64)
	walk = func(r int64) {
		if seen[r] {
			return
		}
		seen[r] = true
		if stop(r) {
			found(node{cache: r, isRDD: true})
			return
		}
		narrow, shuffled := a.edges(s, r)
		for _, p := range shuffled {
			found(node{dep: shuffleDep{r, p}})
		}
		for _, p := range narrow {
			walk(p)
		}
	}
	walk(start)
}
