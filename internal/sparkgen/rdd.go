package sparkgen

// rdd is one RDD of a generated application.
type rdd struct {
	id            int
	class         string // Name in the log
	scope         string // the operation
	parts         int
	parents       []dep
	persisted     bool // kept when computed; set at birth, never later
	unpersisted   bool // no longer kept, from some job on
	replication   int
	indeterminate bool
}

// dep is one dependency of an RDD.
type dep struct {
	rdd     *rdd
	shuffle *shuffle // nil: narrow
	offset  int      // narrow, UnionRDD: the child's partition offset+p is the parent's p
}

// shuffle is a shuffle dependency: what the tasks of mapRDD write for reader.
type shuffle struct {
	id      int // the engine's id
	mapRDD  *rdd
	reader  *rdd // nil in SQL, where several RDDs may read one exchange
	ordinal int  // among the shuffles of (mapRDD, reader)
	reduces int
	sparse  bool
	empty   int // every empty-th map writes nothing; 0: all write
}

// writes tells whether map partition m has anything for reduce r.
func (s *shuffle) writes(m, r int) bool {
	if s.isEmpty(m) {
		return false
	}
	if !s.sparse {
		return true
	}
	return r == m%s.reduces || r == (m*3+1)%s.reduces && m%4 == 0
}

// isEmpty tells whether map partition m has no output at all.
func (s *shuffle) isEmpty(m int) bool { return s.empty > 0 && m%s.empty == s.empty-1 }

func (r *rdd) parentIDs() []int {
	ids := make([]int, 0, len(r.parents))
	for _, d := range r.parents {
		ids = append(ids, d.rdd.id)
	}
	return ids
}

// kept tells whether computed partitions are kept now.
func (r *rdd) kept() bool { return r.persisted && !r.unpersisted }
