package replay

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"tracereplay/internal/aside"
	"tracereplay/internal/duck"
	"tracereplay/internal/table"
)

// Trace is an open trace: a DuckDB file with the tables of packages ingest and
// lineage, of one application or many. It was made once (Create, CreateTemp) and
// is only read here. Its file is never changed; tables that a query needs
// besides go to the catalog "memory" or are temporary.
type Trace struct {
	Meta Meta
	Apps []App // in the order read

	db      *duck.DB
	scratch *aside.Partial // of a temporary trace: removed by Close
}

// App is an application in a trace.
type App struct {
	App      string    `col:"app"`
	Engine   string    `col:"engine"`
	Name     table.Str `col:"name"`
	FirstMs  table.I64 `col:"first_ms"` // earliest time in its log
	LastMs   table.I64 `col:"last_ms"`  // latest time in its log
	StartMs  table.I64 `col:"start_ms"`
	TimeZone table.Str `col:"time_zone"`
}

// OpenOptions say how a trace is opened. The zero value works.
type OpenOptions struct {
	Threads     int    // of DuckDB; 0 = as many as there are cores
	MemoryLimit string // of DuckDB, as it writes it; "" = its default
	Unsealed    bool   // let SQL read and write files: only where the user said so
	App         string // of a data set of many applications: the one to load; "" = all
}

// Open opens a trace file.
func Open(ctx context.Context, path string, opt OpenOptions) (*Trace, error) {
	if err := checkFile(path); err != nil {
		return nil, err
	}
	db, err := duck.Open(ctx, path, duck.Options{
		ReadOnly: true, Threads: max(opt.Threads, 1), MemoryLimit: opt.MemoryLimit, Unsealed: true, // until the number of cores is settled
	})
	if err != nil {
		return nil, err
	}
	t := &Trace{db: db}
	if err := errors.Join(t.read(ctx), t.settle(ctx, opt)); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), db.Close())
	}
	return t, nil
}

// smallRun is up to how many attempts of tasks queries are faster on one core: on
// two, most of their time went into waking threads up (docs/performance.md).
const smallRun = 20_000

// traceSize is how many attempts of tasks and workers a trace has.
type traceSize struct {
	Attempts int64 `col:"attempts"`
	Workers  int64 `col:"workers"`
}

// most is what memory goes by: a world holds rows of both.
func (s traceSize) most() int64 { return max(s.Attempts, s.Workers) }

// settle settles how many cores queries use, and then seals the session.
func (t *Trace) settle(ctx context.Context, opt OpenOptions) error {
	size, err := row[traceSize](ctx, t.db, "world/size")
	if err != nil {
		return err
	}
	if opt.Threads == 0 && size.Attempts > smallRun {
		if err := t.db.SetThreads(ctx, runtime.GOMAXPROCS(0)); err != nil {
			return err
		}
	}
	if opt.Unsealed {
		return nil
	}
	return t.db.Seal(ctx)
}

func (t *Trace) read(ctx context.Context) error {
	var err error
	if t.Meta, err = readMeta(ctx, t.db); err != nil {
		return err
	}
	t.Apps, err = duck.Query[App](ctx, t.db,
		"SELECT app, engine, name, first_ms, last_ms, start_ms, time_zone FROM app ORDER BY log, first_seq")
	return err
}

// DB is the session in which the trace's tables are queried.
func (t *Trace) DB() *duck.DB { return t.db }

// Path is the trace's file; of a temporary trace it goes with Close.
func (t *Trace) Path() string { return t.db.Path() }

// Close ends the session and removes a temporary trace.
func (t *Trace) Close() error {
	err := t.db.Close()
	if t.scratch != nil {
		err = errors.Join(err, t.scratch.Abort())
	}
	return err
}

// App picks an application by its id; "" picks the only one.
func (t *Trace) App(id string) (App, error) {
	var ids []string
	for _, a := range t.Apps {
		if a.App == id || id == "" && len(t.Apps) == 1 {
			return a, nil
		}
		ids = append(ids, a.App)
	}
	switch {
	case len(ids) == 0:
		return App{}, errors.New("the trace holds no application")
	case id == "":
		return App{}, fmt.Errorf("the trace holds %d applications, name one with --app: %s", len(ids), some(ids, 10))
	default:
		return App{}, fmt.Errorf("the trace holds no application %q, but %s", id, some(ids, 10))
	}
}

// some lists the first n of names.
func some(names []string, n int) string {
	if len(names) <= n {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:n], ", "), len(names)-n)
}
