package replay_test

import (
	"cmp"
	"context"
	"slices"
	"testing"

	"tracereplay/internal/duck"
	"tracereplay/internal/table"
	"tracereplay/replay/result"
)

// plain computes the figures of docs/model.md from the tables of a world by
// looping over them, one unit and one instant at a time. Unlike package naive it
// starts from a world, so it can check what no Spark log shows: copies, remote
// services, and what policies make of a world.
type plain struct {
	startMs, endMs int64
	workers        []plainWorker
	attempts       []plainAttempt
	holders        []plainHolder
	needs          []plainNeed
	datasets       map[int64]plainDataset
	inputs         map[int64][]int64
	pieces         map[plainPiece][]*plainOutput // oldest output first
}

type plainPiece struct{ dataset, partition int64 }

type plainWorker struct {
	Worker        string    `col:"worker"`
	Machine       table.Str `col:"machine"`
	IsCoordinator bool      `col:"is_coordinator"`
	AddedMs       table.I64 `col:"added_ms"`
	RemovedMs     table.I64 `col:"removed_ms"`
}

type plainAttempt struct {
	Worker  string `col:"worker"`
	Stage   int64  `col:"stage"`
	Attempt int64  `col:"stage_attempt"`
	StartMs int64  `col:"start_ms"`
	EndMs   int64  `col:"end_ms"`
}

type plainHolder struct {
	Holder   string    `col:"holder"`
	DiesWith string    `col:"dies_with"`
	Worker   table.Str `col:"worker"`
	Machine  table.Str `col:"machine"`
	Service  table.Str `col:"service"`
}

type plainNeed struct {
	Dataset     int64           `col:"dataset"`
	Stage       int64           `col:"stage"`
	Attempt     int64           `col:"stage_attempt"`
	FromMs      table.I64       `col:"from_ms"`
	SubmitMs    table.I64       `col:"submit_ms"`
	LastStartMs table.I64       `col:"last_start_ms"`
	UntilMs     int64           `col:"until_ms"`
	IsDense     table.Opt[bool] `col:"is_dense"`
}

type plainDataset struct {
	Dataset    int64  `col:"dataset"`
	Kind       string `col:"kind"`
	IsRollback bool   `col:"is_rollback"`
	Known      string `col:"known"`
}

type plainOutput struct {
	Output    int64     `col:"output"`
	Dataset   int64     `col:"dataset"`
	Partition int64     `col:"partition"`
	Task      table.I64 `col:"task"`
	Stage     table.I64 `col:"stage"`
	Attempt   table.I64 `col:"stage_attempt"`
	MadeMs    int64     `col:"made_ms"`
	CostMs    int64     `col:"cost_ms"`
	Bytes     int64     `col:"bytes"`
	Known     string    `col:"known"`

	copies []plainCopy
}

type plainCopy struct {
	Output int64     `col:"output"`
	Holder string    `col:"holder"`
	FromMs int64     `col:"from_ms"`
	ToMs   table.I64 `col:"to_ms"`
	Known  string    `col:"known"`
}

func (c plainCopy) stands(t, end int64) bool { return c.FromMs <= t && t < min(c.ToMs.Or(end), end) }

// readPlain reads the world that db holds.
func readPlain(tb testing.TB, db *duck.DB) *plain {
	tb.Helper()
	p := &plain{datasets: map[int64]plainDataset{}, inputs: map[int64][]int64{}, pieces: map[plainPiece][]*plainOutput{}}
	type rules struct {
		StartMs int64 `col:"start_ms"`
		EndMs   int64 `col:"end_ms"`
	}
	r := ask[rules](tb, db, "SELECT start_ms, end_ms FROM world.rules")[0]
	p.startMs, p.endMs = r.StartMs, r.EndMs
	p.workers = ask[plainWorker](tb, db, "SELECT worker, machine, is_coordinator, added_ms, removed_ms FROM world.worker")
	p.attempts = ask[plainAttempt](tb, db, "SELECT worker, stage, stage_attempt, start_ms, end_ms FROM world.attempt")
	p.holders = ask[plainHolder](tb, db, "SELECT holder, dies_with, worker, machine, service FROM world.holder")
	p.needs = ask[plainNeed](tb, db, "SELECT dataset, stage, stage_attempt, from_ms, submit_ms, last_start_ms, until_ms, is_dense FROM world.need")
	for _, d := range ask[plainDataset](tb, db, "SELECT dataset, kind, is_rollback, known FROM world.dataset") {
		p.datasets[d.Dataset] = d
	}
	type edge struct {
		Dataset int64 `col:"dataset"`
		Input   int64 `col:"input_dataset"`
	}
	for _, e := range ask[edge](tb, db, "SELECT dataset, input_dataset FROM world.input") {
		p.inputs[e.Dataset] = append(p.inputs[e.Dataset], e.Input)
	}
	p.readOutputs(tb, db)
	return p
}

