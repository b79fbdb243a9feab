// Package states tells what each worker's time was: at work, idle with output
// that is needed, idle with cached blocks that are needed, or free.
//
// A worker holds a piece alone while the piece stands on it and nowhere else:
// that is the start set of its loss, at most (docs/model.md), for workers of the
// recorded run. Worked out with the tables of all losses, as package replay does
// for other units and worlds, it took a third of an ingest; a test compares both.
// It has no database: package replay loads and stores.
package states

import (
	"cmp"
	"slices"

	"tracereplay/replay/span"
)

// State is what a worker's time is.
type State string

// The states, the first that applies.
const (
	Busy        State = "busy"         // a task runs
	IdleOwing   State = "idle_owing"   // it alone holds an output that is needed
	IdleCaching State = "idle_caching" // it alone holds a cached block that is needed
	Free        State = "free"
)

// Span is an interval of time.
type Span = span.Span

// Copy is a piece of a dataset that stands somewhere for a while.
type Copy struct {
	Partition int64
	Worker    int // that it is lost with, or None
	Span
}

// None is where no worker's loss takes a copy.
const None = -1

// Stretch is a time in one state.
type Stretch struct {
	Span
	State State
}

// Workers gathers what workers do. They are numbered from 0.
type Workers struct {
	lives                []Span
	busy, owing, caching []spans
}

// New begins with the workers' lives.
func New(lives []Span) *Workers {
	n := len(lives)
	return &Workers{lives: lives, busy: make([]spans, n), owing: make([]spans, n), caching: make([]spans, n)}
}

// Ran tells that a task ran on a worker.
func (w *Workers) Ran(worker int, at Span) { w.busy[worker].add(at.And(w.lives[worker])) }

// Held tells of all copies of a dataset, which it sorts, and while it is needed.
func (w *Workers) Held(copies []Copy, isCache bool, needed []Span) {
	held := w.owing
	if isCache {
		held = w.caching
	}
	var need spans
	for _, n := range needed {
		need.add(n)
	}
	while := need.merged()
	for worker, own := range alone(copies) {
		for _, at := range span.AppendBoth(nil, own.merged(), while) {
			held[worker].add(at.And(w.lives[worker]))
		}
	}
}

// States are a worker's states, one after the other, over its life.
func (w *Workers) States(worker int) []Stretch {
	var out []Stretch
	kinds := []struct {
		state State
		left  []Span
	}{
		{Busy, w.busy[worker].merged()},
		{IdleOwing, w.owing[worker].merged()},
		{IdleCaching, w.caching[worker].merged()},
	}
	end := w.lives[worker].To
	for at := w.lives[worker].From; at < end; {
		now := Stretch{Span{From: at, To: end}, Free}
		for i := range kinds {
			k := &kinds[i]
			for len(k.left) > 0 && k.left[0].To <= at {
				k.left = k.left[1:]
			}
			if len(k.left) == 0 {
				continue
			}
			if k.left[0].From <= at {
				now.State, now.To = k.state, min(now.To, k.left[0].To)
				break
			}
			now.To = min(now.To, k.left[0].From)
		}
		if n := len(out); n > 0 && out[n-1].State == now.State {
			out[n-1].To = now.To
		} else {
			out = append(out, now)
		}
		at = now.To
	}
	return out
}

// alone tells while each worker holds a piece that stands nowhere else.
func alone(copies []Copy) map[int]*spans {
	slices.SortFunc(copies, func(a, b Copy) int {
		return cmp.Or(cmp.Compare(a.Partition, b.Partition), cmp.Compare(a.From, b.From))
	})
	out := map[int]*spans{}
	for len(copies) > 0 {
		n := 1
		for n < len(copies) && copies[n].Partition == copies[0].Partition {
			n++
		}
		alonePiece(out, copies[:n])
		copies = copies[n:]
	}
	return out
}

// alonePiece does it for the copies of one piece. Between two instants at which
// one of them comes or goes, nothing changes.
func alonePiece(out map[int]*spans, copies []Copy) {
	if len(copies) == 1 {
		found(out, copies[0].Worker, copies[0].Span)
		return
	}
	var edges []int64
	for _, c := range copies {
		if !c.IsEmpty() {
			edges = append(edges, c.From, c.To)
		}
	}
	slices.Sort(edges)
	edges = slices.Compact(edges)
	for i := range max(0, len(edges)-1) {
		if holder, isOne := holderAt(copies, edges[i]); isOne {
			found(out, holder, Span{From: edges[i], To: edges[i+1]})
		}
	}
}

// holderAt is the worker that all copies stand on that are there, if it is one.
func holderAt(copies []Copy, ms int64) (worker int, isOne bool) {
	worker = None
	for _, c := range copies {
		if ms < c.From || ms >= c.To {
			continue
		}
		if c.Worker == None || isOne && c.Worker != worker {
			return None, false
		}
		worker, isOne = c.Worker, true
	}
	return worker, isOne
}

func found(out map[int]*spans, worker int, at Span) {
	if worker == None {
		return
	}
	s := out[worker]
	if s == nil {
		s = &spans{}
		out[worker] = s
	}
	s.add(at)
}
