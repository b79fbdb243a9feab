package sim

// Where outputs are, as the coordinator lists them and as they really are.

// keeper is where the outputs of a worker's tasks are kept.
func (s *Sim) keeper(worker int32) int32 {
	switch {
	case s.run.Rules.Remote:
		return durable
	case s.run.Rules.Service:
		return service(s.workers[worker].machine)
	}
	return worker
}

// register lists a piece that was made.
func (s *Sim) register(d, piece, place int32) {
	p := s.run.Datasets[d].Base + piece
	if s.where[p] == nowhere {
		s.have[d]++
	}
	s.where[p] = place
	if s.dead[p] != 0 {
		s.dead[p] = 0
		s.holes[d]--
	}
}

// unregister takes the outputs at a place off the list.
func (s *Sim) unregister(place int32, caches, shuffles bool) {
	for d := range s.run.Datasets {
		x := &s.run.Datasets[d]
		if s.have[d] == 0 || x.Cache && !caches || !x.Cache && !shuffles {
			continue
		}
		for p := x.Base; p < x.Base+x.Pieces; p++ {
			if s.where[p] == place {
				s.where[p] = nowhere
				s.have[d]--
			}
		}
	}
}

// perish takes note that what stood at a place is gone, listed or not.
func (s *Sim) perish(place int32, caches bool) {
	for d := range s.run.Datasets {
		x := &s.run.Datasets[d]
		if s.have[d] == 0 || x.Cache != caches {
			continue
		}
		for p := x.Base; p < x.Base+x.Pieces; p++ {
			if s.where[p] == place && s.dead[p] == 0 {
				s.dead[p] = 1
				s.holes[d]++
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
// pieces are gone that it found there in the log; negative the other way.
func (s *Sim) cacheExtra(st, task int32) int64 {
	extra := int64(0)
	computed := s.run.Flags[task]&flagComputes != 0
	for _, d := range s.run.Stages[st].Reads {
		x := &s.run.Datasets[d]
		if !x.Cache {
			continue
		}
		s.blocks(d, st, task, func(p int32) {
			missing := s.where[x.Base+p] == nowhere || s.dead[x.Base+p] != 0
			switch {
			case missing && !computed:
				extra += int64(x.CostMs[p])
			case !missing && computed:
				extra -= int64(x.CostMs[p])
			}
		})
	}
	return extra
}

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
			if s.where[x.Base+p] == nowhere || s.dead[x.Base+p] != 0 {
				s.register(d, p, worker)
				made = true
			}
		})
		if made && depth < 8 {
			s.cacheBelow(x.Inputs, st, task, worker, depth+1)
		}
	}
}
