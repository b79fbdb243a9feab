package replay_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/google/go-cmp/cmp"

	"tracereplay/ingest"
	"tracereplay/ingest/spark"
	"tracereplay/internal/duck"
	"tracereplay/internal/naive"
	"tracereplay/internal/sparkgen"
	"tracereplay/internal/table"
	"tracereplay/lineage"
	"tracereplay/replay"
	"tracereplay/replay/result"
)

// tee hands records to the second implementation, and those that a world is
// made of to a trace.
type tee struct {
	rows  *naive.Rows
	db    *duck.DB
	world map[string]*table.Spec
}

func (s *tee) Write(spec *table.Spec, rec arrow.Record) error {
	if s.world[spec.Name] != nil {
		if err := s.db.Write(spec, rec); err != nil {
			return err
		}
	}
	return s.rows.Write(spec, rec)
}

// tableSink keeps the tables that a world is made of.
type tableSink struct {
	db    *duck.DB
	world map[string]*table.Spec
}

func (s *tableSink) Write(spec *table.Spec, rec arrow.Record) error {
	if s.world[spec.Name] == nil {
		return nil
	}
	return s.db.Write(spec, rec)
}

// worldSpecs are the tables of a trace that a world is made of.
func worldSpecs() map[string]*table.Spec {
	out := map[string]*table.Spec{}
	for _, s := range []*table.Spec{
		&ingest.Apps.Spec, &ingest.Jobs.Spec, &ingest.Workers.Spec, &ingest.Machines.Spec, &lineage.Datasets.Spec, &lineage.Inputs.Spec, &lineage.Needs.Spec,
		&lineage.Attempts.Spec, &lineage.Outputs.Spec, &lineage.Holders.Spec, &lineage.Residences.Spec,
	} {
		out[s.Name] = s
	}
	return out
}

// openEmpty makes a trace with these tables.
func openEmpty(tb testing.TB, specs map[string]*table.Spec) *duck.DB {
	tb.Helper()
	ctx := context.Background()
	db, err := duck.Open(ctx, duck.Memory, duck.Options{Threads: 1})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Error(err)
		}
	})
	for _, s := range specs {
		if err := db.CreateTable(ctx, s); err != nil {
			tb.Fatal(err)
		}
	}
	return db
}

// record reads a log into both.
func (s *tee) record(log []byte) (ingest.Summary, error) {
	for name := range s.world {
		if err := s.db.Exec(context.Background(), "DELETE FROM "+duck.Quote(name)); err != nil {
			return ingest.Summary{}, err
		}
	}
	var batch ingest.Batch
	spark.NewDecoder(spark.Options{}).Decode(&batch, log, "gen", 0, 1, 1, false)
	rec := ingest.NewRecorder(ingest.RecorderOptions{Log: 1, LogName: "gen", Sink: s, Listener: lineage.NewBuilder(s)})
	if err := rec.Batch(&batch); err != nil {
		return ingest.Summary{}, err
	}
	return rec.Finish(nil, nil)
}

// TestAgainstNaive compares every figure of every unit with the second
// implementation, on generated runs: just after each breakpoint, and at the end
// of the step that it begins, where all but what is in flight must be the same.
//
// Where a run has caches, the two do not always agree on which task made a block
// or how long it stood, as most logs do not tell: then figures that rest on
// caches are left to TestAgainstPlain.
func TestAgainstNaive(t *testing.T) {
	seeds := 300
	if testing.Short() {
		seeds = 30
	}
	s := &tee{world: worldSpecs()}
	s.db = openEmpty(t, s.world)
	for seed := range int64(seeds) {
		log, _ := sparkgen.Generate(seed, sparkgen.Options{})
		s.rows = &naive.Rows{}
		sum, err := s.record(log)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, app := range sum.Apps {
			if d := s.compare(t, app.App); d != "" {
				t.Errorf("seed %d: %s", seed, d)
			}
		}
	}
}

// compare tells the first difference.
func (s *tee) compare(t *testing.T, app string) string {
	t.Helper()
	ctx := context.Background()
	plain, err := naive.Load(s.rows.Only(app))
	if err != nil {
		t.Fatal(err)
	}
	w, err := replay.OpenWorld(ctx, s.db, app)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := replay.Blast(ctx, w, replay.BlastOptions{Breakpoints: true})
	if err != nil {
		t.Fatal(err)
	}
	hasCache, err := duck.QueryOne[bool](ctx, s.db, "SELECT count(*) > 0 FROM dataset WHERE kind = 'cache'")
	if err != nil {
		t.Fatal(err)
	}
	units := map[[2]string]naive.Unit{}
	for _, kind := range []naive.Kind{naive.WorkerUnit, naive.MachineUnit} {
		for _, u := range plain.Units(kind) {
			units[[2]string{string(u.Kind), u.Name}] = u
		}
	}
	seen := map[[2]string]bool{}
	for i := range rows {
		key := [2]string{rows[i].UnitKind, rows[i].Unit}
		u, ok := units[key]
		if !ok {
			return fmt.Sprintf("%v is no unit", key)
		}
		seen[key] = true
		if d := differs(plain, u, &rows[i], hasCache); d != "" {
			return d
		}
	}
	if len(seen) != len(units) {
		return fmt.Sprintf("%d of %d units have a curve", len(seen), len(units))
	}
	return ""
}

