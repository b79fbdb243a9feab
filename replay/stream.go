package replay

import (
	"context"
	"errors"
	"fmt"

	"tracereplay/internal/duck"
	"tracereplay/internal/table"
	"tracereplay/replay/result"
)

// Streaming is what losses cost the streaming queries of a run. A run without
// such queries has no rows.
type Streaming struct {
	Queries []result.StreamQuery
	Batches []result.StreamBatch
	Losses  []result.StreamLoss // every unit's worst instant in each batch
}

// streamSteps are the tables that questions about streaming rest on, in order.
func streamSteps() []string {
	return []string{"stream/run", "stream/job", "stream/size", "stream/batch", "stream/standing", "stream/load"}
}

// Stream tells of the streaming queries of a world: what losing each of the
// units asked for costs in each batch, what state stands where, and what a
// restart of the coordinator reads again.
func Stream(ctx context.Context, w *World, u Units) (*Streaming, error) {
	var s Streaming
	err := withStream(ctx, w.db, w.app, func() (err error) {
		if s.Queries, err = rows[result.StreamQuery](ctx, w.db, "stream/queries", w.app); err != nil || len(s.Queries) == 0 {
			return err
		}
		if s.Batches, err = rows[result.StreamBatch](ctx, w.db, "stream/batches"); err != nil {
			return err
		}
		s.Losses, err = streamLosses(ctx, w, u)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("streaming queries of %s: %w", w.app, err)
	}
	return &s, nil
}

// StreamQueries are the streaming queries of a run in figures.
func StreamQueries(ctx context.Context, w *World) (all []result.StreamQuery, err error) {
	err = withStream(ctx, w.db, w.app, func() (err error) {
		all, err = rows[result.StreamQuery](ctx, w.db, "stream/queries", w.app)
		return err
	})
	return all, err
}

// StreamUsual are the streaming queries of a run, and what their batches are
// like as far as policies change it.
func StreamUsual(ctx context.Context, w *World, u Units) (queries []result.StreamQuery, usual []result.StreamUsual, err error) {
	err = withStream(ctx, w.db, w.app, func() (err error) {
		if queries, err = rows[result.StreamQuery](ctx, w.db, "stream/queries", w.app); err != nil || len(queries) == 0 {
			return err
		}
		if err := w.curve(ctx, u); err != nil {
			return err
		}
		if err := run(ctx, w.db, []string{"stream/asked_batches", "stream/held"}); err != nil {
			return err
		}
		usual, err = rows[result.StreamUsual](ctx, w.db, "stream/usual", w.app)
		return err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("usual batches of %s: %w", w.app, err)
	}
	return queries, usual, nil
}

// StreamAt is what Blast tells of the units and instants asked for, and the
// state that stands there then.
func StreamAt(ctx context.Context, w *World, opt BlastOptions) (lost []result.Blast, state []result.StreamState, err error) {
	if lost, err = Blast(ctx, w, opt); err != nil {
		return nil, nil, err
	}
	state, err = stateAt(ctx, w)
	return lost, state, err
}

// stateAt is the state that stands at the units and instants of loss.asked.
func stateAt(ctx context.Context, w *World) (state []result.StreamState, err error) {
	err = withStream(ctx, w.db, w.app, func() (err error) {
		if err := run(ctx, w.db, []string{"stream/held"}); err != nil {
			return err
		}
		state, err = rows[result.StreamState](ctx, w.db, "stream/at")
		return err
	})
	return state, err
}

// stateLost fills in what losses take of the state of streaming queries, of all
// of them together. A size or a time that is not known of one of them is not
// known of their sum. A finite job is left as it is.
func stateLost(ctx context.Context, w *World, lost []result.Blast) error {
	type count struct {
		Queries int64 `col:"queries"`
	}
	n, err := rows[count](ctx, w.db, "stream/count", w.app)
	if err != nil || len(n) == 0 || n[0].Queries == 0 {
		return err
	}
	state, err := stateAt(ctx, w)
	if err != nil {
		return fmt.Errorf("state that losses take: %w", err)
	}
	of := make(map[unitAt]*result.Blast, len(lost))
	for i := range lost {
		of[unitAt{lost[i].UnitKind, lost[i].Unit, lost[i].InstantMs}] = &lost[i]
	}
	for i := range state {
		s := &state[i]
		if l := of[unitAt{s.UnitKind, s.Unit, s.InstantMs}]; l != nil {
			l.StatePartitions += s.StatePartitions
			l.StateBytes, l.StateLoadMs = plus(l.StateBytes, s.StateBytes), plus(l.StateLoadMs, s.StateLoadMs)
		}
	}
	return nil
}

// plus is a sum that is not known unless both parts are.
func plus(a, b table.I64) table.I64 { return table.I64{V: a.V + b.V, OK: a.OK && b.OK} }

// withStream makes the tables of schema stream, and frees them after f.
func withStream(ctx context.Context, db *duck.DB, app string, f func() error) (err error) {
	if err := run(ctx, db, []string{"stream/open"}); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, run(context.WithoutCancel(ctx), db, []string{"stream/close"})) }()
	for _, step := range streamSteps() {
		var args []any
		if step != "stream/load" {
			args = append(args, app)
		}
		if err := run(ctx, db, []string{step}, args...); err != nil {
			return err
		}
	}
	return f()
}

