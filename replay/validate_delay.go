package replay

import (
	"context"
	"errors"

	"tracereplay/internal/duck"
	"tracereplay/replay/sim"
)

// simulable is an application as the simulator takes it; nil when its data are
// not complete.
func simulable(ctx context.Context, db *duck.DB, app string) (_ *sim.Run, err error) {
	w, err := OpenWorld(ctx, db, app)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	return simulableWorld(ctx, w)
}

func simulableWorld(ctx context.Context, w *World) (*sim.Run, error) {
	log, err := SimLog(ctx, w)
	if err != nil || len(sim.ForDelay(log)) > 0 {
		return nil, err
	}
	return sim.Build(log)
}

// twinDelays adds what the losses of a run delay an undisturbed run of the same
// job by, for each unit there.
func twinDelays(ctx context.Context, w *World, actual *sim.Run, delays *[]int64) error {
	twin, err := simulableWorld(ctx, w)
	if err != nil || twin == nil {
		return err
	}
	for _, l := range sim.LossLike(actual, twin) {
		if l.Outcome == sim.Done {
			*delays = append(*delays, l.DelayMs)
		}
	}
	return nil
}
