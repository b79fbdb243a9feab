package main

import (
	"context"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tracereplay/internal/duck"
	"tracereplay/replay"
	"tracereplay/replay/result"
)

// The figures of summary.json are made again from the trace.duckdb beside it:
// sizes by plain counts, costs by walking the exact curve of every unit, one
// interval after the other.
func TestReportFigures(t *testing.T) {
	for _, name := range []string{"linear-withdrawal", "cached-withdrawal"} {
		t.Run(name, func(t *testing.T) {
			log := filepath.Join("../../sampletraces", name+".zstd")
			if _, err := os.Stat(log); err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(t.TempDir(), "report")
			if code := run(t.Context(), []string{"report", log, "--policy", "none", "-o", dir}, strings.NewReader(""), io.Discard, io.Discard); code != exitDone {
				t.Fatalf("exit code %d", code)
			}
			c := figureCheck{t: t}
			c.open(dir)
			c.counts()
			for _, kind := range []string{"machine", "worker"} {
				c.curves(kind)
			}
			c.overTime()
			c.removals()
		})
	}
}

// figureCheck compares a summary with its trace.
type figureCheck struct {
	t   *testing.T
	all map[string]any
	tr  *replay.Trace
	w   *replay.World
}

func (c *figureCheck) open(dir string) {
	text, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err != nil {
		c.t.Fatal(err)
	}
	if err := json.Unmarshal(text, &c.all); err != nil {
		c.t.Fatal(err)
	}
	ctx := context.Background()
	if c.tr, err = replay.Open(ctx, filepath.Join(dir, "trace.duckdb"), replay.OpenOptions{}); err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() {
		if err := c.tr.Close(); err != nil {
			c.t.Error(err)
		}
	})
	if c.w, err = replay.OpenWorld(ctx, c.tr.DB(), c.tr.Apps[0].App); err != nil {
		c.t.Fatal(err)
	}
}

// same compares a figure to within a millisecond, or a part in a million.
func (c *figureCheck) same(name string, want float64) {
	c.t.Helper()
	got, ok := c.all[name].(float64)
	if !ok || math.Abs(got-want) > max(1, math.Abs(want)*1e-6) {
		c.t.Errorf("%s is %v in summary.json, %v by the trace", name, c.all[name], want)
	}
}

func (c *figureCheck) text(name, want string) {
	c.t.Helper()
	if c.all[name] != want {
		c.t.Errorf("%s is %v in summary.json, %s by the trace", name, c.all[name], want)
	}
}

func (c *figureCheck) number(query string) float64 {
	c.t.Helper()
	n, err := duck.QueryOne[float64](context.Background(), c.tr.DB(), query)
	if err != nil {
		c.t.Fatal(err)
	}
	return n
}

// counts are those of the run, from the tables of ingest alone.
func (c *figureCheck) counts() {
	for name, query := range map[string]string{
		"tasks":          "SELECT count(*) FROM task",
		"run_slot_ms":    "SELECT sum(finish_ms - launch_ms) FROM task",
		"jobs":           "SELECT count(*) FROM job",
		"stage_attempts": "SELECT count(*) FROM stage WHERE submit_ms IS NOT NULL",
		"workers":        "SELECT count(*) FROM worker WHERE NOT is_coordinator",
		"machines":       "SELECT count(DISTINCT machine) FROM worker WHERE NOT is_coordinator",
		"removals":       "SELECT count(*) FROM removal",
		"problems":       "SELECT count(*) FROM problem",
		"start_ms":       "SELECT least(first_ms, start_ms) FROM app",
		"end_ms":         "SELECT greatest(last_ms, end_ms) FROM app",
		"makespan_ms":    "SELECT max(end_ms) - min(submit_ms) FROM job",
	} {
		c.same(name, c.number(query))
	}
}

