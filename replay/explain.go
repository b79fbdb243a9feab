package replay

import (
	"context"
	"errors"
	"slices"

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

// explainSteps are the tables that an explanation begins with, in order.
func explainSteps() []string { return slices.Concat(againSteps(), afterAgainSteps()) }

// againSteps find what ran again, and what stood on what a removal took.
func againSteps() []string {
	return []string{
		"explain/piece_attempt", "explain/blame", "explain/output_end", "explain/cut_off", "explain/again", "explain/stood",
	}
}

func afterAgainSteps() []string {
	return []string{"explain/depth", "explain/remade", "explain/hidden", "explain/left_over", "explain/poison"}
}

// costParts make what the removals of an application cost, in e, of the tables of
// explainSteps and of their own. Where two sessions take them, those that much
// waits for come first.
func costParts(app string, e *Explanation) []part {
	parts := []part{{
		step: &step{makes: "explain.freed"},
		do:   func(ctx context.Context, db *duck.DB) error { return freed(ctx, db, app) },
	}}
	for _, name := range slices.Concat(againSteps(), []string{"explain/taken"}, afterAgainSteps(), []string{"explain/redone", "explain/fetched"}) {
		parts = append(parts, partOf(name, app))
	}
	return append(parts,
		partOfRows("explain/removals", app, &e.Removals), partOfRows("explain/tasks", app, &e.Reruns), partOfRows("explain/chain", app, &e.Chain))
}

// partOfRows reads what a file of directory sql answers.
func partOfRows[T any](name, app string, to *[]T) part {
	return part{stepOf(query(name)), func(ctx context.Context, db *duck.DB) (err error) {
		*to, err = rows[T](ctx, db, name, app)
		return err
	}}
}

// Explain tells what the recorded removals of one application cost. It reads
// the trace and works in memory: the trace is not changed.
func Explain(ctx context.Context, db *duck.DB, app string) (*Explanation, error) {
	var e Explanation
	var stories []result.Story
	if err := explaining(ctx, []*duck.DB{db}, append(costParts(app, &e), partOfRows("explain/story", app, &stories))); err != nil {
		return &e, err
	}
	if len(stories) != 1 {
		return &e, errors.New("the trace has no application " + app)
	}
	e.Story = stories[0]
	return &e, nil
}

// explaining takes the parts of an explanation in some sessions.
func explaining(ctx context.Context, sessions []*duck.DB, parts []part) (err error) {
	db := sessions[0]
	if err := run(ctx, db, []string{"explain/open"}); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, run(context.WithoutCancel(ctx), db, []string{"explain/close"})) }()
	return takeParts(ctx, sessions, parts)
}

// Spans tells the time and the width of a run.
func Spans(ctx context.Context, db *duck.DB, app string) ([]result.WorkerSpan, error) {
	return rows[result.WorkerSpan](ctx, db, "explain/span", app)
}
