package streaming

import (
	"cmp"
	"fmt"
	"slices"

	"tracereplay/internal/human"
	"tracereplay/internal/table"
	"tracereplay/replay/result"
)

// Inputs are what package replay tells of the streaming queries of a run.
type Inputs struct {
	Clock   human.Clock
	Queries []result.StreamQuery
	Batches []result.StreamBatch
	Losses  []result.StreamLoss // each unit's worst instant in each batch
}

// Report is what losses cost the streaming queries of a run.
type Report struct {
	Clock   human.Clock
	Queries []Query
	Figures []Figure // of all queries, named stream_1_... for the first
}

// Query is one query with its batches.
type Query struct {
	result.StreamQuery
	Kind    string // of the units that its losses are about: machine, where machines are known; "" no unit
	Batches []Batch
	Worst   *result.StreamLoss // of all batches
	Most    *result.StreamLoss // where the most partitions of state stood
	// Sentences are templates: {name} is a figure, ** begins and ends emphasis.
	Sentences []string
}

// Batch is one batch and its worst loss.
type Batch struct {
	Batch result.StreamBatch
	Worst *result.StreamLoss // nil: no unit was there
}

// New makes a report.
func New(in *Inputs) *Report {
	r := &Report{Clock: in.Clock}
	for i := range in.Queries {
		q := query(in, &in.Queries[i])
		n := &namer{prefix: fmt.Sprintf("stream_%d_", i+1)}
		tell(&q, n)
		r.Queries = append(r.Queries, q)
		r.Figures = append(r.Figures, n.figures...)
	}
	return r
}

// query gathers what belongs to one query.
func query(in *Inputs, row *result.StreamQuery) Query {
	q := Query{StreamQuery: *row, Kind: kindOf(in.Losses, row.Query)}
	type key struct {
		run   string
		batch int64
	}
	worst := map[key]*result.StreamLoss{}
	for i := range in.Losses {
		l := &in.Losses[i]
		if l.Query != row.Query || l.UnitKind != q.Kind || l.IsCoordinator {
			continue
		}
		k := key{l.QueryRun, l.Batch}
		if w := worst[k]; w == nil || l.SupremumMs > w.SupremumMs {
			worst[k] = l
		}
		if q.Worst == nil || l.SupremumMs > q.Worst.SupremumMs {
			q.Worst = l
		}
		if l.StatePartitions > 0 && (q.Most == nil || l.StatePartitions > q.Most.StatePartitions ||
			l.StatePartitions == q.Most.StatePartitions && l.StateBytes.V > q.Most.StateBytes.V) {
			q.Most = l
		}
	}
	for i := range in.Batches {
		if b := &in.Batches[i]; b.Query == row.Query {
			q.Batches = append(q.Batches, Batch{*b, worst[key{b.QueryRun, b.Batch}]})
		}
	}
	return q
}

// kindOf is the kind of unit that a query's losses are told of: machines, where
// the log knows them.
func kindOf(all []result.StreamLoss, query string) string {
	kind := ""
	for i := range all {
		if l := &all[i]; l.Query == query && !l.IsCoordinator {
			if l.UnitKind == "machine" {
				return "machine"
			}
			if l.UnitKind == "worker" {
				kind = "worker"
			}
		}
	}
	return kind
}

// medianWorst is the median over batches of the worst loss in each: of an even
// number the lower one of the two in the middle.
func (q *Query) medianWorst() table.I64 {
	var all []int64
	for _, b := range q.Batches {
		if b.Worst != nil {
			all = append(all, b.Worst.SupremumMs)
		}
	}
	if len(all) == 0 {
		return table.I64{}
	}
	slices.Sort(all)
	return table.Some(all[(len(all)-1)/2])
}

// restart is the batch in which a restart of the coordinator reads most again.
func (q *Query) restart() *result.StreamBatch {
	var most *result.StreamBatch
	for i := range q.Batches {
		b := &q.Batches[i].Batch
		if b.RestartRows.OK && (most == nil || b.RestartRows.V > most.RestartRows.V ||
			b.RestartRows.V == most.RestartRows.V && b.RestartMs > most.RestartMs) {
			most = b
		}
	}
	return most
}

// oldest is how far before the beginning of its batch the oldest piece of any
// loss had been made: 0 says that no loss reached back.
func (q *Query) oldest(in []Batch) int64 {
	var most int64
	for _, b := range in {
		if b.Worst != nil && b.Worst.OldestLostAgeMs.OK {
			most = max(most, b.Worst.OldestLostAgeMs.V-(b.Worst.InstantMs-b.Batch.StartMs))
		}
	}
	return most
}

// SortedByLoss are the batches, the costliest first.
func (q *Query) SortedByLoss() []Batch {
	out := slices.Clone(q.Batches)
	slices.SortStableFunc(out, func(a, b Batch) int { return cmp.Compare(lossOf(b), lossOf(a)) })
	return out
}

func lossOf(b Batch) int64 {
	if b.Worst == nil {
		return -1
	}
	return b.Worst.SupremumMs
}
