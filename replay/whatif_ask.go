package replay

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
)

// asker has one world and asks it what policies come to, one after the other.
type asker struct {
	w        *World
	opt      *WhatIfOptions
	isOwn    bool // the world is the asker's own
	removals []RecordedRemoval
	size     clusterSize
}

// prepare keeps the recorded and the undisturbed world.
func (a *asker) prepare(ctx context.Context) error {
	if err := run(ctx, a.w.db, []string{"whatif/kept_open"}); err != nil {
		return err
	}
	if err := a.w.blame(ctx); err != nil {
		return err
	}
	var err error
	if a.removals, err = rows[RecordedRemoval](ctx, a.w.db, "whatif/removals"); err != nil {
		return err
	}
	if err := a.w.keep(ctx, recordedWorld); err != nil {
		return err
	}
	chain, err := ParsePolicies(undisturbedWorld)
	if err != nil {
		return err
	}
	if _, err := a.w.ApplyChain(ctx, chain, LowEnd); err != nil {
		return err
	}
	if a.size, err = row[clusterSize](ctx, a.w.db, "whatif/size"); err != nil {
		return err
	}
	return a.w.keep(ctx, undisturbedWorld)
}

// close gives back what is the asker's own; a world that is not is the recorded
// one again.
func (a *asker) close(ctx context.Context) error {
	if a.isOwn {
		return errors.Join(a.w.Close(), a.w.db.Close())
	}
	var err error
	if a.w.kept[recordedWorld] != nil {
		err = a.w.restore(ctx, recordedWorld)
	}
	return errors.Join(err, run(ctx, a.w.db, []string{"whatif/kept_close"}))
}

// anyLoss asks what any loss costs under a policy: once, or at both ends of what
// it assumes.
func (a *asker) anyLoss(ctx context.Context, p Chain) ([]*measured, error) {
	m, err := a.anyLossAt(ctx, p, LowEnd)
	if err != nil || !m.isBoth {
		return []*measured{m}, err
	}
	high, err := a.anyLossAt(ctx, p, HighEnd)
	return []*measured{m, high}, err
}

func (a *asker) anyLossAt(ctx context.Context, p Chain, end End) (*measured, error) {
	if err := a.w.restore(ctx, undisturbedWorld); err != nil {
		return nil, err
	}
	applied, err := a.w.ApplyChain(ctx, p, end)
	if err != nil {
		return nil, err
	}
	m := &measured{policy: p, end: end, applied: applied}
	m.isBoth = end == LowEnd && slices.ContainsFunc(applied, func(a *Applied) bool { return a.NeedsBoth }) && !refusedAll(applied)
	m.ends = ends(p, end, m.isBoth || end == HighEnd)
	if refusedAll(applied) {
		return m, nil
	}
	if m.expected, err = Expected(ctx, a.w, Units{Kind: a.opt.UnitKind}); err != nil {
		return nil, err
	}
	if m.quantiles, err = rows[quantiles](ctx, a.w.db, "whatif/measure"); err != nil {
		return nil, err
	}
	if refused(applied, a.opt.CurveKind, 0) == "" && m.ends[0] == LowEnd {
		m.curve, err = a.drawCurve(ctx, p)
	}
	return m, err
}

// theseLosses asks what the recorded removals would have cost.
func (a *asker) theseLosses(ctx context.Context, m *measured) (err error) {
	if err := a.w.restore(ctx, recordedWorld); err != nil {
		return err
	}
	if m.again, err = a.w.ApplyChain(ctx, m.policy, m.end); err != nil {
		return err
	}
	m.lost = make([][]unitCost, len(a.removals))
	for i, r := range a.removals {
		if !a.opt.asksFor(r) {
			continue
		}
		if err := a.w.curve(ctx, a.unitsLost()); err != nil {
			return err
		}
		if m.lost[i], err = a.w.justBefore(ctx, r, heirs(m.again, r.UnitKind, r.Unit)); err != nil {
			return err
		}
	}
	return nil
}

// unitsLost are the kinds of unit that the log lost: all of them, unless there
// is but one.
func (a *asker) unitsLost() Units {
	kind := a.opt.UnitKind
	for _, r := range a.removals {
		switch kind {
		case "", r.UnitKind:
			kind = r.UnitKind
		default:
			return Units{}
		}
	}
	return Units{Kind: kind}
}

// justBefore is what losing units costs just before a removal.
func (w *World) justBefore(ctx context.Context, r RecordedRemoval, units []string) ([]unitCost, error) {
	list, err := json.Marshal(units)
	if err != nil {
		return nil, err
	}
	return rows[unitCost](ctx, w.db, "whatif/at_removal", r.UnitKind, string(list), r.GoneMs)
}
