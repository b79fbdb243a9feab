package duck

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
)

// threads is how many cores the queries of a database use, whichever session
// asks them.
type threads struct {
	mu      sync.Mutex
	n       int
	loading int // loads under way
}

// newThreads takes 0 for as many as there are.
func newThreads(n int) *threads {
	if n == 0 {
		n = runtime.NumCPU()
	}
	return &threads{n: n}
}

// SetThreads changes how many cores queries use, where settings are not locked.
func (db *DB) SetThreads(ctx context.Context, n int) error {
	db.cores.mu.Lock()
	defer db.cores.mu.Unlock()
	if db.cores.loading == 0 {
		if err := db.setThreads(ctx, n); err != nil {
			return err
		}
	}
	db.cores.n = n
	return nil
}

func (db *DB) setThreads(ctx context.Context, n int) error {
	return db.Exec(ctx, fmt.Sprintf("SET threads = %d", n))
}

// onOneThread runs f while queries use one thread; see fact 4 of the package's doc.
func (db *DB) onOneThread(ctx context.Context, f func() error) (err error) {
	if err := db.holdThreads(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.releaseThreads(context.WithoutCancel(ctx))) }()
	return f()
}

func (db *DB) holdThreads(ctx context.Context) error {
	db.cores.mu.Lock()
	defer db.cores.mu.Unlock()
	if db.cores.loading == 0 && db.cores.n != 1 {
		if err := db.setThreads(ctx, 1); err != nil {
			return fmt.Errorf("loading needs one thread: %w", err)
		}
	}
	db.cores.loading++
	return nil
}

func (db *DB) releaseThreads(ctx context.Context) error {
	db.cores.mu.Lock()
	defer db.cores.mu.Unlock()
	db.cores.loading--
	if db.cores.loading > 0 || db.cores.n == 1 {
		return nil
	}
	return db.setThreads(ctx, db.cores.n)
}
