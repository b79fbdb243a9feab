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

// shortTrace is up to how many task attempts, and as many workers, states and
// explanations are worked out at the same time: each is a hundred small queries
// then, one after the other. Of more, each wants the memory, and all cores, for
// itself.
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
	steps := []func(*duck.DB) error{
		func(db *duck.DB) error { return workerStates(ctx, db, w, apps) },
		func(db *duck.DB) error { return explainAll(ctx, db, w, apps) },
	}
	if err := inSessions(ctx, w.DB(), size.most() <= shortTrace, steps); err != nil {
		return err
	}
	return w.Flush()
}

// inSessions takes steps, each in a session of its own: while one of them reads,
// what another writes is loaded in the first.
func inSessions(ctx context.Context, db *duck.DB, atOnce bool, steps []func(*duck.DB) error) error {
	var all []error
	done := make(chan error)
	for _, step := range steps {
		go func() {
			s, err := db.Session(ctx)
			if err == nil {
				err = errors.Join(step(s), s.Close())
			}
			done <- err
		}()
		if !atOnce {
			all = append(all, <-done)
		}
	}
	for len(all) < len(steps) {
		all = append(all, <-done)
	}
	return errors.Join(all...)
}

// explainAll fills the tables of what each removal cost, and why.
func explainAll(ctx context.Context, db *duck.DB, to table.Sink, apps []string) error {
	removals, reruns := table.NewWriter(result.Removals, to), table.NewWriter(result.Reruns, to)
	links := table.NewWriter(result.ChainLinks, to)
	for _, app := range apps {
		e, err := explainCosts(ctx, db, app)
		if err != nil {
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
	return errors.Join(removals.Flush(), reruns.Flush(), links.Flush())
}
