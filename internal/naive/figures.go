package naive

import (
	"cmp"
	"fmt"
	"slices"

	"tracereplay/internal/table"
)

// Kind is a kind of unit.
type Kind string

// The kinds of units that a log has.
const (
	WorkerUnit  Kind = "worker"
	MachineUnit Kind = "machine"
)

// Unit is something that can be removed.
type Unit struct {
	Kind        Kind
	Name        string
	From, To    int64 // alive in [From, To)
	Coordinator bool  // a machine that carries the coordinator too
}

// Figures are what one removal at one instant costs, in the columns of `blast`.
type Figures struct {
	InFlightTasks, InFlightMs             int64
	OwedOutputs, OwedBytes, OwedMs        int64
	OwedLowOutputs, OwedLowMs             int64
	ClimbOutputs, ClimbBytes, ClimbMs     int64
	ClimbLowOutputs, ClimbLowMs           int64
	CachedBlocks, CachedBytes, CachedMs   int64
	CachedLowMs                           int64 // no column: part of RecomputeLowMs
	InterruptedLow, InterruptedHigh       int64
	InterruptedHighMs                     int64
	RecomputeMs, RecomputeLowMs           int64
	EngineRedoOutputs, EngineRedoMs       int64
	OldestLostAgeMs                       table.I64
	RoundsLive                            int64
	Known                                 string
	OwedPieces, ClimbPieces, CachedPieces []Piece // which they are, sorted
}

// Piece names one piece.
type Piece struct {
	Dataset   string
	Partition int64
}

