package replay

import (
	"context"
	"fmt"
	"math"

	"tracereplay/internal/duck"
	"tracereplay/internal/table"
	"tracereplay/replay/result"
	"tracereplay/replay/states"
)

// workerStates writes rows of table worker_state: how the workers of an application
// spent their time.
func workerStates(ctx context.Context, db *duck.DB, w *table.Writer[result.WorkerState], app string) error {
	r, err := openStates(ctx, db, app)
	if err == nil {
		err = r.read(ctx)
	}
	if err != nil {
		return fmt.Errorf("states of the workers of %s: %w", app, err)
	}
	r.write(w)
	return nil
}

// stateReader feeds what the states of an application's workers follow from to
// package states, some rows of the large tables at a time.
type stateReader struct {
	db      *duck.DB
	app     string
	run     Span
	names   []string       // of workers, by number
	numbers map[string]int // of workers, by name
	workers *states.Workers
}

type stateWorker struct {
	Worker string    `col:"worker"`
	FromMs table.I64 `col:"from_ms"`
	ToMs   table.I64 `col:"to_ms"`
}

func openStates(ctx context.Context, db *duck.DB, app string) (*stateReader, error) {
	run, err := row[Span](ctx, db, "states/run", app)
	if err != nil {
		return nil, err
	}
	list, err := rows[stateWorker](ctx, db, "states/worker", app)
	if err != nil {
		return nil, err
	}
	r := &stateReader{db: db, app: app, run: run, numbers: map[string]int{}}
	lives := make([]states.Span, len(list))
	for i, w := range list {
		r.names, r.numbers[w.Worker] = append(r.names, w.Worker), i
		lives[i] = states.Span{From: w.FromMs.Or(run.StartMs), To: min(w.ToMs.Or(run.EndMs), run.EndMs)}
	}
	r.workers = states.New(lives)
	return r, nil
}

// statesAtOnce is how many rows of a table, or pieces of datasets, are in memory
// at once.
const statesAtOnce = 500_000

func (r *stateReader) read(ctx context.Context) error {
	if err := r.readHeld(ctx); err != nil {
		return err
	}
	type batch struct {
		FirstTask int64 `col:"first_task"`
		LastTask  int64 `col:"last_task"`
	}
	batches, err := rows[batch](ctx, r.db, "states/batch", r.app, statesAtOnce)
	if err != nil {
		return err
	}
	for _, b := range batches {
		err := eachRow(ctx, r.db, func(c arrowRow) {
			if n, ok := r.numbers[c.text(0)]; ok {
				r.workers.Ran(n, states.Span{From: c.int(1).V, To: c.int(2).V})
			}
		}, "states/attempt", r.app, b.FirstTask, b.LastTask)
		if err != nil {
			return err
		}
	}
	return nil
}

// neededDataset is a dataset, and while it is needed.
type neededDataset struct {
	dataset, pieces int64
	isCache         bool
	spans           []states.Span
}

// readHeld reads the pieces of all datasets that are needed.
func (r *stateReader) readHeld(ctx context.Context) error {
	needed, err := r.needed(ctx)
	if err != nil || len(needed) == 0 {
		return err
	}
	holders, err := r.holders(ctx)
	if err != nil {
		return err
	}
	for len(needed) > 0 {
		n, pieces := 1, needed[0].pieces
		for n < len(needed) && pieces+needed[n].pieces <= statesAtOnce {
			pieces += needed[n].pieces
			n++
		}
		if err := r.readCopies(ctx, needed[:n], holders); err != nil {
			return err
		}
		needed = needed[n:]
	}
	return nil
}

func (r *stateReader) needed(ctx context.Context) ([]neededDataset, error) {
	type need struct {
		Dataset int64     `col:"dataset"`
		IsCache bool      `col:"is_cache"`
		Pieces  int64     `col:"pieces"`
		FromMs  table.I64 `col:"from_ms"`
		ToMs    int64     `col:"to_ms"`
	}
	list, err := rows[need](ctx, r.db, "states/need", r.app)
	var out []neededDataset
	for _, x := range list {
		if n := len(out); n == 0 || out[n-1].dataset != x.Dataset {
			out = append(out, neededDataset{dataset: x.Dataset, pieces: x.Pieces, isCache: x.IsCache})
		}
		d := &out[len(out)-1]
		d.spans = append(d.spans, states.Span{From: x.FromMs.Or(r.run.StartMs), To: x.ToMs})
	}
	return out, err
}

// holders are those that die with a worker alone, and its number.
func (r *stateReader) holders(ctx context.Context) (map[string]int, error) {
	type holder struct {
		Holder string `col:"holder"`
		Worker string `col:"worker"`
	}
	list, err := rows[holder](ctx, r.db, "states/holder", r.app)
	out := map[string]int{}
	for _, h := range list {
		if n, ok := r.numbers[h.Worker]; ok {
			out[h.Holder] = n
		}
	}
	return out, err
}

func (r *stateReader) readCopies(ctx context.Context, needed []neededDataset, holders map[string]int) error {
	copies := make(map[int64][]states.Copy, len(needed))
	for _, d := range needed {
		copies[d.dataset] = nil
	}
	err := eachRow(ctx, r.db, func(c arrowRow) {
		dataset := c.int(0).V
		of, isNeeded := copies[dataset]
		if !isNeeded {
			return
		}
		worker, ok := holders[c.text(2)]
		if !ok {
			worker = states.None
		}
		copies[dataset] = append(of, states.Copy{
			Partition: c.int(1).V, Worker: worker, Span: states.Span{From: c.int(3).V, To: c.int(4).Or(math.MaxInt64)},
		})
	}, "states/copy", r.app, needed[0].dataset, needed[len(needed)-1].dataset)
	if err != nil {
		return err
	}
	for _, d := range needed {
		r.workers.Held(copies[d.dataset], d.isCache, d.spans)
	}
	return nil
}

func (r *stateReader) write(w *table.Writer[result.WorkerState]) {
	for i, name := range r.names {
		for _, s := range r.workers.States(i) {
			w.Append(&result.WorkerState{App: r.app, Worker: name, FromMs: s.From, ToMs: s.To, State: string(s.State)})
		}
	}
}
