package replay

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/apache/arrow/go/v17/arrow"

	"tracereplay/internal/aside"
	"tracereplay/internal/duck"
	"tracereplay/internal/table"
)

// CreateOptions say how a trace is made. The zero value works.
type CreateOptions struct {
	Force       bool   // replace a trace that exists
	ToolVersion string // for table meta
	Command     string // for table meta
	MemoryLimit string // of DuckDB, as it writes it; "" = DefaultCreateMemory

	unsealed bool // SQL may read files: to load exported tables
}

// DefaultCreateMemory is what DuckDB may hold when the derived tables are made.
const DefaultCreateMemory = "448MiB"

// loadMemory is what DuckDB may hold before, while lineage has its hundred bytes
// a task in memory, too. Rows pass through: what has to be there are row groups
// that are not yet full, of some three dozen tables. Given more, DuckDB takes it
// for blocks that nobody asks for again.
const loadMemory = "160MiB"

// blockSize of a trace's file. With DuckDB's default, 256 KiB, three dozen
// small tables fill 6 MiB; with this a third of it, and large tables load 12 %
// slower. 16 KiB would save little more and cost three times as much.
const blockSize = 64 << 10

// TraceWriter makes a trace. It is a table.Sink for all Tables; the rows of a
// table keep the order in which they came.
type TraceWriter struct {
	partial *aside.Partial
	temp    bool
	db      *duck.DB   // nil until the sink has opened it
	sink    *sink      // nil once closed
	done    bool       // finished: nothing is left to abort
	closed  chan error // of a finished trace: when its database is closed
	memory  string
}

// Create begins a trace that will stand at path.
func Create(ctx context.Context, path string, opt CreateOptions) (*TraceWriter, error) {
	p, err := aside.New(path, opt.Force)
	if err != nil {
		return nil, err
	}
	return create(ctx, &TraceWriter{partial: p}, opt)
}

// CreateTemp begins a trace without a place of its own: it lives until the
// Trace that Open returns is closed, and if the process is killed, until the
// next temporary trace is made.
func CreateTemp(ctx context.Context, opt CreateOptions) (*TraceWriter, error) {
	p, err := aside.New(filepath.Join(os.TempDir(), "replay-trace.duckdb"), true)
	if err != nil {
		return nil, err
	}
	return create(ctx, &TraceWriter{partial: p, temp: true}, opt)
}

// create has the sink's goroutine open the database, so that reading of the log
// begins at once.
func create(ctx context.Context, w *TraceWriter, opt CreateOptions) (*TraceWriter, error) {
	w.memory = opt.MemoryLimit
	if opt.MemoryLimit == "" {
		w.memory, opt.MemoryLimit = DefaultCreateMemory, loadMemory
	}
	w.sink = newSink(func() (*duck.DB, error) {
		err := w.open(ctx, opt)
		return w.db, err
	})
	if err := w.failed(w.describe(opt)); err != nil {
		return nil, errors.Join(err, w.Abort())
	}
	return w, nil
}

// open makes the database with its tables.
func (w *TraceWriter) open(ctx context.Context, opt CreateOptions) error {
	ready, err := writeEmpty(w.partial.Path())
	if err != nil {
		return err
	}
	w.db, err = duck.Open(ctx, w.partial.Path(), duck.Options{Threads: 1, MemoryLimit: opt.MemoryLimit, BlockSize: blockSize, Unsealed: opt.unsealed, Unlocked: true})
	if err != nil || ready {
		return err
	}
	return w.define(ctx)
}

// define makes the tables and views.
func (w *TraceWriter) define(ctx context.Context) error {
	return w.db.Tx(ctx, func() error { // one write to the disk instead of five hundred
		for _, s := range Tables() {
			if err := w.db.CreateTable(ctx, s); err != nil {
				return err
			}
		}
		return w.db.Exec(ctx, viewsSQL)
	})
}

// describe fills table meta.
func (w *TraceWriter) describe(opt CreateOptions) error {
	meta := table.NewWriter(Metas, w)
	meta.Append(&Meta{SchemaVersion: SchemaVersion, ToolVersion: opt.ToolVersion, Command: opt.Command})
	return meta.Flush()
}

// Write implements table.Sink. It may return before the record is loaded; an
// error of loading comes with a later Write or with Flush.
func (w *TraceWriter) Write(s *table.Spec, rec arrow.Record) error {
	return w.failed(w.sink.Write(s, rec))
}

// failed says of an error which trace was being written.
func (w *TraceWriter) failed(err error) error {
	switch {
	case err == nil:
		return nil
	case w.temp:
		return fmt.Errorf("writing a temporary trace: %w", err)
	}
	return fmt.Errorf("writing %s: %w", w.partial.Target(), err)
}

// Flush loads and commits what was written so far.
func (w *TraceWriter) Flush() error { return w.failed(w.sink.flush()) }

// Err is the first error of loading, once it is known.
func (w *TraceWriter) Err() error { return w.failed(w.sink.failure()) }

// Loaded is Flush after the last record from outside: from here on DuckDB may
// use more memory.
func (w *TraceWriter) Loaded(ctx context.Context) error {
	if err := w.Flush(); err != nil {
		return err
	}
	return w.db.SetMemoryLimit(ctx, w.memory)
}

// DB is the session that writes the trace, after the first Flush. It sees what
// Flush has committed, and must be left alone while records are written.
func (w *TraceWriter) DB() *duck.DB { return w.db }

// Finish makes the trace whole and moves it to its place. On an error nothing
// is left of it.
func (w *TraceWriter) Finish() error {
	err := w.Flush()
	if err == nil {
		err = w.failed(w.closeDB(w.complete))
	}
	if err == nil && !w.temp {
		err = w.partial.Commit()
	}
	if err != nil {
		return errors.Join(err, w.Abort())
	}
	w.done = true
	return nil
}

// complete writes all that was committed into the file, which is whole then. The
// memory of the database is given back meanwhile and later: 10 ms.
func (w *TraceWriter) complete(db *duck.DB) error {
	if err := db.Checkpoint(context.Background()); err != nil {
		return errors.Join(err, db.Discard())
	}
	w.closed = make(chan error, 1)
	go func() {
		defer close(w.closed)
		w.closed <- db.Discard()
	}()
	return nil
}

// Open opens the finished trace for reading.
func (w *TraceWriter) Open(ctx context.Context, opt OpenOptions) (*Trace, error) {
	if err := <-w.closed; err != nil {
		return nil, w.failed(err)
	}
	if !w.temp {
		return Open(ctx, w.partial.Target(), opt)
	}
	t, err := Open(ctx, w.partial.Path(), opt)
	if err != nil {
		return nil, errors.Join(err, w.partial.Abort())
	}
	t.scratch = w.partial
	return t, nil
}

// Abort removes what was written. It may follow Finish, and does nothing then.
func (w *TraceWriter) Abort() error {
	if w.done {
		return nil
	}
	return errors.Join(w.closeDB((*duck.DB).Discard), w.partial.Abort())
}

func (w *TraceWriter) closeDB(how func(*duck.DB) error) error {
	if w.sink == nil {
		return nil
	}
	err := w.sink.close()
	w.sink = nil
	if w.db == nil {
		return err
	}
	return errors.Join(err, how(w.db))
}
