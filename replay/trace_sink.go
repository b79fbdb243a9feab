package replay

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"sync"

	"github.com/apache/arrow/go/v17/arrow"

	"tracereplay/internal/duck"
	"tracereplay/internal/table"
)

// loadRows is how many rows are worth a load of their own. Smaller records
// wait for company: a load costs about a millisecond whatever it holds, and a
// log of a thousand lines has records of three dozen tables. And all of a short
// log is loaded at the end, on two cores.
const loadRows = 30_000

// waitRows bounds what may wait over all tables.
const waitRows = 100_000

// sink gathers records in a goroutine of its own and has two lanes load them, so
// that reading goes on meanwhile. The rows of one table keep their order.
type sink struct {
	queue  chan item
	done   chan struct{}
	closed error // once done

	mu  sync.Mutex
	err error // the first; later records are dropped

	// Of the goroutine.
	lanes   [2]*lane
	of      map[*table.Spec]int // the lane that loads a table until the next commit
	work    [2]int64            // what each was given since the last
	waiting map[*table.Spec][]arrow.Record
	order   []*table.Spec // keys of waiting, by first record
	rows    map[*table.Spec]int64
	total   int64
}

// item is a record to load, or, without one, the wish to have everything loaded.
type item struct {
	spec   *table.Spec
	rec    arrow.Record
	loaded chan error
}

// newSink makes a sink whose goroutine opens the database first. If that fails,
// what is written says so.
func newSink(open func() (*duck.DB, error)) *sink {
	s := &sink{
		queue: make(chan item, 2), done: make(chan struct{}),
		of: map[*table.Spec]int{}, waiting: map[*table.Spec][]arrow.Record{}, rows: map[*table.Spec]int64{},
	}
	go s.run(open)
	return s
}

// Write implements table.Sink.
func (s *sink) Write(spec *table.Spec, rec arrow.Record) error {
	if err := s.failure(); err != nil {
		return err
	}
	rec.Retain()
	s.queue <- item{spec: spec, rec: rec}
	return nil
}

// flush loads and commits what was written so far.
func (s *sink) flush() error {
	it := item{loaded: make(chan error)}
	s.queue <- it
	return <-it.loaded
}

// close ends the goroutine; what was not flushed is dropped.
func (s *sink) close() error {
	close(s.queue)
	<-s.done
	return s.closed
}

func (s *sink) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

func (s *sink) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
}

func (s *sink) run(open func() (*duck.DB, error)) {
	defer close(s.done)
	db, err := open()
	if err != nil {
		s.fail(err)
	}
	s.lanes = [2]*lane{newLane(s, db, nil), newLane(s, nil, db)}
	for it := range s.queue {
		if it.loaded != nil {
			s.loadAll(commitValues)
			s.commit()
			it.loaded <- s.failure()
			continue
		}
		s.add(it.spec, it.rec)
	}
	s.drop()
	for _, l := range s.lanes {
		s.closed = errors.Join(s.closed, l.close())
	}
}

func (s *sink) add(spec *table.Spec, rec arrow.Record) {
	if s.waiting[spec] == nil {
		s.order = append(s.order, spec)
	}
	s.waiting[spec] = append(s.waiting[spec], rec)
	s.rows[spec] += rec.NumRows()
	s.total += rec.NumRows()
	switch {
	case s.rows[spec] >= loadRows:
		s.load(spec, false)
	case s.total >= waitRows:
		s.loadAll(math.MaxInt64)
	}
}

// commitValues is from how many values on a table is committed for itself at the
// end: commits wait for each other, and what they write into the log beside the
// file takes half as long as loading, so one lane commits while the other loads.
const commitValues = 200_000

// loadAll hands over all that waits, what takes longest first; tables of so many
// values are committed at once.
func (s *sink) loadAll(commitFrom int64) {
	slices.SortStableFunc(s.order, func(a, b *table.Spec) int { return cmp.Compare(s.takes(b), s.takes(a)) })
	for _, spec := range s.order {
		s.load(spec, s.takes(spec) >= commitFrom)
		delete(s.waiting, spec) // what comes next for it is in order anew
	}
	s.order = s.order[:0]
}

// load hands what waits for one table to the lane that has begun to load it,
// since only that sees those rows before they are committed, or to that which was
// given less.
func (s *sink) load(spec *table.Spec, andCommit bool) {
	if len(s.waiting[spec]) == 0 {
		return
	}
	i, isBegun := s.of[spec]
	if !isBegun && s.work[1] < s.work[0] {
		i = 1
	}
	s.of[spec] = i
	s.work[i] += s.takes(spec)
	s.lanes[i].queue <- load{spec: spec, recs: s.waiting[spec], andCommit: andCommit}
	s.total -= s.rows[spec]
	s.rows[spec], s.waiting[spec] = 0, []arrow.Record{}
}

// tableValues is how many values take as long to load as a table takes whatever
// it holds.
const tableValues = 20_000

// takes is how long what waits for a table takes to load, in values.
func (s *sink) takes(spec *table.Spec) int64 {
	return tableValues + s.rows[spec]*int64(len(spec.Columns))
}

// commit ends the transactions of both lanes.
func (s *sink) commit() {
	for _, l := range s.lanes {
		l.queue <- load{}
	}
	for _, l := range s.lanes {
		<-l.committed
	}
	clear(s.of)
	s.work = [2]int64{}
}

func (s *sink) drop() {
	for _, recs := range s.waiting {
		release(recs)
	}
	clear(s.waiting)
}

func release(recs []arrow.Record) {
	for _, r := range recs {
		r.Release()
	}
}
