package sim

import "slices"

// Where outputs are, as the coordinator lists them and as they really are.

// What a piece is, in Sim.dead.
const (
	pieceGone uint8 = 1 << iota // its output cannot be read, listed or not
	pieceMade                   // it was made before
)

// copies are further copies of outputs: where, and from when on.
type copies struct {
	where []int32
	from  []int32 // ms
}

// keeper is what keeps the first copy of a data set's outputs.
func (s *Sim) keeper(d int32) Keeper {
	x := &s.run.Datasets[d]
	switch {
	case len(x.Keep) > 0:
		return x.Keep[0].Keeper
	case x.Cache:
		return OnWorker
	case s.run.Rules.Remote:
		return OnStore
	case s.run.Rules.Service:
		return OnMachine
	}
	return OnWorker
}

// place is where a copy of an output is that a worker made.
func (s *Sim) place(k Keeper, worker int32) int32 {
	switch k {
	case OnMachine:
		return service(s.workers[worker].machine)
	case OnOther:
		return s.elsewhere(worker)
	case OnStore:
		return durable
	}
	return worker
}

// elsewhere draws a live worker on another machine, or on the same one where
// there is no other; nowhere if there is none.
func (s *Sim) elsewhere(worker int32) int32 {
	n := int32(len(s.workers))
	from, same := s.rand.below(n), nowhere
	for i := range n {
		w := (from + i) % n
		x := &s.workers[w]
		if w == worker || x.from > s.now || x.gone <= s.now || !x.up {
			continue
		}
		if x.machine != s.workers[worker].machine {
			return w
		}
		same = w
	}
	return same
}

// register lists a piece that a worker made.
func (s *Sim) register(d, piece, worker int32) {
	x := &s.run.Datasets[d]
	p := x.Base + piece
	if s.where[p] == nowhere {
		s.have[d]++
	}
	s.put(p, s.place(s.keeper(d), worker))
	if s.dead[p]&pieceGone != 0 {
		s.holes[d]--
	}
	s.dead[p] = pieceMade
	for i, k := range x.Keep {
		if i > 0 {
			s.more[i-1].where[p] = s.place(k.Keeper, worker)
			s.more[i-1].from[p] = int32(min(s.now+k.AfterMs, never32))
		}
	}
}

// spare is a further copy of an output that can be read now, which from here on
// is the one that counts; nowhere if there is none.
func (s *Sim) spare(p int32) int32 {
	for i := range s.more {
		if w := s.more[i].where[p]; w != nowhere && int64(s.more[i].from[p]) <= s.now {
			s.more[i].where[p] = nowhere
			return w
		}
	}
	return nowhere
}

// unregister takes the outputs at a place off the list.
func (s *Sim) unregister(place int32) {
	for _, p := range s.heldBy(place) {
		s.put(p, nowhere)
		s.have[s.ofPiece[p]]--
	}
}

// put lists a piece at a place, or, with nowhere, takes it off the list. Every
// place knows its pieces: a run may lose as many workers as it has pieces, and
// looking at all of these for each would take for ever.
func (s *Sim) put(p, place int32) {
	if h := s.head(s.where[p]); h != nil {
		if s.prev[p] == 0 {
			*h = s.next[p]
		} else {
			s.next[s.prev[p]-1] = s.next[p]
		}
		if s.next[p] != 0 {
			s.prev[s.next[p]-1] = s.prev[p]
		}
	}
	s.where[p] = place
	if h := s.head(place); h != nil {
		s.prev[p], s.next[p] = 0, *h
		if *h != 0 {
			s.prev[*h-1] = p + 1
		}
		*h = p + 1
	}
}

// head is the first piece that is listed at a place, plus one; 0: there is none.
// It is nil for places that nothing is taken from.
func (s *Sim) head(place int32) *int32 {
	switch {
	case place >= 0:
		return &s.workers[place].held
	case place == nowhere || place == durable:
		return nil
	}
	return &s.machines[service(0)-place].held
}

