package sim

// Pieces that read cached blocks go to the worker that holds them, if it has a
// free slot: Spark gives each slot first what is nearest to it
// (TaskSetManager.dequeueTask). How long others are kept waiting for a place
// (spark.locality.wait) is not looked at.

// near lists the pending pieces of a stage attempt by the worker that held their
// cached blocks when it began: chains, in order, through next.
type near struct {
	base  int32   // the stage's first task
	first []int32 // worker+1 (0: no worker holds them) -> task, -1: none
	next  []int32 // task-base -> task, -1: none
}

// sortByBlocks lists the pieces of an attempt that begins.
func (s *Sim) sortByBlocks(st int32) {
	x, run := &s.stages[st], &s.run.Stages[st]
	n := &x.near
	n.base = run.First
	n.first = filled(n.first, len(s.workers)+1)
	n.next = filled(n.next, int(run.Last-run.First))
	for t := run.Last - 1; t >= run.First; t-- {
		if s.tasks[t] == taskPending {
			at := s.holderOf(st, t) + 1
			n.next[t-n.base], n.first[at] = n.first[at], t
		}
	}
}

// filled is a slice of n times -1, in the memory of another if that is enough.
func filled(a []int32, n int) []int32 {
	if cap(a) < n {
		a = make([]int32, n)
	}
	a = a[:n]
	for i := range a {
		a[i] = -1
	}
	return a
}

// holderOf is the worker that holds the cached blocks that a piece reads: the
// first of them that there is, else nowhere.
func (s *Sim) holderOf(st, task int32) int32 {
	holder := nowhere
	for _, d := range s.run.Stages[st].Reads {
		x := &s.run.Datasets[d]
		if !x.Cache {
			continue
		}
		s.blocks(d, st, task, func(p int32) {
			if w := s.where[x.Base+p]; holder == nowhere && w >= 0 && !s.isMissing(x.Base+p) {
				holder = w
			}
		})
	}
	return holder
}

// takeNear takes a pending piece off a worker's list, or off that of pieces whose
// blocks are nowhere; -1: none is left.
func (s *Sim) takeNear(x *stageState, worker int32) int32 {
	n := &x.near
	if int(worker+1) >= len(n.first) { // no such list, or the worker came later
		return -1
	}
	at := &n.first[worker+1]
	for *at >= 0 {
		t := *at
		*at = n.next[t-n.base]
		if s.tasks[t] == taskPending {
			return t
		}
	}
	return -1
}
