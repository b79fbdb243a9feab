package replay

import (
	"context"

	"tracereplay/replay/climb"
)

// climb finds the active datasets, unless they are known.
func (w *World) climb(ctx context.Context) error {
	m := &w.memo
	sig := m.signature(m.step("loss/climb").reads, nil)
	if sig != "" && m.from["loss/climb"] == sig {
		return nil
	}
	delete(m.from, "loss/climb")
	r, err := w.climbRun(ctx)
	if err != nil {
		return err
	}
	active, err := climb.Active(r)
	if err != nil {
		return err
	}
	if err := run(ctx, w.db, []string{"loss/active"}); err != nil {
		return err
	}
	if err := appendLists(ctx, w.db, "loss/active_rows", columnsOf(active)); err != nil {
		return err
	}
	m.from["loss/climb"] = sig
	m.changed("loss.active")
	return nil
}

// columnsOf are the columns of loss.active.
func columnsOf(rows []climb.Row) [][]int64 {
	cols := make([][]int64, 5)
	for _, r := range rows {
		low := int64(0)
		if r.IsLow {
			low = 1
		}
		for i, v := range []int64{r.Unit, r.Dataset, low, r.From, r.To} {
			cols[i] = append(cols[i], v)
		}
	}
	return cols
}

// The kinds of rows of loss/climb.
const (
	climbDataset = iota
	climbInput
	climbStart
	climbLost
	climbHole
)

// climbRun reads what a climb needs to know.
func (w *World) climbRun(ctx context.Context) (*climb.Run, error) {
	r := &climb.Run{Start: map[int64]climb.Spans{}, Lost: map[int64]climb.Spans{}, Holes: map[int64][]climb.Span{}}
	err := eachRow(ctx, w.db, func(row arrowRow) { addToClimb(r, row) }, "loss/climb")
	return r, err
}

func addToClimb(r *climb.Run, row arrowRow) {
	dataset, span := row.int(1).V, climb.Span{From: row.int(4).V, To: row.int(5).V}
	key := climb.Key{Unit: row.int(2).V, IsLow: row.bool(3).V}
	add := func(of map[int64]climb.Spans) {
		if of[dataset] == nil {
			of[dataset] = climb.Spans{}
		}
		of[dataset][key] = append(of[dataset][key], span)
	}
	switch row.int(0).V {
	case climbDataset:
		r.Datasets = append(r.Datasets, dataset)
	case climbInput:
		r.Inputs = append(r.Inputs, [2]int64{dataset, span.From})
	case climbStart:
		add(r.Start)
	case climbLost:
		add(r.Lost)
	case climbHole:
		r.Holes[dataset] = append(r.Holes[dataset], span)
	}
}