func (p *plain) readOutputs(tb testing.TB, db *duck.DB) {
	copies := map[int64][]plainCopy{}
	for _, c := range ask[plainCopy](tb, db, "SELECT output, holder, from_ms, to_ms, known FROM world.residence") {
		if c.FromMs < min(c.ToMs.Or(p.endMs), p.endMs) {
			copies[c.Output] = append(copies[c.Output], c)
		}
	}
	outputs := ask[plainOutput](tb, db, "SELECT output, dataset, partition, task, stage, stage_attempt, made_ms, cost_ms, coalesce(bytes, 0) AS bytes, known FROM world.output")
	slices.SortFunc(outputs, func(a, b plainOutput) int {
		return cmp.Or(cmp.Compare(a.MadeMs, b.MadeMs), cmp.Compare(a.Output, b.Output))
	})
	for _, o := range outputs {
		if o.copies = copies[o.Output]; o.copies != nil { // else it was never registered
			key := plainPiece{o.Dataset, o.Partition}
			p.pieces[key] = append(p.pieces[key], &o)
		}
	}
}

func ask[T any](tb testing.TB, db *duck.DB, query string) []T {
	tb.Helper()
	out, err := duck.Query[T](context.Background(), db, query)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// plainUnit is a unit with its life, workers and holders.
type plainUnit struct {
	kind, name string
	from, to   int64
	workers    map[string]bool
	holders    map[string]bool
}

func (p *plain) units() []*plainUnit {
	byName := map[[2]string]*plainUnit{}
	grow := func(kind, name string, from, to int64) {
		u := byName[[2]string{kind, name}]
		if u == nil {
			u = &plainUnit{kind: kind, name: name, from: from, to: to, workers: map[string]bool{}, holders: map[string]bool{}}
			byName[[2]string{kind, name}] = u
		}
		u.from, u.to = min(u.from, from), max(u.to, to)
	}
	for _, w := range p.workers {
		if w.IsCoordinator {
			continue
		}
		from, to := w.AddedMs.Or(p.startMs), min(w.RemovedMs.Or(p.endMs), p.endMs)
		grow("worker", w.Worker, from, to)
		if w.Machine.OK {
			grow("machine", w.Machine.V, from, to)
		}
	}
	for _, h := range p.holders {
		if h.DiesWith == "service" {
			grow("service", h.Service.V, p.startMs, p.endMs)
		}
	}
	var out []*plainUnit
	for _, u := range byName {
		if u.from < u.to {
			p.furnish(u)
			out = append(out, u)
		}
	}
	return out
}

func (p *plain) furnish(u *plainUnit) {
	machine := map[string]table.Str{}
	for _, w := range p.workers {
		machine[w.Worker] = w.Machine
		if u.kind == "worker" && w.Worker == u.name || u.kind == "machine" && w.Machine == table.Some(u.name) {
			u.workers[w.Worker] = true
		}
	}
	for _, h := range p.holders {
		at := h.Machine
		if !at.OK && h.Worker.OK {
			at = machine[h.Worker.V]
		}
		switch u.kind {
		case "worker":
			u.holders[h.Holder] = h.DiesWith == "worker" && h.Worker == table.Some(u.name)
		case "machine":
			u.holders[h.Holder] = (h.DiesWith == "worker" || h.DiesWith == "machine") && at == table.Some(u.name)
		case "service":
			u.holders[h.Holder] = h.DiesWith == "service" && h.Service == table.Some(u.name)
		}
	}
}

// plainState is what stands at an instant.
type plainState struct {
	*plain
	t     int64
	alive map[plainPiece]standing
	holes map[plainPiece]standing
}

// standing is a piece with the output that it counts as.
type standing struct {
	piece   plainPiece
	out     *plainOutput
	holders []string // of all residences alive
	place   int      // how the worst known residence is known
	known   int      // the worst of place, output and dataset
}

func (p *plain) at(t int64) *plainState {
	s := &plainState{plain: p, t: t, alive: map[plainPiece]standing{}, holes: map[plainPiece]standing{}}
	for key, outs := range p.pieces {
		var up, down standing
		for _, o := range outs {
			ever := 0
			for _, c := range o.copies {
				ever = max(ever, rank(c.Known))
				if c.stands(t, p.endMs) {
					up.out = o
					up.holders = append(up.holders, c.Holder)
					up.place = max(up.place, rank(c.Known))
				}
			}
			if o.MadeMs <= t {
				down = standing{out: o, place: ever}
			}
		}
		switch {
		case up.out != nil:
			s.alive[key] = s.ranked(key, up)
		case down.out != nil:
			s.holes[key] = s.ranked(key, down)
		}
	}
	return s
}

func (s *plainState) ranked(key plainPiece, x standing) standing {
	x.piece = key
	x.known = max(x.place, rank(x.out.Known), rank(s.datasets[key.dataset].Known))
	return x
}

func rank(known string) int {
	return slices.Index([]string{"logged", "derived", "inferred", "bound"}, known)
}

// plainLoss is the removal of a unit at an instant.
type plainLoss struct {
	*plainState
	u    *plainUnit
	lost map[plainPiece]standing
	due  map[int64]bool // datasets whose holes are made again anyway
}

func (s *plainState) lose(u *plainUnit) *plainLoss {
	l := &plainLoss{plainState: s, u: u, lost: map[plainPiece]standing{}}
	for key, x := range s.alive {
		if !slices.ContainsFunc(x.holders, func(h string) bool { return !u.holders[h] }) {
			l.lost[key] = x
		}
	}
	none := &plainLoss{plainState: s, u: &plainUnit{}}
	l.due = map[int64]bool{}
	for key := range s.holes {
		if none.isNeeded(key.dataset, false) {
			none.climb(key.dataset, false, l.due)
		}
	}
	return l
}

// counts tells whether a lost piece is surely lost.
func (l *plainLoss) counts(x standing, low bool) bool {
	return !low || l.datasets[x.piece.dataset].Kind != "cache" || x.place < rank("inferred")
}

func (l *plainLoss) isNeeded(dataset int64, low bool) bool {
	return slices.ContainsFunc(l.needs, func(n plainNeed) bool {
		if n.Dataset != dataset || n.FromMs.Or(l.t) > l.t || l.t >= n.UntilMs {
			return false
		}
		return !low || n.SubmitMs.OK && l.t < n.SubmitMs.V || n.IsDense.V && (n.LastStartMs.OK && l.t < n.LastStartMs.V || l.reads(n))
	})
}

// reads tells whether a reader runs on the unit that no other worker of its
// machine can take up.
func (l *plainLoss) reads(n plainNeed) bool {
	return slices.ContainsFunc(l.attempts, func(a plainAttempt) bool {
		return l.u.workers[a.Worker] && !l.hasNeighbour(a.Worker) && a.Stage == n.Stage && a.Attempt == n.Attempt && a.StartMs <= l.t && l.t < a.EndMs
	})
}

// hasNeighbour tells whether a worker that is not lost lives on the machine of this one.
func (l *plainLoss) hasNeighbour(worker string) bool {
	at := slices.IndexFunc(l.workers, func(w plainWorker) bool { return w.Worker == worker })
	return slices.ContainsFunc(l.workers, func(w plainWorker) bool {
		alive := w.AddedMs.Or(l.startMs) <= l.t && l.t < min(w.RemovedMs.Or(l.endMs), l.endMs)
		return w.Machine.OK && w.Machine == l.workers[at].Machine && !l.u.workers[w.Worker] && !w.IsCoordinator && alive
	})
}

func (l *plainLoss) loses(dataset int64, low bool) bool {
	for key, x := range l.lost {
		if key.dataset == dataset && l.counts(x, low) {
			return true
		}
	}
	return false
}

func (l *plainLoss) isMissing(dataset int64, low bool) bool {
	if l.loses(dataset, low) {
		return true
	}
	for key := range l.holes {
		if key.dataset == dataset {
			return true
		}
	}
	return false
}

func (l *plainLoss) climb(dataset int64, low bool, active map[int64]bool) {
	if active[dataset] {
		return
	}
	active[dataset] = true
	for _, in := range l.inputs[dataset] {
		if l.isMissing(in, low) {
			l.climb(in, low, active)
		}
	}
}

// plainCount is what counts, under one bound.
type plainCount struct {
	owed, climb, cached []standing
	active              map[int64]bool
}

func (l *plainLoss) count(low bool) plainCount {
	c := plainCount{active: map[int64]bool{}}
	start := map[int64]bool{}
	for d := range l.datasets {
		if l.isMissing(d, low) && l.isNeeded(d, low) {
			l.climb(d, low, c.active)
			start[d] = l.loses(d, low)
		}
	}
	remade := map[int64]bool{}
	for d := range c.active {
		if l.datasets[d].Kind == "cache" {
			continue
		}
		for _, x := range l.remade(d) {
			if x.out.Task.OK {
				remade[x.out.Task.V] = true
			}
			if l.due[d] && (l.datasets[d].IsRollback || x.holders == nil) {
				continue
			}
			if start[d] {
				c.owed = append(c.owed, x)
			} else {
				c.climb = append(c.climb, x)
			}
		}
	}
	for key, x := range l.lost {
		if c.active[key.dataset] && l.datasets[key.dataset].Kind == "cache" && l.counts(x, low) && !(x.out.Task.OK && remade[x.out.Task.V]) {
			c.cached = append(c.cached, x)
		}
	}
	return c
}

// remade are the pieces of an active shuffle that are made again, by whatever
// loss.
func (l *plainLoss) remade(dataset int64) []standing {
	var out []standing
	add := func(from map[plainPiece]standing) {
		for key, x := range from {
			if key.dataset == dataset {
				out = append(out, x)
			}
		}
	}
	add(l.holes)
	if l.datasets[dataset].IsRollback {
		add(l.alive)
	} else {
		add(l.lost)
	}
	return out
}

// figures are the columns of table blast, but for until_ms and supremum_ms.
func (l *plainLoss) figures() result.Blast {
	high, low := l.count(false), l.count(true)
	b := result.Blast{UnitKind: l.u.kind, Unit: l.u.name, InstantMs: l.t, StateBytes: table.Some[int64](0), StateLoadMs: table.Some[int64](0)} // a finite job keeps no state
	for _, a := range l.attempts {
		if l.u.workers[a.Worker] && a.StartMs <= l.t && l.t < a.EndMs {
			b.InFlightTasks++
			b.InFlightMs += l.t - a.StartMs
		}
	}
	b.OwedOutputs, b.OwedBytes, b.OwedMs = total(high.owed)
	b.ClimbOutputs, b.ClimbBytes, b.ClimbMs = total(high.climb)
	b.CachedBlocks, b.CachedBytes, b.CachedMs = total(high.cached)
	b.OwedLowOutputs, _, b.OwedLowMs = total(low.owed)
	b.ClimbLowOutputs, _, b.ClimbLowMs = total(low.climb)
	b.CachedLowBlocks, _, b.CachedLowMs = total(low.cached)
	b.RecomputeMs = b.InFlightMs + b.OwedMs + b.ClimbMs + b.CachedMs
	b.RecomputeLowMs = b.InFlightMs + b.OwedLowMs + b.ClimbLowMs + b.CachedLowMs
	l.interrupted(&b)
	l.redo(&b, high)
	l.age(&b, slices.Concat(high.owed, high.climb, high.cached))
	for _, x := range l.lost {
		b.LostOutputs++
		b.LostBytes += x.out.Bytes
	}
	return b
}

func total(all []standing) (pieces, bytes, ms int64) {
	for _, x := range all {
		pieces++
		bytes += x.out.Bytes
		ms += x.out.CostMs
	}
	return pieces, bytes, ms
}

func (l *plainLoss) interrupted(b *result.Blast) {
	readers := map[[2]int64]bool{}
	for _, n := range l.needs {
		isLost := false
		for key := range l.lost {
			isLost = isLost || key.dataset == n.Dataset
		}
		if isLost && l.datasets[n.Dataset].Kind == "shuffle" && n.FromMs.Or(l.t) <= l.t && l.t < n.UntilMs {
			readers[[2]int64{n.Stage, n.Attempt}] = true
		}
	}
	for _, a := range l.attempts {
		if readers[[2]int64{a.Stage, a.Attempt}] && !l.u.workers[a.Worker] && a.StartMs <= l.t && l.t < a.EndMs {
			b.InterruptedHigh++
			b.InterruptedHighMs += l.t - a.StartMs
		}
	}
}

func (l *plainLoss) redo(b *result.Blast, high plainCount) {
	b.EngineRedoOutputs = b.OwedOutputs + b.ClimbOutputs
	b.EngineRedoMs = b.RecomputeMs
	for key, x := range l.lost {
		if l.datasets[key.dataset].Kind == "shuffle" && !high.active[key.dataset] && l.isRunning(x.out.Stage, x.out.Attempt) {
			b.EngineRedoOutputs++
			b.EngineRedoMs += x.out.CostMs
		}
	}
}

func (l *plainLoss) isRunning(stage, attempt table.I64) bool {
	hasBegun, lasts := false, false
	for _, a := range l.attempts {
		if stage == table.Some(a.Stage) && attempt == table.Some(a.Attempt) {
			hasBegun = hasBegun || a.StartMs <= l.t
			lasts = lasts || l.t < a.EndMs
		}
	}
	return hasBegun && lasts
}

func (l *plainLoss) age(b *result.Blast, counted []standing) {
	worst := 0
	rounds := map[int64]bool{}
	for _, x := range counted {
		worst = max(worst, x.known)
		rounds[x.piece.dataset] = true
		if age := l.t - x.out.MadeMs; !b.OldestLostAgeMs.OK || age > b.OldestLostAgeMs.V {
			b.OldestLostAgeMs = table.Some(age)
		}
	}
	b.RoundsLive = int64(len(rounds))
	b.Known = []string{"logged", "derived", "inferred", "bound"}[worst]
}
