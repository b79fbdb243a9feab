package replay

import (
	"context"
	"errors"

	"tracereplay/internal/duck"
	"tracereplay/replay/result"
)

// Explanation is what the recorded removals of a run cost, and why finished
// work ran again.
type Explanation struct {
	Story    result.Story
	Removals []result.Removal
	Reruns   []result.Rerun
	Chain    []result.ChainLink
}

// explainSteps are the tables that an explanation is made of, in order; freed
// makes the last ones.
func explainSteps() []string {
	return []string{
		"explain/piece_attempt", "explain/output_end", "explain/blame", "explain/cut_off", "explain/again", "explain/stood", "explain/depth",
		"explain/remade", "explain/hidden", "explain/left_over", "explain/poison",
	}
}

// Explain tells what the recorded removals of one application cost. It reads
// the trace and works in memory: the trace is not changed.
func Explain(ctx context.Context, db *duck.DB, app string) (*Explanation, error) {
	var e Explanation
	err := explaining(ctx, db, app, func() error {
		stories, err := rows[result.Story](ctx, db, "explain/story", app)
		if err != nil {
			return err
		}
		if len(stories) != 1 {
			return errors.New("the trace has no application " + app)
		}
		e.Story = stories[0]
		return e.read(ctx, db, app)
	})
	return &e, err
}

// explainCosts is Explain without the story, for the tables of a trace.
func explainCosts(ctx context.Context, db *duck.DB, app string) (*Explanation, error) {
	var e Explanation
	err := explaining(ctx, db, app, func() error { return e.read(ctx, db, app) })
	return &e, err
}

// explaining calls f while the tables of an explanation are there.
func explaining(ctx context.Context, db *duck.DB, app string, f func() error) (err error) {
	if err := run(ctx, db, []string{"explain/open"}); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, run(context.WithoutCancel(ctx), db, []string{"explain/close"})) }()
	if err := run(ctx, db, explainSteps(), app); err != nil {
		return err
	}
	if err := freed(ctx, db, app); err != nil {
		return err
	}
	return f()
}

// read reads all but the story.
func (e *Explanation) read(ctx context.Context, db *duck.DB, app string) (err error) {
	if err := run(ctx, db, []string{"explain/taken", "explain/redone"}, app); err != nil {
		return err
	}
	if e.Removals, err = rows[result.Removal](ctx, db, "explain/removals", app); err != nil {
		return err
	}
	if e.Reruns, err = rows[result.Rerun](ctx, db, "explain/tasks", app); err != nil {
		return err
	}
	e.Chain, err = rows[result.ChainLink](ctx, db, "explain/chain", app)
	return err
}

// Spans tells the time and the width of a run.
func Spans(ctx context.Context, db *duck.DB, app string) ([]result.WorkerSpan, error) {
	return rows[result.WorkerSpan](ctx, db, "explain/span", app)
}
