package replay

import (
	"context"
	"errors"

	"tracereplay/internal/duck"
	"tracereplay/internal/table"
	"tracereplay/replay/result"
)

// derived are the tables that follow from the others and are stored in a trace
// so that SQL can ask them: what each recorded removal cost, and why.
func derived() []*table.Spec {
	return []*table.Spec{&result.WorkerStates.Spec, &result.Removals.Spec, &result.Reruns.Spec, &result.ChainLinks.Spec}
}

// shortTrace is up to how many task attempts, and as many workers, the derived
// tables are worked out side by side: some thirty small queries then. Of more,
// each wants the memory, and all cores, for itself.
const shortTrace = 500_000

// manyWorkersMemory is what DuckDB may hold when there are more workers than that.
const manyWorkersMemory = "2GiB"

// Derive fills the derived tables of a trace that is being written, on so many
// cores. All logs must have been flushed.
func Derive(ctx context.Context, w *TraceWriter, apps []string, cores int) error {
	size, err := row[traceSize](ctx, w.DB(), "world/size")
	if err != nil {
		return err
	}
	if size.Attempts > smallRun && cores > 1 { // of a smaller one each session has a core of its own
		if err := w.DB().SetThreads(ctx, cores); err != nil {
			return err
		}
	}
	if size.Workers > shortTrace { // each may be a removal, with a row of everything
		if err := w.DB().SetMemoryLimit(ctx, manyWorkersMemory); err != nil {
			return err
		}
	}
	sessions, err := furtherSessions(ctx, w.DB(), cores > 1 && size.most() <= shortTrace)
	if err == nil {
		err = deriveAll(ctx, sessions, w, apps)
	}
	for _, s := range sessions {
		err = errors.Join(err, s.Close())
	}
	return errors.Join(err, w.Flush())
}

// furtherSessions are sessions of their own, so that those that load are not
// asked meanwhile: two where work can be done side by side, else one.
func furtherSessions(ctx context.Context, db *duck.DB, areTwo bool) ([]*duck.DB, error) {
	var out []*duck.DB
	for range 2 {
		s, err := db.Session(ctx)
		if err != nil {
			return out, err
		}
		if out = append(out, s); !areTwo {
			break
		}
	}
	return out, nil
}

// deriveAll fills the derived tables of applications, one after the other.
func deriveAll(ctx context.Context, sessions []*duck.DB, to table.Sink, apps []string) error {
	states := table.NewWriter(result.WorkerStates, to)
	removals, reruns := table.NewWriter(result.Removals, to), table.NewWriter(result.Reruns, to)
	links := table.NewWriter(result.ChainLinks, to)
	for _, app := range apps {
		var e Explanation
		parts := append(costParts(app, &e), part{
			step: &step{},
			do:   func(ctx context.Context, db *duck.DB) error { return workerStates(ctx, db, states, app) },
		})
		if err := explaining(ctx, sessions, parts); err != nil {
			return err
		}
		for i := range e.Removals {
			removals.Append(&e.Removals[i])
		}
		for i := range e.Reruns {
			reruns.Append(&e.Reruns[i])
		}
		for i := range e.Chain {
			links.Append(&e.Chain[i])
		}
	}
	return errors.Join(states.Flush(), removals.Flush(), reruns.Flush(), links.Flush())
}
