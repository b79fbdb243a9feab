package replay

import (
	"context"
	"fmt"

	"tracereplay/replay/result"
)

// Units says whose curves are meant: of one kind, or one unit. The zero value
// means every unit of every kind.
type Units struct {
	Kind string // worker, machine or service; "" all
	Unit string // "" all
}

// Curve is the cost of every unit's removal at every instant, exactly.
func Curve(ctx context.Context, w *World, u Units) ([]result.Curve, error) {
	return onCurve[result.Curve](ctx, w, u, "result/curve")
}

// Expected is what a removal, and a run, cost on average: one row a kind.
func Expected(ctx context.Context, w *World, u Units) ([]result.Expected, error) {
	s, err := w.curves(ctx, u)
	if err != nil {
		return nil, fmt.Errorf("expected: %w", err)
	}
	return s.Expected(), nil
}

// Distribution is the cost of a removal at a random instant of a random
// unit's life: parts + 1 quantiles, the least and the highest included.
func Distribution(ctx context.Context, w *World, u Units, parts int) ([]result.Quantile, error) {
	return onCurve[result.Quantile](ctx, w, u, "result/distribution", int64(parts))
}

// Exposure is how much risk each dataset's outputs carry, the most first.
func Exposure(ctx context.Context, w *World, u Units) ([]result.Exposure, error) {
	return onCurve[result.Exposure](ctx, w, u, "result/exposure")
}

// InputShare is the largest share of each stage's input that one unit holds.
func InputShare(ctx context.Context, w *World, u Units) ([]result.InputShare, error) {
	return onCurve[result.InputShare](ctx, w, u, "result/input_share")
}

// onCurve answers a query that reads loss.curve and what it was made of.
func onCurve[T any](ctx context.Context, w *World, u Units, name string, args ...any) ([]T, error) {
	if err := w.curve(ctx, u); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return rows[T](ctx, w.db, name, args...)
}

// Banked is what the average unit and the worst would lose at each of n
// instants, by kind of loss.
func Banked(ctx context.Context, w *World, u Units, n int) ([]result.Banked, error) {
	if err := w.sumsOnGrid(ctx, u, n); err != nil {
		return nil, fmt.Errorf("banked work: %w", err)
	}
	return rows[result.Banked](ctx, w.db, "result/banked")
}

// SafeProgress is how far the run is at each of n instants and at its end: as
// the engine reports it, and less what the removal of one unit would undo.
func SafeProgress(ctx context.Context, w *World, u Units, n int) ([]result.Progress, error) {
	if err := w.sumsOnGrid(ctx, u, n); err != nil {
		return nil, fmt.Errorf("safe progress: %w", err)
	}
	return rows[result.Progress](ctx, w.db, "result/progress", int64(n))
}

// sumsOnGrid makes loss.sum_at for n instants.
func (w *World) sumsOnGrid(ctx context.Context, u Units, n int) error {
	if err := w.curve(ctx, u); err != nil {
		return err
	}
	if err := run(ctx, w.db, []string{"loss/asked_grid"}, int64(n)); err != nil {
		return err
	}
	return run(ctx, w.db, []string{"loss/sum_at"})
}
