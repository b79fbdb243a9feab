// Package climb finds how damage reaches back through the rounds of a run: which
// datasets have to be made again, and while, when a unit is lost.
//
// A dataset is active for a unit while it is in the start set (it loses pieces
// with the unit and is needed), and while a dataset that is made from it is
// active and it has a piece missing: one that would be lost with the unit, or one
// that stands nowhere. Datasets are taken in an order in which everything that is
// made from one comes before it, so that each is looked at once and its intervals
// can be merged at once; without that, a chain of n rounds would leave intervals
// in the order of n squared.
//
// As SQL, run once a round, this took half a minute for a run of 1,000 rounds:
// docs/performance.md. It has no database: package replay loads and stores.
package climb

import (
	"cmp"
	"fmt"
	"slices"

	"tracereplay/replay/span"
)

// NoUnit stands for what is made again though nothing more is lost.
const NoUnit = 0

// Span is an interval of time.
type Span = span.Span

// Key says whose loss is meant, and which bound.
type Key struct {
	Unit  int64 // NoUnit, or a unit's number
	IsLow bool
}

// Spans are intervals by key.
type Spans map[Key][]Span

// Run is what a climb needs to know. All spans are by dataset.
type Run struct {
	Datasets []int64
	Inputs   [][2]int64      // a dataset, and one that it is made from
	Start    map[int64]Spans // may overlap
	Lost     map[int64]Spans // while a unit's removal would lose a piece; sorted, and none touches another
	Holes    map[int64][]Span
}

// Row is an interval in which a dataset is active.
type Row struct {
	Dataset int64
	Key
	Span
}

// Active finds all such intervals. Those of one dataset and key neither overlap
// nor touch; rows come in the order of datasets looked at, then unit, bound and time.
func Active(r *Run) ([]Row, error) {
	order, readers, err := r.order()
	if err != nil {
		return nil, err
	}
	active := make(map[int64]Spans, len(order))
	var rows []Row
	for _, d := range order {
		found := Spans{}
		for k, spans := range r.Start[d] {
			found[k] = append(found[k], spans...)
		}
		for _, reader := range readers[d] {
			r.call(d, active[reader], found)
		}
		for k, spans := range found {
			found[k] = span.Merge(spans)
		}
		active[d] = found
		rows = appendSorted(rows, d, found)
	}
	return rows, nil
}

// call adds what an active reader needs of a dataset.
func (r *Run) call(dataset int64, reader, found Spans) {
	lost, holes := r.Lost[dataset], r.Holes[dataset]
	for k, spans := range reader {
		if k.Unit != NoUnit {
			found.overlap(k, spans, lost[k])
		} else { // a repair that is under way needs what any unit would lose
			for other, ofUnit := range lost {
				if other.IsLow == k.IsLow {
					found.overlap(other, spans, ofUnit)
				}
			}
		}
		found.overlap(k, spans, holes)
	}
}

// overlap adds what two sorted lists without overlaps have in common.
func (s Spans) overlap(k Key, a, b []Span) {
	if both := span.AppendBoth(s[k], a, b); len(both) > 0 {
		s[k] = both
	}
}

func appendSorted(rows []Row, dataset int64, found Spans) []Row {
	n := len(rows)
	for k, spans := range found {
		for _, s := range spans {
			rows = append(rows, Row{dataset, k, s})
		}
	}
	slices.SortFunc(rows[n:], func(x, y Row) int {
		low := 0
		if x.IsLow != y.IsLow {
			low = 1
			if y.IsLow {
				low = -1
			}
		}
		return cmp.Or(cmp.Compare(x.Unit, y.Unit), low, cmp.Compare(x.From, y.From))
	})
	return rows
}

// order sorts the datasets so that all that is made from one comes before it, and
// tells what is made from each.
func (r *Run) order() (order []int64, readers map[int64][]int64, err error) {
	readers = make(map[int64][]int64, len(r.Datasets))
	inputs := make(map[int64][]int64, len(r.Datasets))
	waits := make(map[int64]int, len(r.Datasets)) // for so many readers
	for _, d := range r.Datasets {
		waits[d] = 0
	}
	for _, e := range r.Inputs {
		readers[e[1]] = append(readers[e[1]], e[0])
		inputs[e[0]] = append(inputs[e[0]], e[1])
		waits[e[0]] += 0
		waits[e[1]]++
	}
	for d, n := range waits {
		if n == 0 {
			order = append(order, d)
		}
	}
	slices.Sort(order)
	for i := 0; i < len(order); i++ {
		for _, d := range inputs[order[i]] {
			if waits[d]--; waits[d] == 0 {
				order = append(order, d)
			}
		}
	}
	if len(order) < len(waits) {
		return nil, nil, fmt.Errorf("table input has a cycle: %d of %d datasets depend on none of themselves", len(order), len(waits))
	}
	return order, readers, nil
}