// curves walks the curves of a kind: the worst, the mean, the quantiles.
func (c *figureCheck) curves(kind string) {
	curve, err := replay.Curve(context.Background(), c.w, replay.Units{Kind: kind})
	if err != nil {
		c.t.Fatal(err)
	}
	curve = slices.DeleteFunc(curve, func(r result.Curve) bool { return r.IsCoordinator })
	var worst result.Curve
	var integral, low, life float64
	for _, r := range curve {
		if r.SupremumMs > worst.SupremumMs {
			worst = r
		}
		length := float64(r.UntilMs - r.InstantMs)
		grows := float64(r.InFlightTasks) * length * length / 2
		integral += float64(r.RecomputeMs)*length + grows
		low += float64(r.RecomputeLowMs)*length + grows
		life += length
	}
	slot := c.number("SELECT sum(end_ms - start_ms) FROM attempt")
	c.text("worst_"+kind+"_unit", worst.Unit)
	c.same("worst_"+kind+"_recompute_ms", float64(worst.SupremumMs))
	c.same("worst_"+kind+"_instant_ms", float64(worst.InstantMs))
	c.same("worst_"+kind+"_run_share", float64(worst.SupremumMs)/slot)
	c.same("expected_"+kind+"_life_ms", life)
	c.same("expected_"+kind+"_recompute_ms_per_removal", integral/life)
	c.same("expected_"+kind+"_recompute_low_ms_per_removal", low/life)
	c.same("expected_"+kind+"_run_share", integral/life/slot)
	c.same("expected_"+kind+"_recompute_ms_per_run_at_1_per_hour", integral/3_600_000)
	for name, q := range map[string]float64{"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99, "max": 1} {
		cost, _ := c.all["spread_"+kind+"_"+name+"_recompute_ms"].(float64)
		if got := below(curve, cost+1e-6) / life; got < q-1e-6 {
			c.t.Errorf("%s %s: %.4f of the time costs no more than %v", kind, name, got, cost)
		}
		if got := below(curve, cost-1) / life; got > q+1e-6 {
			c.t.Errorf("%s %s: %.4f of the time costs less than %v", kind, name, got, cost)
		}
	}
}

// below is how long the cost of a curve's units is at most x, in ms.
func below(curve []result.Curve, x float64) (ms float64) {
	for _, r := range curve {
		length, from, to := float64(r.UntilMs-r.InstantMs), float64(r.RecomputeMs), float64(r.SupremumMs)
		switch {
		case x >= to:
			ms += length
		case x > from:
			ms += length * (x - from) / (to - from)
		}
	}
	return ms
}

// overTime compares each bin of the worst machine with the curves.
func (c *figureCheck) overTime() {
	curve, err := replay.Curve(context.Background(), c.w, replay.Units{Kind: "machine"})
	if err != nil {
		c.t.Fatal(err)
	}
	bins, _ := c.all["banked_worst"].([]any)
	if len(bins) < 50 {
		c.t.Errorf("%d bins", len(bins))
	}
	for _, b := range bins {
		m := b.(map[string]any)
		from, to := int64(m["from_ms"].(float64)), int64(m["to_ms"].(float64))
		got := m["in_flight_ms"].(float64) + m["owed_ms"].(float64) + m["climb_ms"].(float64) + m["cached_ms"].(float64)
		if want := highest(curve, from, to); math.Abs(got-want) > 0.5 {
			c.t.Errorf("worst of %d to %d: %v, by the curves %v", from, to, got, want)
		}
	}
}

// highest is the supremum of all curves in [from, to).
func highest(curve []result.Curve, from, to int64) (most float64) {
	for _, r := range curve {
		if r.IsCoordinator || r.InstantMs >= to || r.UntilMs <= from {
			continue
		}
		most = max(most, float64(r.RecomputeMs+r.InFlightTasks*(min(to, r.UntilMs)-r.InstantMs)))
	}
	return most
}

// removals compares what ran again with table rerun.
func (c *figureCheck) removals() {
	c.same("pieces_again", c.number("SELECT coalesce(sum(pieces_again), 0) FROM removal_cost"))
	again := c.number("SELECT count(*) FROM (SELECT DISTINCT dataset, partition FROM rerun WHERE status = 'success' AND removal IS NOT NULL)")
	c.same("pieces_again", again)
}
