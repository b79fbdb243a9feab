package replay

import (
	"context"
	"fmt"

	"tracereplay/internal/duck"
)

// WriteWorkerStates fills table worker_state of a trace that is open for
// writing, for the applications given. It leaves the world of the last one there.
func WriteWorkerStates(ctx context.Context, db *duck.DB, apps []string) error {
	for _, app := range apps {
		w, err := OpenWorld(ctx, db, app)
		if err != nil {
			return err
		}
		if err := w.writeWorkerState(ctx); err != nil {
			return fmt.Errorf("states of the workers of %s: %w", app, err)
		}
	}
	return nil
}

func (w *World) writeWorkerState(ctx context.Context) error {
	if err := w.startSet(ctx, Units{Kind: "worker"}); err != nil {
		return err
	}
	return run(ctx, w.db, []string{"result/worker_state"})
}
