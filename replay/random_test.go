package replay_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"tracereplay/internal/duck"
	"tracereplay/internal/table"
	"tracereplay/lineage"
	"tracereplay/replay"
	"tracereplay/replay/result"
)

// randomRun makes up a small trace that need make no sense: outputs with any
// number of copies that come and go, needs at any time, tasks that make blocks
// and map outputs at once. What the queries make of it is defined all the same.
func randomRun(seed uint64) *drawn {
	r := &randomiser{rand.New(rand.NewPCG(seed, 3)), &drawn{end: 30, made: map[string]int64{}, placed: map[string]bool{}}}
	r.cluster()
	r.lineage()
	for task := range int64(r.IntN(22)) {
		r.task(task)
	}
	return r.drawn
}

type randomiser struct {
	*rand.Rand
	*drawn
}

func (r *randomiser) chance(p float64) bool { return r.Float64() < p }
func (r *randomiser) instant() int64        { return r.Int64N(r.end) }

// some is an instant, or null.
func (r *randomiser) some(p float64) table.I64 {
	if r.chance(p) {
		return table.Some(r.instant())
	}
	return table.I64{}
}

func (r *randomiser) known() string {
	return []string{lineage.Logged, lineage.Derived, lineage.Inferred, lineage.Bound}[r.IntN(4)]
}

func (r *randomiser) cluster() {
	r.worker(row{"worker": "driver", "machine": fmt.Sprintf("m%d", r.IntN(4)), "coordinator": "yes"})
	for i := range 1 + r.IntN(4) {
		w := row{"worker": fmt.Sprint(i), "machine": fmt.Sprintf("m%d", r.IntN(3))}
		if r.chance(0.1) {
			delete(w, "machine")
		}
		if r.chance(0.3) {
			w["from"] = fmt.Sprint(r.IntN(10))
		}
		if r.chance(0.3) {
			w["to"] = fmt.Sprint(12 + r.IntN(20))
		}
		r.worker(w)
	}
	if r.chance(0.4) {
		r.holder(row{"holder": "service:s1", "dies_with": "service", "service": "s1"})
		r.holder(row{"holder": "store", "dies_with": "never"})
	}
}

func (r *randomiser) lineage() {
	for d := range int64(1 + r.IntN(6)) {
		kind := "shuffle"
		if r.chance(0.35) {
			kind = "cache"
		}
		r.datasets = append(r.datasets, lineage.DatasetRow{App: drawnApp, Dataset: d, Kind: kind, Rollback: r.chance(0.15), Known: r.known()})
		for in := range d {
			if r.chance(0.4) {
				r.inputs = append(r.inputs, lineage.InputRow{App: drawnApp, Dataset: d, Input: in, Known: lineage.Derived})
			}
		}
		for range r.IntN(3) {
			n := lineage.NeedRow{
				App: drawnApp, Dataset: d, Stage: r.Int64N(6), StageAttempt: r.Int64N(2), FromMs: r.some(0.3), SubmitMs: r.some(0.7),
				LastStartMs: r.some(0.6), UntilMs: r.instant(), Known: lineage.Derived,
			}
			if r.chance(0.7) {
				n.Dense = table.Some(r.chance(0.7))
			}
			r.needs = append(r.needs, n)
		}
	}
}

// task runs somewhere and makes an output of a shuffle, blocks of caches, or both.
func (r *randomiser) task(id int64) {
	a := lineage.AttemptRow{App: drawnApp, Task: id, Stage: r.Int64N(6), StageAttempt: r.Int64N(2), Worker: r.workers[r.IntN(len(r.workers))].Worker, StartMs: r.instant(), Ended: true, Status: "success"}
	a.EndMs = min(r.end, a.StartMs+r.Int64N(12))
	r.attempts = append(r.attempts, a)
	hasShuffle := false
	for _, d := range r.datasets {
		switch {
		case d.Kind == "shuffle" && !hasShuffle && r.chance(0.4):
			hasShuffle = true
			r.makes(&a, d.Dataset, true)
		case d.Kind == "cache" && r.chance(0.4):
			r.makes(&a, d.Dataset, r.chance(0.7))
		}
	}
}

func (r *randomiser) makes(a *lineage.AttemptRow, dataset int64, knowsTask bool) {
	o := lineage.OutputRow{
		App: drawnApp, Output: int64(len(r.outputs)), Dataset: dataset, Partition: r.Int64N(4), Stage: table.Some(a.Stage), StageAttempt: table.Some(a.StageAttempt),
		Worker: a.Worker, MadeMs: a.EndMs - r.Int64N(2), CostMs: 1 + r.Int64N(50), Known: r.known(),
	}
	if knowsTask {
		o.Task = table.Some(a.Task)
	}
	if r.chance(0.7) {
		o.Bytes = table.Some(r.Int64N(9))
	}
	r.outputs = append(r.outputs, o)
	for _, h := range r.Perm(len(r.holders))[:min(len(r.holders), []int{0, 1, 1, 1, 1, 2, 3}[r.IntN(7)])] {
		x := lineage.ResidenceRow{App: drawnApp, Output: o.Output, Holder: r.holders[h].Holder, FromMs: o.MadeMs, Known: r.known()}
		if r.chance(0.3) {
			x.FromMs = r.instant()
		}
		if r.chance(0.4) {
			x.ToMs = table.Some(x.FromMs + r.Int64N(20))
		}
		r.residences = append(r.residences, x)
	}
}

