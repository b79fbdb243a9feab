package replay

import (
	"context"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow/array"

	"tracereplay/internal/duck"
	"tracereplay/replay/curve"
)

// curves are the curves of the units that are asked for, worked out from
// loss.change, without making loss.curve.
func (w *World) curves(ctx context.Context, u Units) (*curve.Set, error) {
	if err := w.changes(ctx, u); err != nil {
		return nil, err
	}
	units, err := rows[Unit](ctx, w.db, "result/units") // in the order of their numbers, from 1
	if err != nil {
		return nil, err
	}
	list := make([]curve.Unit, len(units))
	for i, u := range units {
		list[i] = curve.Unit{Kind: u.UnitKind, Name: u.Unit, FromMs: u.FromMs, ToMs: u.ToMs, IsCoordinator: u.IsCoordinator}
	}
	jumps, err := w.jumps(ctx, len(list))
	if err != nil {
		return nil, err
	}
	return curve.New(w.span.StartMs, w.span.EndMs, list, jumps), nil
}

// jumpColumns are those of loss/curve_jump; the first is the unit.
const jumpColumns = 8

// jumps reads loss.change, by unit. It counts first: slices that grow would take
// twice the memory.
func (w *World) jumps(ctx context.Context, units int) ([][]curve.Jump, error) {
	reader, err := w.db.QueryArrow(ctx, query("loss/curve_jump"))
	if err != nil {
		return nil, fmt.Errorf("query loss/curve_jump: %w", duck.Brief(err))
	}
	defer reader.Release()
	counts := make([]int, units)
	var blocks [][jumpColumns][]int64
	for reader.Next() {
		rec := reader.Record()
		rec.Retain()
		defer rec.Release()
		var b [jumpColumns][]int64
		for i := range b {
			b[i] = rec.Column(i).(*array.Int64).Int64Values()
		}
		for _, unit := range b[0] {
			counts[unit-1]++
		}
		blocks = append(blocks, b)
	}
	out := make([][]curve.Jump, units)
	for i, n := range counts {
		out[i] = make([]curve.Jump, 0, n)
	}
	for _, b := range blocks {
		for i, unit := range b[0] {
			out[unit-1] = append(out[unit-1], curve.Jump{AtMs: b[1][i], Tasks: b[2][i], StartMs: b[3][i], OwedMs: b[4][i], ClimbMs: b[5][i], CachedMs: b[6][i], LowMs: b[7][i]})
		}
	}
	return out, reader.Err()
}
