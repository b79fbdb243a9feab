package replay

import (
	"context"
	"errors"

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
	if size.most() > shortTrace {
		if err := WriteWorkerStates(ctx, w.DB(), apps); err != nil {
			return err
		}
		if err := run(ctx, w.DB(), []string{"world/close"}); err != nil {
			return err
		}
		return explainAll(ctx, w, apps)
	}
	beside, err := w.DB().Session(ctx)
	if err != nil {
		return err
	}
	states := make(chan error, 1)
	go func() {
		err := WriteWorkerStates(ctx, beside, apps)
		states <- errors.Join(err, beside.Close())
	}()
	return errors.Join(explainAll(ctx, w, apps), <-states)
}

// explainAll fills the tables of what each removal cost, and why.
func explainAll(ctx context.Context, w *TraceWriter, apps []string) error {
	removals, reruns := table.NewWriter(result.Removals, w), table.NewWriter(result.Reruns, w)
	links := table.NewWriter(result.ChainLinks, w)
	for _, app := range apps {
		e, err := explainCosts(ctx, w.DB(), app)
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
	for _, flush := range []func() error{removals.Flush, reruns.Flush, links.Flush, w.Flush} {
		if err := flush(); err != nil {
			return err
		}
	}
	return nil
}
