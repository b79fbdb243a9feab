// Package gather asks a trace all that a report shows: the loss queries of
// package replay, and the small queries of its own directory sql for what the
// trace says outright. What comes out is analysis.Inputs.
package gather

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"time"

	"tracereplay/analysis"
	"tracereplay/internal/duck"
	"tracereplay/internal/human"
	"tracereplay/internal/table"
	"tracereplay/replay"
)

//go:embed sql
var queries embed.FS

// rows answers a query of directory sql.
func rows[T any](ctx context.Context, db *duck.DB, name string, args ...any) ([]T, error) {
	text, err := queries.ReadFile("sql/" + name + ".sql")
	if err != nil {
		panic("gather: " + err.Error())
	}
	out, err := duck.Query[T](ctx, db, string(text), args...)
	if err != nil {
		return nil, fmt.Errorf("query %s: %w", name, duck.Brief(err))
	}
	return out, nil
}

// Options say what to gather beyond the trace itself.
type Options struct {
	App     string // key of the application
	Zone    *time.Location
	Command string // that makes the same report again
	Notes   []string
	View    analysis.View // the zero value is the whole run
	Unit    string        // one unit for figures over time, "" all; then its kind
	Kind    string

	Policies []replay.Chain // to compare; none: no section about policies
	IsUsual  bool           // they are the usual ones, that nobody asked for
	Rate     table.Opt[float64]
	Price    table.Opt[replay.Price]
	Losses   LossRate
	Cores    int // that may be used; 0 all
}

// gatherer is one application's trace being asked.
type gatherer struct {
	db  *duck.DB
	w   *replay.World
	app string
	opt Options
	in  *analysis.Inputs

	compare  func() (*comparison, error) // of policies; works once, whoever calls
	isBeside bool                        // it is under way while all else is asked
}

// Inputs gathers all that a report of one application shows.
func Inputs(ctx context.Context, t *replay.Trace, opt Options) (_ *analysis.Inputs, err error) {
	g := gatherer{db: t.DB(), app: opt.App, opt: opt, in: &analysis.Inputs{
		Clock: human.ClockIn(opt.Zone), Command: opt.Command, Notes: opt.Notes, View: opt.View, HasApps: len(t.Apps) > 1,
	}}
	ctx, cancel := context.WithCancel(ctx)
	defer func() {
		cancel()
		if g.isBeside {
			_, _ = g.compare() // an error was told, or is of being cancelled
		}
		if g.w != nil {
			err = errors.Join(err, g.w.Close())
		}
	}()
	for _, step := range []func(context.Context) error{
		g.run, g.open, g.jobs, g.stages, g.storage, g.problems, g.checks, g.removals, g.timeline, g.chain, g.losses, g.simulation, g.states, g.holdings, g.streams, g.policies,
	} {
		if err := step(ctx); err != nil {
			return nil, fmt.Errorf("report of %s: %w", opt.App, err)
		}
	}
	return g.in, nil
}