// TestAgainstPlain compares every figure of every unit at every instant with
// what looping over the world finds, on runs that are made up.
func TestAgainstPlain(t *testing.T) {
	overRandomRuns(t, worldSpecs(), 150, func(db *duck.DB) string { return againstPlain(t, db) })
}

// overRandomRuns calls f with the tables of so many runs that are made up, a
// seventh of them in a short test; f tells what is wrong.
func overRandomRuns(t *testing.T, specs map[string]*table.Spec, seeds uint64, f func(*duck.DB) string) {
	t.Helper()
	if testing.Short() {
		seeds /= 7
	}
	db := openEmpty(t, specs)
	for seed := range seeds {
		for name := range specs {
			if err := db.Exec(t.Context(), "DELETE FROM "+duck.Quote(name)); err != nil {
				t.Fatal(err)
			}
		}
		if err := randomRun(seed).write(db); err != nil {
			t.Fatal(err)
		}
		if d := f(db); d != "" {
			t.Fatalf("seed %d: %s", seed, d)
		}
	}
}

// againstPlain tells the first difference over all units and instants.
func againstPlain(t *testing.T, db *duck.DB) string {
	t.Helper()
	ctx := context.Background()
	w, err := replay.OpenWorld(ctx, db, drawnApp)
	if err != nil {
		t.Fatal(err)
	}
	p := readPlain(t, db)
	units := map[[2]string]*plainUnit{}
	instants := 0
	for _, u := range p.units() {
		units[[2]string{u.kind, u.name}] = u
		instants += int(u.to - u.from)
	}
	all, err := replay.Blast(ctx, w, replay.BlastOptions{Grid: int(p.endMs - p.startMs)})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != instants {
		return fmt.Sprintf("%d rows, want %d", len(all), instants)
	}
	states := map[int64]*plainState{}
	for _, got := range all {
		s := states[got.InstantMs]
		if s == nil {
			s = p.at(got.InstantMs)
			states[got.InstantMs] = s
		}
		want := s.lose(units[[2]string{got.UnitKind, got.Unit}]).figures()
		want.App, want.UntilMs, want.SupremumMs, want.IsCoordinatorsHost = got.App, got.UntilMs, got.SupremumMs, got.IsCoordinatorsHost
		if d := gocmp.Diff(want, got); d != "" {
			return fmt.Sprintf("%s %s at %d: -plain +sql\n%s", got.UnitKind, got.Unit, got.InstantMs, d)
		}
	}
	return curveAgrees(t, w, all)
}

// curveAgrees checks the curve, and what is read off it, against the rows of
// every instant.
func curveAgrees(t *testing.T, w *replay.World, all []result.Blast) string {
	t.Helper()
	curve, err := replay.Curve(context.Background(), w, replay.Units{})
	if err != nil {
		t.Fatal(err)
	}
	i := 0
	for _, got := range all {
		for i < len(curve) && (curve[i].UnitKind != got.UnitKind || curve[i].Unit != got.Unit || curve[i].UntilMs <= got.InstantMs) {
			i++
		}
		if i == len(curve) || curve[i].InstantMs > got.InstantMs {
			return fmt.Sprintf("the curve has no interval for %s %s at %d", got.UnitKind, got.Unit, got.InstantMs)
		}
		c := curve[i]
		grown := c.InFlightTasks * (got.InstantMs - c.InstantMs)
		if c.RecomputeMs+grown != got.RecomputeMs || c.RecomputeLowMs+grown != got.RecomputeLowMs || c.UntilMs != got.UntilMs {
			return fmt.Sprintf("the curve of %s %s at %d: %+v, want %d to %d until %d", got.UnitKind, got.Unit, got.InstantMs, c, got.RecomputeLowMs, got.RecomputeMs, got.UntilMs)
		}
	}
	return curvesAgree(t, w, curve)
}

// curvesAgree checks that the curve as SQL and that of package curve are one.
func curvesAgree(t *testing.T, w *replay.World, rows []result.Curve) string {
	t.Helper()
	s, err := replay.Curves(context.Background(), w)
	if err != nil {
		t.Fatal(err)
	}
	var all []result.Curve
	for _, c := range s.Curves {
		for _, i := range c.Intervals {
			all = append(all, result.Curve{
				UnitKind: c.Kind, Unit: c.Name, IsCoordinator: c.IsCoordinator, InstantMs: i.FromMs, UntilMs: i.ToMs, InFlightTasks: i.Tasks,
				RecomputeMs: i.Ms, RecomputeLowMs: i.LowMs, SupremumMs: i.Ms + i.Tasks*(i.ToMs-i.FromMs),
			})
		}
	}
	return gocmp.Diff(rows, all)
}