// heldBy lists the pieces at a place, ascending. The list is valid until the next call.
func (s *Sim) heldBy(place int32) []int32 {
	s.held = s.held[:0]
	if h := s.head(place); h != nil {
		for p := *h; p != 0; p = s.next[p-1] {
			s.held = append(s.held, p-1)
		}
	}
	slices.Sort(s.held)
	return s.held
}

// perish takes note that what stood at a place is gone, listed or not, and tells
// whether anything did.
func (s *Sim) perish(place, removal int32) (any bool) {
	s.loseSpares(place)
	for _, p := range s.heldBy(place) {
		if s.dead[p]&pieceGone != 0 {
			continue
		}
		if spare := s.spare(p); spare != nowhere {
			s.put(p, spare)
			continue
		}
		d := s.ofPiece[p]
		s.dead[p] |= pieceGone
		s.stood[p] = place
		s.holes[d]++
		any = true
		if x := &s.run.Datasets[d]; x.Maker >= 0 {
			s.blameFor(s.run.Stages[x.Maker].First+p-x.Base, removal)
		}
	}
	return any
}

// loseSpares takes further copies off a place.
func (s *Sim) loseSpares(place int32) {
	for i := range s.more {
		more := &s.more[i]
		for p, at := range more.where {
			if at == place && s.have[s.ofPiece[p]] > 0 {
				more.where[p] = nowhere
			}
		}
	}
}

// hasCache tells whether a stage reads cached data.
func (s *Sim) hasCache(st int32) bool { return s.run.Stages[st].Cached }

// blocks calls f for the cached pieces that a task reads or makes: those of its
// own partition, or its share when the numbers differ.
func (s *Sim) blocks(d, st, task int32, f func(p int32)) {
	x, run := &s.run.Datasets[d], &s.run.Stages[st]
	w := int64(max(run.Width, 1))
	part := int64(s.run.Part[task])
	for p := part * int64(x.Pieces) / w; p < (part+1)*int64(x.Pieces)/w && p < int64(x.Pieces); p++ {
		f(int32(p))
	}
}

// cacheExtra is how much longer a task takes than recorded because cached
// pieces are not there that it found in the log, negative the other way; again
// is what of it goes for pieces that had been there.
func (s *Sim) cacheExtra(st, task int32) (extra, again int64) {
	computed := s.run.Flags[task]&flagComputes != 0
	for _, d := range s.run.Stages[st].Reads {
		x := &s.run.Datasets[d]
		if !x.Cache {
			continue
		}
		s.blocks(d, st, task, func(p int32) {
			missing := s.isMissing(x.Base + p)
			switch {
			case missing && !computed:
				extra += int64(x.CostMs[p])
				if s.dead[x.Base+p]&pieceMade != 0 {
					again += int64(x.CostMs[p])
				}
			case !missing && computed:
				extra -= int64(x.CostMs[p])
			}
		})
	}
	return extra, again
}

// isMissing tells whether an output cannot be read.
func (s *Sim) isMissing(p int32) bool { return s.where[p] == nowhere || s.dead[p]&pieceGone != 0 }

// cacheMade notes the cached pieces that a task has computed.
func (s *Sim) cacheMade(st, task, worker int32) {
	s.cacheBelow(s.run.Stages[st].Reads, st, task, worker, 0)
}

func (s *Sim) cacheBelow(reads []int32, st, task, worker int32, depth int) {
	for _, d := range reads {
		x := &s.run.Datasets[d]
		if !x.Cache {
			continue
		}
		made := false
		s.blocks(d, st, task, func(p int32) {
			if s.isMissing(x.Base + p) {
				s.register(d, p, worker)
				made = true
			}
		})
		if made && depth < 8 {
			s.cacheBelow(x.Inputs, st, task, worker, depth+1)
		}
	}
}
