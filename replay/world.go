package replay

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tracereplay/internal/duck"
)

// World is a set of tables world.* that every loss query reads, and the tables
// loss.* that were last derived from them. A database holds one world at a time:
// opening the next closes the one before.
type World struct {
	db      *duck.DB
	app     string
	span    Span
	units   Units // whose jumps loss.change holds
	isReady bool  // loss.change is there
	memo    memo
	kept    map[string]map[string]int64 // worlds that are kept: the versions of their tables

	shared   *shared // with its twins
	isBlamed bool    // the tables of the log's removals are there
}

// Span is the time of a run, in ms on the coordinator's clock.
type Span struct {
	StartMs int64 `col:"start_ms"`
	EndMs   int64 `col:"end_ms"`
}

// worldTables are the tables of a world, each made by the file of that name.
func worldTables() []string {
	return []string{
		"world/rules", "world/worker", "world/machine", "world/attempt", "world/dataset", "world/input", "world/need",
		"world/output", "world/holder", "world/residence",
	}
}

// OpenWorld makes the world `recorded` of one application: its tables as the
// trace has them. The trace itself is not changed: a world lives in memory.
func OpenWorld(ctx context.Context, db *duck.DB, app string) (*World, error) {
	if err := run(ctx, db, []string{"world/open"}); err != nil {
		return nil, err
	}
	if err := run(ctx, db, worldTables(), app); err != nil {
		return nil, fmt.Errorf("world of %s: %w", app, err)
	}
	spans, err := rows[Span](ctx, db, "world/span")
	if err != nil {
		return nil, fmt.Errorf("world of %s: %w", app, err)
	}
	if len(spans) != 1 {
		return nil, fmt.Errorf("the trace has no application %q", app)
	}
	w := &World{db: db, app: app, span: spans[0], memo: newMemo(), kept: map[string]map[string]int64{}, shared: &shared{}}
	for _, t := range worldTables() {
		w.memo.changed(strings.ReplaceAll(t, "/", "."))
	}
	return w, nil
}

// twin opens the recorded world of the same application once more, in a database
// of its own: both can be asked at the same time.
func (w *World) twin(ctx context.Context) (*World, error) {
	db, err := w.db.Twin(ctx)
	if err != nil {
		return nil, err
	}
	t, err := OpenWorld(ctx, db, w.app)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	t.shared = w.shared
	return t, nil
}

// App is the application that the world is of.
func (w *World) App() string { return w.app }

// Span is the time of the run.
func (w *World) Span() Span { return w.span }

// Close frees the world's tables.
func (w *World) Close() error {
	return run(context.Background(), w.db, []string{"world/close"})
}
