package sim

// Workers that are given back when they have been idle for a while, and come
// back when there is work again (Options.IdleMs).

// idleFrom is called when a worker's last busy slot became free.
func (s *Sim) idleFrom(w int32) {
	x := &s.workers[w]
	x.idleSince = s.now
	s.at(s.now+s.opt.IdleMs, event{evIdle, w, int32(s.now & 0x7fffffff)})
}

// idleDue gives a worker back that has been idle since then. One that holds a
// shuffle which is needed stays, if holding is tracked, and is looked at again.
func (s *Sim) idleDue(w, since int32) {
	x := &s.workers[w]
	if !x.up || x.gone <= s.now || x.busy > 0 || int32(x.idleSince&0x7fffffff) != since {
		return
	}
	if s.opt.IdleTracks && s.holdsNeeded(w) {
		s.at(s.now+s.opt.IdleMs, event{evIdle, w, since})
		return
	}
	s.troubled = true
	s.res.Released++
	x.gone, x.detect, x.removal = s.now, s.now, -1
	s.perish(w, -1)
	s.giveUp(w)
	s.away = append(s.away, w)
	s.interrupt()
}

// holdsNeeded tells whether a worker holds an output of a shuffle that a job
// which runs still reads.
func (s *Sim) holdsNeeded(w int32) bool {
	last := int32(-1)
	for _, p := range s.heldBy(w) {
		d := s.ofPiece[p]
		if d != last && !s.run.Datasets[d].Cache && s.needed(d) {
			return true
		}
		last = d
	}
	return false
}

// callBack brings workers back that were given back, as many as the pending
// pieces need.
func (s *Sim) callBack() {
	pending := int32(0)
	for _, st := range s.runnable {
		pending += s.stages[st].pending
	}
	for pending > 0 && len(s.away) > 0 {
		w := s.away[len(s.away)-1]
		s.away = s.away[:len(s.away)-1]
		x := s.workers[w]
		s.addWorker(x.machine, x.last-x.first, -1, s.now+s.run.StartupMs)
		pending -= x.last - x.first
	}
}
