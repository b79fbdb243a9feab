package sparkgen

import "math/rand/v2"

// plan is an application before it runs: RDDs and the jobs over them.
type plan struct {
	sql      bool
	rdds     []*rdd
	shuffles []*shuffle
	jobs     []*planJob
}

// planJob is one action of the application.
type planJob struct {
	rdd       *rdd
	parts     []int    // requested partitions of a result
	mapStage  *shuffle // set: only this shuffle is wanted (as adaptive SQL asks for it)
	name      string
	beside    bool   // starts while the job before it runs
	gapMs     int64  // after the job before it ended, or started
	unpersist []*rdd // before it starts
}

// drawer draws a plan.
type drawer struct {
	*plan
	rnd    *rand.Rand
	opt    Options
	caches bool
	narrow map[*rdd]bool // read narrowly by a CoGroupedRDD: must not be shuffled, the log could not tell
	mapped map[*rdd]bool // feeds a shuffle
}

func drawPlan(rnd *rand.Rand, opt Options) *plan {
	d := &drawer{plan: &plan{}, rnd: rnd, opt: opt, narrow: map[*rdd]bool{}, mapped: map[*rdd]bool{}}
	shape := opt.Shape
	if shape == Drawn {
		shape = []Shape{Linear, Diamond, Reuse, Cached, Random, Random, Random, Random}[rnd.IntN(8)]
	}
	d.sql = rnd.IntN(3) == 0
	d.caches = rnd.IntN(2) == 0
	switch shape {
	case Linear:
		d.linear()
	case Diamond:
		d.diamond()
	case Reuse:
		d.reuse()
	case Cached:
		d.cached()
	default:
		d.random()
	}
	return d.plan
}

func (d *drawer) n(low, high int) int { return low + d.rnd.IntN(high-low+1) }

func (d *drawer) linear() {
	r := d.mapOf(d.source(d.n(3, 6)))
	for range d.n(1, 3) {
		r = d.mapOf(d.shuffled(r, d.n(3, 6)))
	}
	d.action(r)
}

func (d *drawer) diamond() {
	top := d.mapOf(d.shuffled(d.mapOf(d.source(d.n(3, 5))), d.n(3, 5)))
	n := d.n(3, 5)
	left := d.shuffled(d.mapOf(top), n)
	right := d.shuffled(d.mapOf(top), n)
	r := d.mapOf(d.zip(d.mapOf(left), d.mapOf(right)))
	d.action(d.shuffled(r, d.n(2, 4)))
}

func (d *drawer) reuse() {
	x := d.shuffled(d.mapOf(d.shuffled(d.mapOf(d.source(d.n(3, 5))), d.n(3, 5))), d.n(3, 5))
	for range d.n(2, 4) {
		d.action(d.mapOf(x))
	}
}

func (d *drawer) cached() {
	c := d.mapOf(d.shuffled(d.mapOf(d.source(d.n(3, 5))), d.n(3, 5)))
	c.persisted = true
	for i := range d.n(2, 3) {
		r := d.mapOf(c)
		if i > 0 && d.rnd.IntN(2) == 0 {
			r = d.mapOf(d.shuffled(r, d.n(2, 4)))
		}
		d.action(r)
	}
}

// random grows a graph and runs actions on what has grown.
func (d *drawer) random() {
	pool := []*rdd{d.mapOf(d.source(d.n(2, 5)))}
	if d.rnd.IntN(2) == 0 {
		pool = append(pool, d.source(d.n(2, 5)))
	}
	pick := func() *rdd {
		if d.rnd.IntN(2) == 0 {
			return pool[len(pool)-1]
		}
		return pool[d.rnd.IntN(len(pool))]
	}
	jobs := 0
	for range d.n(3, 9) {
		r := d.grow(pick)
		pool = append(pool, r)
		if d.rnd.IntN(4) == 0 {
			d.action(pick())
			jobs++
		}
	}
	if jobs == 0 || d.rnd.IntN(3) > 0 {
		d.action(pool[len(pool)-1])
	}
	if d.rnd.IntN(2) == 0 {
		d.action(d.mapOf(pick()))
	}
}

// grow applies one random operation.
func (d *drawer) grow(pick func() *rdd) *rdd {
	switch d.rnd.IntN(10) {
	case 0, 1:
		return d.mapOf(pick())
	case 2, 3, 4:
		return d.shuffled(pick(), d.n(2, 5))
	case 5, 6:
		return d.join(pick(), pick())
	case 7:
		a, b := pick(), pick()
		if a.parts+b.parts <= 10 {
			return d.union(a, b)
		}
		return d.shuffled(a, d.n(2, 5))
	case 8:
		a := pick()
		if !d.sql && !d.narrow[a] {
			return d.cogroup(a, a, d.n(2, 4), true, true) // with itself: two shuffles of one pair
		}
		return d.zip(d.shuffled(a, 3), d.shuffled(a, 3))
	default:
		a, b := pick(), pick()
		if a.parts == b.parts {
			return d.zip(a, b) // a may be b's own map RDD
		}
		return d.mapOf(a)
	}
}

