package replay

import (
	"context"

	"tracereplay/internal/duck"
)

// Unit is a worker, machine or service that can be removed, and its life.
type Unit struct {
	UnitKind      string `col:"unit_kind"`
	Unit          string `col:"unit"`
	FromMs        int64  `col:"from_ms"`
	ToMs          int64  `col:"to_ms"`
	IsCoordinator bool   `col:"is_coordinator"` // the coordinator runs there too: in no mean
}

// Units lists what can be removed, by kind and name.
func (w *World) Units(ctx context.Context) ([]Unit, error) {
	w.isReady = false // loss.unit is made anew, for all kinds
	if err := w.memo.take(ctx, w.db, "loss/param", "", ""); err != nil {
		return nil, err
	}
	if err := w.memo.take(ctx, w.db, "loss/unit"); err != nil {
		return nil, err
	}
	return rows[Unit](ctx, w.db, "result/units")
}

// Unplaced counts the workers of an application whose machine is not known.
func Unplaced(ctx context.Context, db *duck.DB, app string) (int64, error) {
	return row[int64](ctx, db, "result/unplaced", app)
}
