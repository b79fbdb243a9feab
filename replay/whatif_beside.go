package replay

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Policies do not depend on each other. So each core asks a world of its own, in
// a database of its own that takes one core: two cores for one query leave half
// of the second one idle.

// besideAttempts is how many attempts of tasks, and as many workers, the worlds may
// have together that are asked at the same time: they are all in memory.
const besideAttempts = 300_000

// ComparesBeside tells whether WhatIf asks worlds of its own, so that this one
// may be asked at the same time.
func (w *World) ComparesBeside(ctx context.Context, cores int) (bool, error) {
	n, err := w.twins(ctx, cores)
	return n > 1, err
}

// askersOf prepares worlds for so many policies: twins of w, or w itself. What
// it has made by an error it returns, too.
func askersOf(ctx context.Context, w *World, opt *WhatIfOptions, policies int) ([]*asker, error) {
	n, err := w.twins(ctx, opt.Cores)
	if err != nil {
		return nil, err
	}
	if n < 2 {
		a := &asker{w: w, opt: opt}
		return []*asker{a}, a.prepare(ctx)
	}
	n = min(n, policies)
	askers := make([]*asker, n)
	err = share(n, n, func(_, i int) error {
		twin, err := w.twin(ctx)
		if err != nil {
			return err
		}
		askers[i] = &asker{w: twin, opt: opt, isOwn: true}
		return askers[i].prepare(ctx)
	})
	return slices.DeleteFunc(askers, func(a *asker) bool { return a == nil }), err
}

// twins is how many worlds are worth asking at the same time.
func (w *World) twins(ctx context.Context, cores int) (int, error) {
	if cores == 0 {
		cores = runtime.GOMAXPROCS(0)
	}
	if cores < 2 || !w.db.CanTwin() {
		return 1, nil
	}
	size, err := row[traceSize](ctx, w.db, "world/size")
	return min(cores, besideAttempts/int(max(size.most(), 1))), err
}

// askAll asks the one question of all policies, then the other: so the world
// that they start from stays the same, and of what the loss queries make of it
// only that is made anew which a policy changes.
func askAll(ctx context.Context, askers []*asker, policies []Chain) ([]*measured, error) {
	byPolicy := make([][]*measured, len(policies))
	err := share(len(askers), len(policies), func(worker, i int) (err error) {
		byPolicy[i], err = askers[worker].anyLoss(ctx, policies[i])
		return err
	})
	parts := slices.Concat(byPolicy...)
	if err != nil || len(askers[0].removals) == 0 {
		return parts, err
	}
	return parts, share(len(askers), len(parts), func(worker, i int) error {
		if refusedAll(parts[i].applied) {
			return nil
		}
		return askers[worker].theseLosses(ctx, parts[i])
	})
}

// share has workers take tasks in their order until there are none left, or one
// has failed. Its error is that of the first task that fails, whoever took it.
func share(workers, tasks int, do func(worker, task int) error) error {
	var next atomic.Int64
	var hasFailed atomic.Bool
	errs := make([]error, tasks)
	var all sync.WaitGroup
	for worker := range workers {
		all.Go(func() {
			// The C library keeps free memory by thread, and a goroutine comes back from
			// a call into DuckDB on whatever thread is free: 8 % of a report's time.
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			for !hasFailed.Load() {
				i := int(next.Add(1)) - 1
				if i >= tasks {
					return
				}
				if errs[i] = do(worker, i); errs[i] != nil {
					hasFailed.Store(true)
				}
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
