package replay

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tracereplay/internal/duck"
	"tracereplay/internal/table"
	"tracereplay/replay/result"
	"tracereplay/replay/sim"
)

// FillDelays fills in how much later the run ended because of each removal, or
// why that is not known. Never is it guessed: a log whose data are not complete
// (sim.Complete) gives none.
func FillDelays(ctx context.Context, db *duck.DB, app string, removals []result.Removal) (err error) {
	why := func(text string) error {
		for i := range removals {
			removals[i].DelayReason = table.Some(text)
		}
		return nil
	}
	if !slices.ContainsFunc(removals, func(r result.Removal) bool { return r.Kind != "release" }) {
		return why(whyRelease)
	}
	w, err := OpenWorld(ctx, db, app)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	log, err := SimLog(ctx, w)
	if err != nil {
		return err
	}
	if gaps := sim.ForDelay(log); len(gaps) > 0 {
		return why(fmt.Sprintf("the log lacks what a replay in time needs: %s", gaps[0]))
	}
	simulated, err := sim.Build(log)
	if err != nil {
		return why(err.Error())
	}
	delays := removalDelays(log, simulated)
	for i := range removals {
		r := &removals[i]
		d, ok := delays[r.Removal]
		switch {
		case r.Kind == "release":
			r.DelayReason = table.Some(whyRelease)
		case !ok:
			r.DelayReason = table.Some("the simulator does not know it")
		case !d.Known:
			r.DelayReason = table.Some("the simulated run does not end")
		default:
			r.DelayMs = table.Some(d.Ms)
		}
	}
	return nil
}

const whyRelease = "given back by choice: a run in which it was kept is not simulated"

// removalDelays is sim.Delays by the removals' numbers.
func removalDelays(log *sim.Log, simulated *sim.Run) map[int64]sim.Delay {
	numbers := make([]int64, 0, len(log.Removals))
	for i := range log.Removals {
		numbers = append(numbers, log.Removals[i].Removal)
	}
	slices.Sort(numbers)
	each, _ := sim.Delays(simulated)
	of := map[int64]sim.Delay{}
	for i, d := range each {
		of[numbers[i]] = d
	}
	return of
}
