package replay

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"tracereplay/replay/curve"
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
	curves, err := a.w.curves(ctx, Units{Kind: a.opt.UnitKind})
	if err != nil {
		return nil, err
	}
	m.expected, m.quantiles = curves.Expected(), curves.Quantiles()
	if refused(applied, a.opt.CurveKind, 0) == "" && m.ends[0] == LowEnd {
		m.curve = drawCurve(curves, p, a.opt)
	}
	return m, nil
}

// theseLosses asks what the recorded removals would have cost.
func (a *asker) theseLosses(ctx context.Context, m *measured) (err error) {
	if err := a.w.restore(ctx, recordedWorld); err != nil {
		return err
	}
	if m.again, err = a.w.ApplyChain(ctx, m.policy, m.end); err != nil {
		return err
	}
	if !slices.ContainsFunc(a.removals, a.opt.asksFor) {
		return nil
	}
	curves, err := a.w.curves(ctx, a.unitsLost())
	if err != nil {
		return err
	}
	m.lost = make([][]unitCost, len(a.removals))
	for i, r := range a.removals {
		if a.opt.asksFor(r) {
			m.lost[i] = justBefore(curves, r, heirs(m.again, r.UnitKind, r.Unit))
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

// justBefore is what losing units costs just before a removal, which is not in the
// world yet; a unit that is not alive then has none.
func justBefore(s *curve.Set, r RecordedRemoval, units []string) []unitCost {
	var out []unitCost
	for _, unit := range units {
		c := s.Find(r.UnitKind, unit)
		if c == nil {
			continue
		}
		if high, low, isAlive := c.Before(r.GoneMs); isAlive {
			out = append(out, unitCost{c.Name, high, low})
		}
	}
	slices.SortFunc(out, func(a, b unitCost) int { return cmp.Compare(a.Unit, b.Unit) })
	return out
}
