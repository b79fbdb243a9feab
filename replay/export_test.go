package replay

import (
	"context"
	"errors"

	"tracereplay/internal/duck"
	"tracereplay/internal/table"
	"tracereplay/replay/curve"
	"tracereplay/replay/result"
)

// Changing is for tests: the functions that no policy may call.
func Changing() []string { return changing }

// WithFreed is for tests: it calls f while explain.freed is there.
func WithFreed(ctx context.Context, db *duck.DB, app string, f func() error) error {
	last := part{&step{reads: []string{"explain.freed"}}, func(context.Context, *duck.DB) error { return f() }}
	return explaining(ctx, []*duck.DB{db}, append(costParts(app, &Explanation{}), last))
}

// Curves is for tests: the curves as package curve works them out.
func Curves(ctx context.Context, w *World) (*curve.Set, error) { return w.curves(ctx, Units{}) }

// WriteWorkerStates is for tests: it fills table worker_state of a database.
func WriteWorkerStates(ctx context.Context, db *duck.DB, app string) error {
	w := table.NewWriter(result.WorkerStates, db)
	return errors.Join(workerStates(ctx, db, w, app), w.Flush())
}

// StartSet is for tests: it makes loss.start, of the losses of units of a kind.
func StartSet(ctx context.Context, w *World, kind string) error {
	return w.startSet(ctx, Units{Kind: kind})
}
