package replay

import "context"

// beforeLevels are the steps from a world to the start set, in order: which
// pieces are lost with which unit, and while their datasets are needed.
func beforeLevels() []string {
	return []string{
		"loss/unit", "loss/unit_worker", "loss/unit_holder", "loss/copy", "loss/crowd", "loss/crowd_copy", "loss/crowd_span",
		"loss/lost", "loss/hole", "loss/lost_presence", "loss/hole_presence", "loss/need_span", "loss/need_tail",
		"loss/start",
	}
}

// afterLevels are the steps from active datasets to the jumps of the curve.
func afterLevels() []string {
	return []string{
		"loss/shared", "loss/free", "loss/shared_free", "loss/beside", "loss/counted", "loss/segment", "loss/delta_own", "loss/shared_step",
		"loss/delta_shared", "loss/flight", "loss/change",
	}
}

// curveJumps is how many jumps of costs are sorted at a time, about.
const curveJumps = 500_000

// curve makes loss.curve for the units that are asked for, unless it is there.
func (w *World) curve(ctx context.Context, u Units) error {
	if err := w.changes(ctx, u); err != nil {
		return err
	}
	m := &w.memo
	sig := m.signature([]string{"loss.unit", "loss.change", "world.rules"}, nil)
	if sig != "" && m.from["loss/curve"] == sig {
		return nil
	}
	delete(m.from, "loss/curve")
	if err := run(ctx, w.db, []string{"loss/curve"}); err != nil {
		return err
	}
	units, jumps := m.rows["loss.unit"], m.rows["loss.flight"]+m.rows["loss.delta_own"]+m.rows["loss.delta_shared"]
	block := max(units*curveJumps/max(jumps, curveJumps), 1)
	for first := int64(1); first <= units; first += block {
		if err := run(ctx, w.db, []string{"loss/curve_rows"}, first, first+block-1); err != nil {
			return err
		}
	}
	m.from["loss/curve"] = sig
	m.changed("loss.curve")
	return nil
}

// changes makes loss.change for the units that are asked for, unless it is there.
func (w *World) changes(ctx context.Context, u Units) error {
	if w.isReady && w.units == u {
		return nil
	}
	if err := w.startSet(ctx, u); err != nil {
		return err
	}
	if err := w.climb(ctx); err != nil {
		return err
	}
	if err := w.take(ctx, afterLevels()); err != nil {
		return err
	}
	w.isReady, w.units = true, u
	return nil
}

// startSet makes what the curve rests on, up to loss.start.
func (w *World) startSet(ctx context.Context, u Units) error {
	w.isReady = false
	if err := w.memo.take(ctx, w.db, "loss/param", u.Kind, u.Unit); err != nil {
		return err
	}
	return w.take(ctx, beforeLevels())
}

// take takes steps one after the other, those that are needed.
func (w *World) take(ctx context.Context, steps []string) error {
	for _, name := range steps {
		if err := w.memo.take(ctx, w.db, name); err != nil {
			return err
		}
	}
	return nil
}
