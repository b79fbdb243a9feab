package replay

import (
	"context"

	"tracereplay/internal/duck"
	"tracereplay/replay/curve"
)

// Changing is for tests: the functions that no policy may call.
func Changing() []string { return changing }

// WithFreed is for tests: it calls f while explain.freed is there.
func WithFreed(ctx context.Context, db *duck.DB, app string, f func() error) error {
	return explaining(ctx, db, app, f)
}

// Curves is for tests: the curves as package curve works them out.
func Curves(ctx context.Context, w *World) (*curve.Set, error) { return w.curves(ctx, Units{}) }

// WriteWorkerStates is for tests: it fills table worker_state of a database.
func WriteWorkerStates(ctx context.Context, db *duck.DB, app string) error {
	return workerStates(ctx, db, db, []string{app})
}

// StartSet is for tests: it makes loss.start, of the losses of units of a kind.
func StartSet(ctx context.Context, w *World, kind string) error {
	return w.startSet(ctx, Units{Kind: kind})
}
