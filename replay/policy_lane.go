package replay

import (
	"context"
	"encoding/json"
	"slices"
)

// lanes puts every attempt of a world on a slot lane of its worker: in the order
// of launch and task, the lowest lane that is free. Every worker takes a place on
// its machine by the same rule, in the order of its registration.
func (w *World) lanes(ctx context.Context) error {
	if err := w.layOut(ctx, "whatif/lane_input", "whatif/lane"); err != nil {
		return err
	}
	return w.layOut(ctx, "whatif/place_input", "whatif/place")
}

// span is what takes a lane of its owner for a time. Rows come by owner, then
// in the order in which they take lanes.
type laneSpan struct {
	Owner  string `col:"owner"`
	Name   string `col:"name"`
	FromMs int64  `col:"from_ms"`
	ToMs   int64  `col:"to_ms"`
}

// layOut reads spans and writes a table of names and lanes. A list is bound as
// JSON: the driver binds none.
func (w *World) layOut(ctx context.Context, from, to string) error {
	spans, err := rows[laneSpan](ctx, w.db, from)
	if err != nil {
		return err
	}
	names := make([]string, len(spans))
	for i := range spans {
		names[i] = spans[i].Name
	}
	nameList, err := json.Marshal(names)
	if err != nil {
		return err
	}
	laneList, err := json.Marshal(laneOf(spans))
	if err != nil {
		return err
	}
	return run(ctx, w.db, []string{to}, string(nameList), string(laneList))
}

// laneOf gives each span the lowest lane of its owner that is free.
func laneOf(spans []laneSpan) []int {
	out := make([]int, len(spans))
	var free []int64 // when each lane of the owner is free again
	for i, s := range spans {
		if i > 0 && spans[i-1].Owner != s.Owner {
			free = free[:0]
		}
		lane := slices.IndexFunc(free, func(ms int64) bool { return ms <= s.FromMs })
		if lane < 0 {
			lane = len(free)
			free = append(free, 0)
		}
		free[lane] = s.ToMs
		out[i] = lane
	}
	return out
}