func differs(plain *naive.World, u naive.Unit, row *result.Blast, hasCache bool) string {
	f := plain.At(u, row.InstantMs)
	if d := cmp.Diff(sure(figures(&f), hasCache), sure(columns(row), hasCache)); d != "" {
		return fmt.Sprintf("%s %s at %d: -naive +sql\n%s", u.Kind, u.Name, row.InstantMs, d)
	}
	if !hasCache && row.EngineRedoMs > f.EngineRedoMs {
		return fmt.Sprintf("%s %s at %d: the engine redoes %d ms, naive says %d", u.Kind, u.Name, row.InstantMs, row.EngineRedoMs, f.EngineRedoMs)
	}
	last := row.UntilMs - 1
	f = plain.At(u, last)
	grown := *row
	grown.InFlightMs += row.InFlightTasks * (last - row.InstantMs)
	if d := cmp.Diff(steps(sure(figures(&f), hasCache)), steps(sure(columns(&grown), hasCache))); d != "" {
		return fmt.Sprintf("%s %s at %d, in the step from %d: -naive +sql\n%s", u.Kind, u.Name, last, row.InstantMs, d)
	}
	return ""
}

type figure map[string]any

func figures(f *naive.Figures) figure {
	return figure{
		"in_flight_tasks": f.InFlightTasks, "in_flight_ms": f.InFlightMs,
		"owed_outputs": f.OwedOutputs, "owed_bytes": f.OwedBytes, "owed_ms": f.OwedMs, "owed_low_outputs": f.OwedLowOutputs, "owed_low_ms": f.OwedLowMs,
		"climb_outputs": f.ClimbOutputs, "climb_bytes": f.ClimbBytes, "climb_ms": f.ClimbMs, "climb_low_outputs": f.ClimbLowOutputs, "climb_low_ms": f.ClimbLowMs,
		"cached_blocks": f.CachedBlocks, "cached_bytes": f.CachedBytes, "cached_ms": f.CachedMs, "cached_low_ms": f.CachedLowMs,
		"interrupted_high": f.InterruptedHigh, "interrupted_high_ms": f.InterruptedHighMs,
		"oldest_lost_age_ms": f.OldestLostAgeMs, "rounds_live": f.RoundsLive,
	}
}

func columns(b *result.Blast) figure {
	return figure{
		"in_flight_tasks": b.InFlightTasks, "in_flight_ms": b.InFlightMs,
		"owed_outputs": b.OwedOutputs, "owed_bytes": b.OwedBytes, "owed_ms": b.OwedMs, "owed_low_outputs": b.OwedLowOutputs, "owed_low_ms": b.OwedLowMs,
		"climb_outputs": b.ClimbOutputs, "climb_bytes": b.ClimbBytes, "climb_ms": b.ClimbMs, "climb_low_outputs": b.ClimbLowOutputs, "climb_low_ms": b.ClimbLowMs,
		"cached_blocks": b.CachedBlocks, "cached_bytes": b.CachedBytes, "cached_ms": b.CachedMs, "cached_low_ms": b.CachedLowMs,
		"interrupted_high": b.InterruptedHigh, "interrupted_high_ms": b.InterruptedHighMs,
		"oldest_lost_age_ms": b.OldestLostAgeMs, "rounds_live": b.RoundsLive,
	}
}

// sure leaves out what rests on caches, if there are any.
func sure(f figure, hasCache bool) figure {
	if !hasCache {
		return f
	}
	out := figure{}
	for _, name := range []string{
		"in_flight_tasks", "in_flight_ms", "owed_outputs", "owed_bytes", "owed_ms", "interrupted_high", "interrupted_high_ms",
	} {
		if v, ok := f[name]; ok {
			out[name] = v
		}
	}
	return out
}

// steps leaves out what may change between two breakpoints of the curve.
func steps(f figure) figure {
	for _, name := range []string{"interrupted_high", "interrupted_high_ms", "oldest_lost_age_ms"} {
		delete(f, name)
	}
	return f
}
