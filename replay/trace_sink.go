package replay

import (
	"cmp"
	"context"
	"errors"
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

// sink loads records in a goroutine of its own, so that reading goes on
// meanwhile. The rows of one table keep their order.
type sink struct {
	queue chan item
	done  chan struct{}

	mu  sync.Mutex
	err error // the first; later records are dropped

	// Of the goroutine.
	db      *duck.DB
	waiting map[*table.Spec][]arrow.Record
	order   []*table.Spec // keys of waiting, by first record
	rows    map[*table.Spec]int64
	total   int64
	inTx    bool
	begun   map[*table.Spec]bool // tables that the open transaction has loaded into
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
		waiting: map[*table.Spec][]arrow.Record{}, rows: map[*table.Spec]int64{},
		begun: map[*table.Spec]bool{},
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
func (s *sink) close() {
	close(s.queue)
	<-s.done
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
	s.db = db
	for it := range s.queue {
		if it.loaded != nil {
			s.loadAll()
			it.loaded <- s.commit()
			continue
		}
		s.add(it.spec, it.rec)
	}
	s.drop()
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
		s.load(spec)
	case s.total >= waitRows:
		s.loadAll()
	}
}

// loadAll loads what waits: half of it, of the tables that are new to the
// transaction, in a session of its own at the same time. Of a short log that is
// nearly all. The rows of a table keep their order because one session alone
// loads it.
func (s *sink) loadAll() {
	here, there := s.halves()
	beside := make(chan error)
	go func() { beside <- s.loadBeside(there) }()
	for _, spec := range here {
		s.load(spec)
	}
	if err := <-beside; err != nil {
		s.fail(err)
	}
	for _, t := range there {
		s.forget(t.spec)
	}
	for _, spec := range s.order {
		delete(s.waiting, spec) // what comes next for it is in order anew
	}
	s.order = s.order[:0]
}

// tableValues is how many values take as long to load as a table takes whatever
// it holds.
const tableValues = 20_000

// halves divides what waits into two halves that take about as long to load.
func (s *sink) halves() (here []*table.Spec, there []waitingTable) {
	values := func(spec *table.Spec) int64 { return tableValues + s.rows[spec]*int64(len(spec.Columns)) }
	order := slices.Clone(s.order)
	slices.SortStableFunc(order, func(a, b *table.Spec) int { return cmp.Compare(values(b), values(a)) })
	var inHere, inThere int64
	for _, spec := range order {
		if s.begun[spec] || inHere <= inThere {
			here, inHere = append(here, spec), inHere+values(spec)
		} else {
			there, inThere = append(there, waitingTable{spec, s.waiting[spec]}), inThere+values(spec)
		}
	}
	return here, there
}

// waitingTable is what waits for a table.
type waitingTable struct {
	spec *table.Spec
	recs []arrow.Record
}

// loadBeside loads what waits for some tables, in a session of its own.
func (s *sink) loadBeside(tables []waitingTable) error {
	if len(tables) == 0 || s.failure() != nil {
		return nil
	}
	ctx := context.Background()
	db, err := s.db.Session(ctx)
	if err != nil {
		return err
	}
	err = db.Tx(ctx, func() error {
		for _, t := range tables {
			if err := db.Load(ctx, t.spec, t.recs...); err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, db.Close())
}

// load loads what waits for one table, and lets go of it in any case.
func (s *sink) load(spec *table.Spec) {
	if recs := s.waiting[spec]; len(recs) > 0 && s.failure() == nil {
		if err := s.loadNow(spec, recs); err != nil {
			s.fail(err)
		}
	}
	s.forget(spec)
}

// forget lets go of what waits for a table.
func (s *sink) forget(spec *table.Spec) {
	for _, r := range s.waiting[spec] {
		r.Release()
	}
	s.total -= s.rows[spec]
	s.rows[spec] = 0
	s.waiting[spec] = s.waiting[spec][:0]
}

// loadNow keeps to one transaction until the next flush: row groups that are
// full go to the file at once, and nothing has to be written twice.
func (s *sink) loadNow(spec *table.Spec, recs []arrow.Record) error {
	ctx := context.Background()
	if !s.inTx {
		if err := s.db.Exec(ctx, "BEGIN TRANSACTION"); err != nil {
			return err
		}
		s.inTx = true
	}
	s.begun[spec] = true
	return s.db.Load(ctx, spec, recs...)
}

func (s *sink) commit() error {
	if !s.inTx {
		return s.failure()
	}
	s.inTx = false
	clear(s.begun)
	end := "COMMIT"
	if s.failure() != nil {
		end = "ROLLBACK"
	}
	if err := s.db.Exec(context.Background(), end); err != nil {
		s.fail(errors.Join(s.failure(), err))
	}
	return s.failure()
}

func (s *sink) drop() {
	for _, recs := range s.waiting {
		for _, r := range recs {
			r.Release()
		}
	}
	clear(s.waiting)
}
