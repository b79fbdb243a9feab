package replay

import (
	"context"
	"fmt"

	"tracereplay/replay/result"
)

// BlastOptions say which units to measure and when. The zero value asks for
// every unit of every kind at its worst instant.
type BlastOptions struct {
	UnitKind    string // worker, machine or service; "" all
	Unit        string // "" all
	At          *int64 // ms: at this instant
	Grid        int    // at so many instants, equally far from each other
	Breakpoints bool   // at every instant where the cost jumps
}

// instants is the query that finds the instants to answer for.
func (o BlastOptions) instants() (name string, args []any) {
	switch {
	case o.At != nil:
		return "loss/asked_at", []any{*o.At}
	case o.Grid > 0:
		return "loss/asked_grid", []any{int64(o.Grid)}
	case o.Breakpoints:
		return "loss/asked_breakpoints", nil
	default:
		return "loss/asked_worst", nil
	}
}

// atInstants are the steps from the instants asked for to the figures there.
func atInstants() []string {
	return []string{
		"loss/sum_at", "loss/oldest_own", "loss/oldest_shared", "loss/oldest_at", "loss/stage_run", "loss/interrupted",
		"loss/reader_step", "loss/interrupted_at", "loss/requeued", "loss/requeued_step", "loss/requeued_at",
	}
}

// Blast is what the removal of each unit costs, sorted by kind, unit and
// instant. A unit has no row at an instant at which it is not alive.
func Blast(ctx context.Context, w *World, opt BlastOptions) ([]result.Blast, error) {
	if err := w.curve(ctx, Units{opt.UnitKind, opt.Unit}); err != nil {
		return nil, fmt.Errorf("blast: %w", err)
	}
	name, args := opt.instants()
	if err := run(ctx, w.db, []string{name}, args...); err != nil {
		return nil, fmt.Errorf("blast: %w", err)
	}
	if err := run(ctx, w.db, atInstants()); err != nil {
		return nil, fmt.Errorf("blast: %w", err)
	}
	lost, err := rows[result.Blast](ctx, w.db, "result/blast")
	if err != nil {
		return nil, err
	}
	return lost, stateLost(ctx, w, lost)
}
