package replay

import (
	"context"

	"tracereplay/internal/duck"
)

// freed finds what workers that were released saved. When the slots were back is
// asked of every release, and the answer may lie anywhere behind it: one pass in
// Go, where a join would look at all lines for each.
func freed(ctx context.Context, db *duck.DB, app string) error {
	if err := run(ctx, db, []string{"explain/level"}, app); err != nil {
		return err
	}
	found, err := slotsBack(ctx, db)
	if err != nil {
		return err
	}
	if err := run(ctx, db, []string{"explain/back"}); err != nil {
		return err
	}
	if err := appendLists(ctx, db, "explain/back_rows", found); err != nil {
		return err
	}
	return run(ctx, db, []string{"explain/freed"}, app)
}

// slotsBack reads explain.level, and finds the columns of explain.back.
func slotsBack(ctx context.Context, db *duck.DB) ([][]int64, error) {
	var w waiting
	err := eachRow(ctx, db, func(r arrowRow) { w.next(r.int(0).V, r.int(1).V, r.int(2).V) }, "explain/back_input")
	return [][]int64{w.gone, w.back}, err
}

// waiting are the steps down whose slots are not back, in order. Each waits for
// fewer slots than the one before it: had it been for as many or more, the one
// before would have been over when there were so many.
type waiting struct {
	down       []down
	gone, back []int64 // steps down, and the first later ones after which the slots were back
}

type down struct{ step, before int64 }

// next takes the next step: how many slots came or went, and how many are live
// after it.
func (w *waiting) next(step, slots, live int64) {
	for n := len(w.down); n > 0 && w.down[n-1].before <= live; n-- {
		w.gone, w.back = append(w.gone, w.down[n-1].step), append(w.back, step)
		w.down = w.down[:n-1]
	}
	if slots < 0 {
		w.down = append(w.down, down{step, live - slots})
	}
}
