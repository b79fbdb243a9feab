package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

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
	for part := range slices.Chunk(found, climbRows) {
		if err := writeBack(ctx, db, part); err != nil {
			return err
		}
	}
	return run(ctx, db, []string{"explain/freed"}, app)
}

// slotsBack reads explain.level.
func slotsBack(ctx context.Context, db *duck.DB) ([][2]int64, error) {
	reader, err := db.QueryArrow(ctx, query("explain/back_input"))
	if err != nil {
		return nil, fmt.Errorf("query explain/back_input: %w", duck.Brief(err))
	}
	defer reader.Release()
	var w waiting
	for reader.Next() {
		rec := reader.Record()
		for i := range int(rec.NumRows()) {
			row := arrowRow{rec, i}
			w.next(row.int(0).V, row.int(1).V, row.int(2).V)
		}
	}
	return w.back, reader.Err()
}

// writeBack appends to explain.back.
func writeBack(ctx context.Context, db *duck.DB, rows [][2]int64) error {
	cols := [2][]int64{}
	for _, r := range rows {
		cols[0], cols[1] = append(cols[0], r[0]), append(cols[1], r[1])
	}
	text, err := json.Marshal(cols)
	if err != nil {
		return err
	}
	return run(ctx, db, []string{"explain/back_rows"}, string(text))
}

// waiting are the steps down whose slots are not back, in order. Each waits for
// fewer slots than the one before it: had it been for as many or more, the one
// before would have been over when there were so many.
type waiting struct {
	down []down
	back [][2]int64 // a step down, and the first later one after which the slots were back
}

type down struct{ step, before int64 }

// next takes the next step: how many slots came or went, and how many are live
// after it.
func (w *waiting) next(step, slots, live int64) {
	for n := len(w.down); n > 0 && w.down[n-1].before <= live; n-- {
		w.back = append(w.back, [2]int64{w.down[n-1].step, step})
		w.down = w.down[:n-1]
	}
	if slots < 0 {
		w.down = append(w.down, down{step, live - slots})
	}
}