func (d *drawer) join(a, b *rdd) *rdd {
	n := d.n(2, 5)
	if d.sql {
		return d.zip(d.shuffled(a, n), d.shuffled(b, n))
	}
	// One side may already be divided as the join wants it.
	if a != b && d.rnd.IntN(2) == 0 && !d.mapped[a] {
		return d.cogroup(a, b, a.parts, false, true)
	}
	return d.cogroup(a, b, n, true, true)
}

func (d *drawer) newRDD(class, scope string, parts int, parents ...dep) *rdd {
	r := &rdd{id: len(d.rdds), class: class, scope: scope, parts: parts, parents: parents}
	d.rdds = append(d.rdds, r)
	return r
}

func (d *drawer) source(parts int) *rdd {
	return d.newRDD("ParallelCollectionRDD", "parallelize", parts)
}

func (d *drawer) mapOf(r *rdd) *rdd {
	m := d.newRDD("MapPartitionsRDD", "map", r.parts, dep{rdd: r})
	if d.caches && d.rnd.IntN(5) == 0 {
		m.persisted = true
	}
	return m
}

func (d *drawer) zip(a, b *rdd) *rdd {
	if a.parts != b.parts {
		panic("sparkgen: zip of unequal RDDs")
	}
	return d.newRDD("ZippedPartitionsRDD2", "zip", a.parts, dep{rdd: a}, dep{rdd: b})
}

func (d *drawer) union(a, b *rdd) *rdd {
	return d.newRDD("UnionRDD", "union", a.parts+b.parts, dep{rdd: a}, dep{rdd: b, offset: a.parts})
}

// shuffled reads r through a shuffle. In SQL the exchange has a map RDD of its
// own, and may get a second reader.
func (d *drawer) shuffled(r *rdd, parts int) *rdd {
	if d.sql {
		if n := len(d.shuffles); n > 0 && d.rnd.IntN(4) == 0 {
			for _, s := range d.shuffles {
				if s.reduces == parts {
					return d.newRDD("ShuffledRowRDD", "Exchange", parts, dep{rdd: s.mapRDD, shuffle: s})
				}
			}
		}
		m := d.newRDD("MapPartitionsRDD", "Exchange", r.parts, dep{rdd: r})
		s := d.shuffle(m, parts)
		return d.newRDD("ShuffledRowRDD", "Exchange", parts, dep{rdd: m, shuffle: s})
	}
	if d.narrow[r] {
		r = d.newRDD("MapPartitionsRDD", "map", r.parts, dep{rdd: r})
	}
	s := d.shuffle(r, parts)
	s.reader = d.newRDD("ShuffledRDD", "partitionBy", parts, dep{rdd: r, shuffle: s})
	return s.reader
}

func (d *drawer) cogroup(a, b *rdd, parts int, shuffleA, shuffleB bool) *rdd {
	r := &rdd{class: "CoGroupedRDD", scope: "cogroup", parts: parts}
	for i, x := range []*rdd{a, b} {
		if i == 0 && !shuffleA || i == 1 && !shuffleB {
			d.narrow[x] = true
			r.parents = append(r.parents, dep{rdd: x})
			continue
		}
		if d.narrow[x] {
			x = d.newRDD("MapPartitionsRDD", "map", x.parts, dep{rdd: x})
		}
		s := d.shuffle(x, parts)
		s.reader = r
		if i == 1 && x == r.parents[0].rdd && r.parents[0].shuffle != nil {
			s.ordinal = 1
		}
		r.parents = append(r.parents, dep{rdd: x, shuffle: s})
	}
	r.id = len(d.rdds)
	d.rdds = append(d.rdds, r)
	return r
}

func (d *drawer) shuffle(m *rdd, reduces int) *shuffle {
	s := &shuffle{id: len(d.shuffles), mapRDD: m, reduces: reduces}
	s.sparse = d.opt.Sparse.on(d.rnd.Float64(), 0.3)
	if !d.opt.Dense && d.rnd.IntN(5) == 0 {
		s.empty = d.n(2, 4)
	}
	d.mapped[m] = true
	d.shuffles = append(d.shuffles, s)
	return s
}

// action adds a job that computes r.
func (d *drawer) action(r *rdd) {
	if d.sql && d.rnd.IntN(2) == 0 {
		for _, p := range r.parents {
			if p.shuffle != nil {
				d.job(&planJob{mapStage: p.shuffle, rdd: p.shuffle.mapRDD, name: "submitMapStage"})
			}
		}
	}
	j := &planJob{rdd: r, name: "collect"}
	n := r.parts
	if d.rnd.IntN(6) == 0 {
		n = d.n(1, r.parts)
		j.name = "take"
	}
	for p := range n {
		j.parts = append(j.parts, p)
	}
	d.job(j)
}

func (d *drawer) job(j *planJob) {
	j.gapMs = int64(d.n(5, 400))
	j.beside = len(d.jobs) > 0 && d.rnd.IntN(6) == 0
	if d.rnd.IntN(8) == 0 {
		for _, r := range d.rdds {
			if r.persisted && d.rnd.IntN(3) == 0 {
				j.unpersist = append(j.unpersist, r)
			}
		}
	}
	d.jobs = append(d.jobs, j)
}