// unitAt names what a row of a loss is about.
type unitAt struct {
	kind, unit string
	ms         int64
}

// worstInBatch is a row of stream/losses.sql.
type worstInBatch struct {
	App             string    `col:"app"`
	Query           string    `col:"query"`
	QueryRun        string    `col:"query_run"`
	Batch           int64     `col:"batch"`
	UnitKind        string    `col:"unit_kind"`
	Unit            string    `col:"unit"`
	IsCoordinator   bool      `col:"is_coordinator"`
	InstantMs       int64     `col:"instant_ms"`
	UntilMs         int64     `col:"until_ms"`
	SupremumMs      int64     `col:"supremum_ms"`
	StatePartitions int64     `col:"state_partitions"`
	StateBytes      table.I64 `col:"state_bytes"`
	StateLoadMs     table.I64 `col:"state_load_ms"`
}

// streamLosses measures every unit at its worst instant in each batch.
func streamLosses(ctx context.Context, w *World, u Units) ([]result.StreamLoss, error) {
	if err := w.curve(ctx, u); err != nil {
		return nil, err
	}
	if err := run(ctx, w.db, []string{"stream/asked_batches", "stream/held"}); err != nil {
		return nil, err
	}
	if err := run(ctx, w.db, atInstants()); err != nil {
		return nil, err
	}
	blast, err := rows[result.Blast](ctx, w.db, "result/blast")
	if err != nil {
		return nil, err
	}
	parts := make(map[unitAt]*result.Blast, len(blast))
	for i := range blast {
		parts[unitAt{blast[i].UnitKind, blast[i].Unit, blast[i].InstantMs}] = &blast[i]
	}
	worst, err := rows[worstInBatch](ctx, w.db, "stream/losses")
	if err != nil {
		return nil, err
	}
	losses := make([]result.StreamLoss, len(worst))
	for i, x := range worst {
		b := parts[unitAt{x.UnitKind, x.Unit, x.InstantMs}]
		if b == nil {
			return nil, fmt.Errorf("%s %s has no loss at %d ms", x.UnitKind, x.Unit, x.InstantMs)
		}
		l := &losses[i]
		l.App, l.Query, l.QueryRun, l.Batch = x.App, x.Query, x.QueryRun, x.Batch
		l.UnitKind, l.Unit, l.IsCoordinator = x.UnitKind, x.Unit, x.IsCoordinator
		l.InstantMs, l.UntilMs, l.SupremumMs = x.InstantMs, x.UntilMs, x.SupremumMs
		l.StatePartitions, l.StateBytes, l.StateLoadMs = x.StatePartitions, x.StateBytes, x.StateLoadMs
		l.InFlightTasks, l.InFlightMs, l.OwedOutputs, l.OwedMs = b.InFlightTasks, b.InFlightMs, b.OwedOutputs, b.OwedMs
		l.ClimbOutputs, l.ClimbMs, l.CachedMs = b.ClimbOutputs, b.ClimbMs, b.CachedMs
		l.RecomputeMs, l.RecomputeLowMs, l.OldestLostAgeMs, l.Known = b.RecomputeMs, b.RecomputeLowMs, b.OldestLostAgeMs, b.Known
	}
	return losses, nil
}