// Units lists the units of a kind, by name.
func (w *World) Units(kind Kind) []Unit {
	var out []Unit
	for _, x := range w.workers {
		if x.coordinator {
			continue
		}
		switch kind {
		case WorkerUnit:
			out = append(out, Unit{Kind: kind, Name: x.id, From: x.from, To: x.to})
		case MachineUnit:
			if x.machine == "" {
				continue
			}
			i := slices.IndexFunc(out, func(u Unit) bool { return u.Name == x.machine })
			if i < 0 {
				out = append(out, Unit{Kind: kind, Name: x.machine, From: x.from, To: x.to})
				continue
			}
			out[i].From, out[i].To = min(out[i].From, x.from), max(out[i].To, x.to)
		}
	}
	for i := range out {
		for _, x := range w.workers {
			if kind == MachineUnit && x.coordinator && x.machine == out[i].Name {
				out[i].Coordinator = true
			}
		}
	}
	slices.SortFunc(out, func(a, b Unit) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// takes tells whether a holder dies with a unit.
func (w *World) takes(u Unit, h holder) bool {
	switch {
	case h.worker != "" && u.Kind == WorkerUnit:
		return h.worker == u.Name
	case h.worker != "":
		return w.worker(h.worker).machine == u.Name
	case h.machine != "":
		return u.Kind == MachineUnit && h.machine == u.Name
	}
	return false
}

// runs tells whether a worker belongs to a unit.
func (w *World) runs(u Unit, worker string) bool { return w.takes(u, holder{worker: worker}) }

// Breakpoints are the instants of a unit's life at which a figure can jump.
func (w *World) Breakpoints(u Unit) []int64 {
	all := map[int64]bool{u.From: true}
	add := func(ms ...int64) {
		for _, t := range ms {
			if u.From <= t && t < u.To {
				all[t] = true
			}
		}
	}
	opt := func(ms ...table.I64) {
		for _, t := range ms {
			if t.OK {
				add(t.V)
			}
		}
	}
	for _, x := range w.workers {
		add(x.from, x.to)
	}
	for _, a := range w.attempts {
		add(a.start, a.end)
	}
	for _, r := range w.rounds {
		opt(r.submit, r.complete)
	}
	for _, n := range w.needs {
		opt(n.from, n.submit, n.lastStart)
		add(n.until)
	}
	for _, d := range w.datasets {
		for _, outs := range d.pieces {
			for _, o := range outs {
				add(o.made)
				for _, s := range o.stays {
					add(s.from, s.to)
				}
			}
		}
	}
	out := make([]int64, 0, len(all))
	for t := range all {
		out = append(out, t)
	}
	slices.Sort(out)
	return out
}

// instant is the state of the world just after the removal of u at t.
type instant struct {
	*World
	u Unit
	t int64
}

// lostPiece is a piece that is not there any more.
type lostPiece struct {
	o    *output // whose cost and size it has
	hole bool    // gone already before
}

// At computes every figure for the removal of u at t, from the definitions of
// docs/model.md, "At one instant". The numbers below are those of that page.
func (w *World) At(u Unit, t int64) Figures {
	i := instant{w, u, t}
	var f Figures

	// 1.
	for _, a := range w.attempts {
		if w.runs(u, a.worker) && a.start <= t && t < a.end {
			f.InFlightTasks++
			f.InFlightMs += t - a.start
		}
	}

	// 2. to 5., once with what may be needed and once with what surely is.
	high := i.active(false)
	low := i.active(true)
	due := instant{w, Unit{}, t}.due()
	var counted []*output
	count := func(o *output) { counted = append(counted, o) }
	remade := map[int64]bool{} // tasks that run again for a shuffle
	for _, d := range w.datasets {
		if !high.active[d] || d.cache {
			continue
		}
		for _, p := range i.remake(d) {
			if due.active[d] && (p.hole || d.rollback) {
				continue
			}
			remade[p.o.task] = true
			count(p.o)
			name := Piece{d.String(), p.o.partition}
			if high.start[d] {
				f.OwedOutputs++
				f.OwedBytes += p.o.bytes
				f.OwedMs += p.o.cost
				f.OwedPieces = append(f.OwedPieces, name)
			} else {
				f.ClimbOutputs++
				f.ClimbBytes += p.o.bytes
				f.ClimbMs += p.o.cost
				f.ClimbPieces = append(f.ClimbPieces, name)
			}
		}
	}
	remadeLow := map[int64]bool{}
	for _, d := range w.datasets {
		if !low.active[d] || d.cache {
			continue
		}
		for _, p := range i.remake(d) {
			if due.active[d] && (p.hole || d.rollback) {
				continue
			}
			remadeLow[p.o.task] = true
			if low.start[d] {
				f.OwedLowOutputs++
				f.OwedLowMs += p.o.cost
			} else {
				f.ClimbLowOutputs++
				f.ClimbLowMs += p.o.cost
			}
		}
	}
	for _, d := range w.datasets {
		if !d.cache {
			continue
		}
		for _, p := range i.missing(d) {
			if p.hole {
				continue
			}
			if high.active[d] && !remade[p.o.task] {
				f.CachedBlocks++
				f.CachedBytes += p.o.bytes
				f.CachedMs += p.o.cost
				f.CachedPieces = append(f.CachedPieces, Piece{d.String(), p.o.partition})
				count(p.o)
			}
			if low.active[d] && !remadeLow[p.o.task] && p.o.known < inferred {
				f.CachedLowMs += p.o.cost
			}
		}
	}

	// 6.
	f.RecomputeMs = f.InFlightMs + f.OwedMs + f.ClimbMs + f.CachedMs
	f.RecomputeLowMs = f.InFlightMs + f.OwedLowMs + f.ClimbLowMs + f.CachedLowMs

	// 7.
	for _, a := range w.attempts {
		if a.start <= t && t < a.end && !w.runs(u, a.worker) && i.readsLost(a.round) {
			f.InterruptedHigh++
			f.InterruptedHighMs += t - a.start
		}
	}

	// 8.
	for _, d := range w.datasets {
		if d.cache {
			continue
		}
		var redo []lostPiece
		switch {
		case high.active[d]:
			redo = i.remake(d)
			if due.active[d] {
				redo = slices.DeleteFunc(redo, func(p lostPiece) bool { return p.hole || d.rollback })
			}
		case i.isBeingMade(d):
			redo = i.lost(d)
		}
		for _, p := range redo {
			f.EngineRedoOutputs++
			f.EngineRedoMs += p.o.cost
		}
	}
	f.EngineRedoMs += f.InFlightMs + f.CachedMs

	// 9. and 10.
	live := map[*dataset]bool{}
	known := logged
	for _, o := range counted {
		if age := t - o.made; !f.OldestLostAgeMs.OK || age > f.OldestLostAgeMs.V {
			f.OldestLostAgeMs = table.Some(age)
		}
		live[o.of] = true
		known = max(known, o.known)
	}
	f.RoundsLive, f.Known = int64(len(live)), knownNames[known]
	for _, list := range [][]Piece{f.OwedPieces, f.ClimbPieces, f.CachedPieces} {
		slices.SortFunc(list, func(a, b Piece) int {
			return cmp.Or(cmp.Compare(a.Dataset, b.Dataset), cmp.Compare(a.Partition, b.Partition))
		})
	}
	return f
}

// String names a dataset for people.
func (d *dataset) String() string {
	switch {
	case d.cache:
		return fmt.Sprintf("cache %d", d.rdd)
	case d.slot.reader < 0:
		return fmt.Sprintf("shuffle %d", d.rdd)
	case d.slot.ordinal > 0:
		return fmt.Sprintf("shuffle %d>%d#%d", d.rdd, d.slot.reader, d.slot.ordinal)
	}
	return fmt.Sprintf("shuffle %d>%d", d.rdd, d.slot.reader)
}

// missing is what of d is not there after the removal: lost pieces and holes.
func (i instant) missing(d *dataset) []lostPiece {
	var out []lostPiece
	for _, outs := range d.pieces {
		var made, standing *output // the last of each
		survives := false
		for _, o := range outs {
			if o.made > i.t {
				continue
			}
			if made == nil || o.made >= made.made {
				made = o
			}
			for _, s := range o.stays {
				if !s.alive(i.t) {
					continue
				}
				if standing == nil || o.made >= standing.made {
					standing = o
				}
				survives = survives || !i.takes(i.u, s.holder)
			}
		}
		switch {
		case made == nil || survives:
		case standing != nil:
			out = append(out, lostPiece{o: standing})
		default:
			out = append(out, lostPiece{o: made, hole: true})
		}
	}
	return out
}

func (i instant) lost(d *dataset) []lostPiece {
	return slices.DeleteFunc(i.missing(d), func(p lostPiece) bool { return p.hole })
}

// remake is what of an active shuffle runs again: what is missing, or all that
// was ever made when it can only be made again in whole.
func (i instant) remake(d *dataset) []lostPiece {
	missing := i.missing(d)
	if !d.rollback || len(missing) == 0 {
		return missing
	}
	gone := map[int64]bool{}
	for _, p := range missing {
		gone[p.o.partition] = true
	}
	for part, outs := range d.pieces {
		var made *output
		for _, o := range outs {
			if o.made <= i.t && (made == nil || o.made >= made.made) {
				made = o
			}
		}
		if made != nil && !gone[part] {
			missing = append(missing, lostPiece{o: made})
		}
	}
	return missing
}

// needed tells whether d is needed at t: at most, or surely.
func (i instant) needed(d *dataset, surely bool) bool {
	for _, n := range i.needs {
		if n.of != d {
			continue
		}
		high := (!n.from.OK || n.from.V <= i.t) && i.t < n.until
		low := high && !n.unsure && (n.submit.OK && i.t < n.submit.V ||
			n.isKnown && n.isDense && (n.lastStart.OK && i.t < n.lastStart.V || i.readsHere(n.round)))
		if low || high && !surely {
			return true
		}
	}
	return false
}

// readsHere tells whether an attempt of the round runs on the unit, and no other
// worker of the machine could take it up and read what is left on its disk.
func (i instant) readsHere(r *round) bool {
	for _, a := range r.launched {
		if i.runs(i.u, a.worker) && a.start <= i.t && i.t < a.end && !i.hasNeighbour(i.worker(a.worker)) {
			return true
		}
	}
	return false
}

func (i instant) hasNeighbour(of *worker) bool {
	return slices.ContainsFunc(i.workers, func(x *worker) bool {
		return x.machine != "" && x.machine == of.machine && !x.coordinator && !i.runs(i.u, x.id) && x.from <= i.t && i.t < x.to
	})
}

// closure is what of the datasets must be made again.
type closure struct {
	start, active map[*dataset]bool
}

// active finds the datasets that must be made again in part: those that are
// needed and lack something, and below them whatever is missing to make them.
// Only those that lose something are the start set.
func (i instant) active(surely bool) closure {
	c := closure{map[*dataset]bool{}, map[*dataset]bool{}}
	passed := map[*dataset]bool{}
	var climb func(d *dataset)
	climb = func(d *dataset) {
		if c.active[d] {
			return
		}
		c.active[d] = true
		for _, in := range d.inputs {
			i.enter(in, surely, passed, climb)
		}
	}
	for _, d := range i.datasets {
		if len(i.sure(d, i.missing(d), surely)) > 0 && i.needed(d, surely) {
			c.start[d] = len(i.sure(d, i.lost(d), surely)) > 0
			climb(d)
		}
	}
	return c
}

// due finds the datasets whose holes are made again though nothing more is
// lost: the same closure, started from what is needed and has holes. The unit
// is none, so that what is missing are the holes.
func (i instant) due() closure {
	c := closure{map[*dataset]bool{}, map[*dataset]bool{}}
	passed := map[*dataset]bool{}
	var climb func(d *dataset)
	climb = func(d *dataset) {
		if c.active[d] {
			return
		}
		c.active[d] = true
		for _, in := range d.inputs {
			i.enter(in, false, passed, climb)
		}
	}
	for _, d := range i.datasets {
		if len(i.missing(d)) > 0 && i.needed(d, false) {
			c.start[d] = true
			climb(d)
		}
	}
	return c
}

// enter goes on climbing into an input if something of it is missing. A cache
// that never held anything hides nothing.
func (i instant) enter(in *dataset, surely bool, passed map[*dataset]bool, climb func(*dataset)) {
	if len(i.sure(in, i.missing(in), surely)) > 0 {
		climb(in)
		return
	}
	if in.cache && i.neverMade(in) && !passed[in] && !(surely && i.inferred) {
		passed[in] = true
		for _, below := range in.inputs {
			i.enter(below, surely, passed, climb)
		}
	}
}

func (i instant) neverMade(d *dataset) bool {
	for _, outs := range d.pieces {
		for _, o := range outs {
			if o.made <= i.t {
				return false
			}
		}
	}
	return true
}

// sure leaves out, where only what is sure counts, lost blocks whose place is
// only inferred.
func (i instant) sure(d *dataset, pieces []lostPiece, surely bool) []lostPiece {
	if !surely || !d.cache {
		return pieces
	}
	return slices.DeleteFunc(slices.Clone(pieces), func(p lostPiece) bool { return !p.hole && p.o.known >= inferred })
}

// readsLost tells whether the round may still have to read a shuffle that loses
// something.
func (i instant) readsLost(r *round) bool {
	for _, n := range i.needs {
		if n.round == r && r != nil && !n.of.cache && (!n.from.OK || n.from.V <= i.t) && i.t < n.until && len(i.lost(n.of)) > 0 {
			return true
		}
	}
	return false
}

// isBeingMade tells whether a stage attempt that writes d runs.
func (i instant) isBeingMade(d *dataset) bool {
	for _, r := range i.rounds {
		if r.writes == d && r.submit.OK && r.submit.V <= i.t && i.t < r.complete.Or(i.End) {
			return true
		}
	}
	return false
}
