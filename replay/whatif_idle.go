package replay

import (
	"context"
	"encoding/json"
	"fmt"

	"tracereplay/replay/result"
)

// idleTimes are the times of idleness, in ms, at which the curve of idle workers
// is worked out. Shorter ones than these are the engine's own gaps between tasks.
func idleTimes() []int64 {
	out := []int64{200, 500}
	for _, s := range []int64{
		1, 2, 3, 5, 7, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 450, 600, 900, 1200, 1800, 2700, 3600, 7200, 14_400, 28_800, 57_600, 86_400,
	} {
		out = append(out, 1000*s)
	}
	return out
}

// Idle is what giving each worker back after a time of idleness would have
// saved and stranded, in the world as it is: rows by worker and time. Where a
// worker is never idle for so long there is no row.
func Idle(ctx context.Context, w *World) ([]result.Idle, error) {
	list, err := json.Marshal(idleTimes())
	if err != nil {
		return nil, err
	}
	out, err := rows[result.Idle](ctx, w.db, "whatif/idle_curve", string(list))
	if err != nil {
		return nil, fmt.Errorf("idle workers: %w", err)
	}
	return out, nil
}
