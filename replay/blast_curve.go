package replay

import (
	"context"
	"fmt"
)

// beforeLevels are the steps from a world to the start set, in order: which
// pieces are lost with which unit, and while their datasets are needed.
func beforeLevels() []string {
	return []string{
		"loss/unit", "loss/unit_worker", "loss/unit_holder", "loss/copy", "loss/crowd", "loss/crowd_copy", "loss/crowd_span",
		"loss/lost", "loss/hole", "loss/lost_presence", "loss/hole_presence", "loss/need_span", "loss/need_tail",
		"loss/start", "loss/level", "loss/active",
	}
}

// afterLevels are the steps from active datasets to the curve.
func afterLevels() []string {
	return []string{
		"loss/shared", "loss/free", "loss/shared_free", "loss/beside", "loss/counted", "loss/segment", "loss/delta_own", "loss/shared_step",
		"loss/delta_shared", "loss/flight", "loss/change", "loss/curve",
	}
}

// curve makes loss.curve for the units that are asked for, unless it is there.
func (w *World) curve(ctx context.Context, u Units) error {
	if w.isReady && w.units == u {
		return nil
	}
	if err := w.startSet(ctx, u); err != nil {
		return err
	}
	if err := w.climb(ctx); err != nil {
		return err
	}
	if err := run(ctx, w.db, afterLevels()); err != nil {
		return err
	}
	w.isReady, w.units = true, u
	return nil
}

// startSet makes what the curve rests on, up to loss.start.
func (w *World) startSet(ctx context.Context, u Units) error {
	w.isReady = false
	if err := run(ctx, w.db, []string{"loss/param"}, u.Kind, u.Unit); err != nil {
		return err
	}
	return run(ctx, w.db, beforeLevels())
}

// climb finds the active datasets, from those that nothing is made from down to
// the first of the run, so that a dataset's readers are done before it and its
// intervals can be merged at once. Without that, a chain of n rounds would leave
// intervals in the order of n squared.
func (w *World) climb(ctx context.Context) error {
	type depth struct {
		Datasets int64 `col:"datasets"`
		Placed   int64 `col:"placed"`
		Levels   int64 `col:"levels"`
	}
	found, err := rows[depth](ctx, w.db, "loss/depth")
	if err != nil {
		return err
	}
	d := found[0]
	if d.Placed < d.Datasets || d.Levels > d.Datasets {
		return fmt.Errorf("table input has a cycle: %d of %d datasets depend on none of themselves", d.Placed, d.Datasets)
	}
	for level := range d.Levels {
		if err := run(ctx, w.db, []string{"loss/active_level"}, level); err != nil {
			return fmt.Errorf("level %d of %d: %w", level, d.Levels, err)
		}
	}
	return nil
}
