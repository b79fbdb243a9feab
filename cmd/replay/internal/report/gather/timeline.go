package gather

import (
	"context"
	"errors"
	"fmt"

	"tracereplay/analysis"
	"tracereplay/internal/duck"
	"tracereplay/internal/human"
	"tracereplay/internal/table"
	"tracereplay/replay"
)

// Losses gathers only what the figures about recorded losses show: the
// timeline and the chain. It takes no curves and is quick.
func Losses(ctx context.Context, t *replay.Trace, opt Options) (*analysis.Inputs, error) {
	g := gatherer{db: t.DB(), app: opt.App, opt: opt, in: &analysis.Inputs{
		Clock: human.ClockIn(opt.Zone), View: opt.View, Kind: opt.Kind, Unit: opt.Unit,
	}}
	for _, step := range []func(context.Context) error{g.run, g.removals, g.timeline, g.chain} {
		if err := step(ctx); err != nil {
			return nil, fmt.Errorf("losses of %s: %w", opt.App, err)
		}
	}
	return g.in, nil
}

// placeRow is a row of sql/timeline_places.sql.
type placeRow struct {
	Place    string `col:"place"`
	Rank     int64  `col:"rank"`
	IsWorker bool   `col:"is_worker"`
	Lost     string `col:"lost"`
	Tasks    int64  `col:"tasks"`
}

// workerRow is a row of sql/timeline_worker.sql.
type workerRow struct {
	Place  string `col:"place"`
	Worker string `col:"worker"`
	FromMs int64  `col:"from_ms"`
	ToMs   int64  `col:"to_ms"`
	Slots  int64  `col:"slots"`
}

// attemptRow is a row of sql/timeline_attempt.sql.
type attemptRow struct {
	Place        string    `col:"place"`
	Worker       string    `col:"worker"`
	Task         int64     `col:"task"`
	Stage        int64     `col:"stage"`
	StageAttempt int64     `col:"stage_attempt"`
	Partition    table.I64 `col:"partition"`
	FromMs       int64     `col:"from_ms"`
	ToMs         int64     `col:"to_ms"`
	What         string    `col:"what"`
	Why          string    `col:"why"`
	Removal      table.I64 `col:"removal"`
	Status       string    `col:"status"`
}

// busyRow is a row of sql/timeline_busy.sql.
type busyRow struct {
	Place string  `col:"place"`
	Bin   int64   `col:"bin"`
	What  string  `col:"what"`
	Slots float64 `col:"slots"`
}

// bankedRow is a row of sql/timeline_banked.sql.
type bankedRow struct {
	Place  string  `col:"place"`
	Bin    int64   `col:"bin"`
	Needed float64 `col:"needed_ms"`
	Done   float64 `col:"done_ms"`
}

// timeline asks what ran where: of the places that matter most, one attempt at
// a time unless there are too many.
func (g *gatherer) timeline(ctx context.Context) error {
	v := g.view()
	for _, name := range []string{"timeline_place", "timeline_run"} {
		if err := exec(ctx, g.db, name, g.app, v.FromMs, v.ToMs, g.opt.Kind, g.opt.Unit); err != nil {
			return err
		}
	}
	places, err := rows[placeRow](ctx, g.db, "timeline_places")
	if err != nil {
		return err
	}
	t := &analysis.TimelineInputs{Total: len(places), Bins: g.bins(analysis.MaxTimelinePlaces).n}
	g.in.Timeline = t
	at := make(map[string]int)
	var tasks int64
	for _, p := range places[:min(len(places), analysis.MaxTimelinePlaces)] {
		at[p.Place] = len(t.Places)
		t.Places = append(t.Places, analysis.TimelineSource{Name: p.Place, IsWorker: p.IsWorker, Lost: p.Lost, Tasks: p.Tasks})
		tasks += p.Tasks
	}
	workers, err := rows[workerRow](ctx, g.db, "timeline_worker", g.app, g.opt.Kind, g.opt.Unit)
	for _, w := range workers {
		if i, ok := at[w.Place]; ok {
			t.Places[i].Workers = append(t.Places[i].Workers, analysis.TimelineWorker{Worker: w.Worker, FromMs: w.FromMs, ToMs: w.ToMs, Slots: w.Slots})
		}
	}
	if tasks <= analysis.MaxTimelineAttempts {
		err = errors.Join(err, g.attempts(ctx, t))
	}
	return errors.Join(err, g.areas(ctx, t))
}

func (g *gatherer) attempts(ctx context.Context, t *analysis.TimelineInputs) error {
	all, err := rows[attemptRow](ctx, g.db, "timeline_attempt", int64(len(t.Places)))
	t.Attempts = make([]analysis.TimelineRun, 0, len(all))
	for _, a := range all {
		t.Attempts = append(t.Attempts, analysis.TimelineRun{
			Place: a.Place, Worker: a.Worker, Task: a.Task, Stage: a.Stage, StageAttempt: a.StageAttempt, Partition: a.Partition,
			FromMs: a.FromMs, ToMs: a.ToMs, What: a.What, Why: a.Why, EndState: a.Status, Removal: a.Removal,
		})
	}
	return err
}

func (g *gatherer) areas(ctx context.Context, t *analysis.TimelineInputs) error {
	v, n := g.view(), int64(len(t.Places))
	busy, err := rows[busyRow](ctx, g.db, "timeline_busy", v.FromMs, v.ToMs, t.Bins, n)
	for _, b := range busy {
		t.Busy = append(t.Busy, analysis.TimelineBusy(b))
	}
	banked, err2 := rows[bankedRow](ctx, g.db, "timeline_banked", g.app, v.FromMs, v.ToMs, t.Bins, n)
	for _, b := range banked {
		t.Banked = append(t.Banked, analysis.TimelineBanked(b))
	}
	return errors.Join(err, err2)
}

// linkRow is a row of sql/chain.sql.
type linkRow struct {
	Removal    int64     `col:"removal"`
	Dataset    int64     `col:"dataset"`
	Name       string    `col:"name"`
	Level      int64     `col:"level"`
	For        string    `col:"for_datasets"`
	IsOwed     bool      `col:"is_owed"`
	Readers    string    `col:"readers"`
	Pieces     int64     `col:"pieces"`
	Partitions table.I64 `col:"partitions"`
	MadeFrom   int64     `col:"first_made_ms"`
	MadeTo     int64     `col:"last_made_ms"`
	FromMs     int64     `col:"again_from_ms"`
	ToMs       int64     `col:"again_to_ms"`
	AgainMs    int64     `col:"again_ms"`
	Stages     string    `col:"stages"`
}

// chain asks for the way back that re-runs took.
func (g *gatherer) chain(ctx context.Context) error {
	all, err := rows[linkRow](ctx, g.db, "chain", g.app)
	for _, l := range all {
		g.in.Chain = append(g.in.Chain, analysis.ChainLink(l))
	}
	return err
}

// exec runs a query of directory sql that answers nothing.
func exec(ctx context.Context, db *duck.DB, name string, args ...any) error {
	text, err := queries.ReadFile("sql/" + name + ".sql")
	if err != nil {
		panic("gather: " + err.Error())
	}
	if err := db.Exec(ctx, string(text), args...); err != nil {
		return fmt.Errorf("query %s: %w", name, err)
	}
	return nil
}
