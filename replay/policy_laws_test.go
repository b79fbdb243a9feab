package replay_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sort"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"tracereplay/ingest"
	"tracereplay/ingest/source"
	"tracereplay/ingest/spark"
	"tracereplay/internal/duck"
	"tracereplay/internal/sparkgen"
	"tracereplay/internal/table"
	"tracereplay/lineage"
	"tracereplay/replay"
	"tracereplay/replay/result"
)

// lawSpecs are the tables that policies read: those of a world, and those that
// tell what removals did.
func lawSpecs() map[string]*table.Spec {
	all := map[string]*table.Spec{}
	for _, s := range append(ingest.Tables(), lineage.Tables()...) {
		all[s.Name] = s
	}
	return all
}

// lawRun is a run without removals, and what policies make of it.
type lawRun struct {
	t    *testing.T
	db   *duck.DB
	app  string
	seen map[string]*underPolicy
}

// underPolicy is a run under one policy.
type underPolicy struct {
	curve    []result.Curve
	expected map[string]result.Expected // by kind of unit
	shares   map[int64]int64            // the most slot time of a complete shuffle that one machine holds
	applied  *replay.Applied
}

func (r *lawRun) under(spec string) *underPolicy {
	if u := r.seen[spec]; u != nil {
		return u
	}
	u, err := r.measure(spec)
	if err != nil {
		r.t.Fatalf("%s: %v", spec, err)
	}
	r.seen[spec] = u
	return u
}

func (r *lawRun) measure(spec string) (*underPolicy, error) {
	ctx := context.Background()
	w, err := replay.OpenWorld(ctx, r.db, r.app)
	if err != nil {
		return nil, err
	}
	chain, err := replay.ParsePolicies(spec)
	if err != nil {
		return nil, err
	}
	applied, err := w.ApplyChain(ctx, chain, replay.LowEnd)
	if err != nil {
		return nil, err
	}
	if err := w.CheckContract(ctx); err != nil {
		return nil, err
	}
	u := &underPolicy{applied: applied[0], expected: map[string]result.Expected{}, shares: map[int64]int64{}}
	if u.curve, err = replay.Curve(ctx, w, replay.Units{}); err != nil {
		return nil, err
	}
	expected, err := replay.Expected(ctx, w, replay.Units{})
	if err != nil {
		return nil, err
	}
	for _, e := range expected {
		u.expected[e.UnitKind] = e
	}
	type share struct {
		Dataset int64 `col:"dataset"`
		Ms      int64 `col:"ms"`
	}
	shares, err := duck.Query[share](ctx, r.db, `
		SELECT dataset, max(ms)::BIGINT AS ms
		FROM (
			SELECT o.dataset, w.machine, sum(o.cost_ms) AS ms
			FROM world.residence r JOIN world.output o ON o.output = r.output JOIN world.holder h ON h.holder = r.holder JOIN world.worker w ON w.worker = h.worker
			WHERE h.dies_with = 'worker'
			GROUP BY o.dataset, w.machine
		)
		GROUP BY dataset`)
	for _, s := range shares {
		u.shares[s.Dataset] = s.Ms
	}
	return u, err
}

// law tells how a run breaks it, "" if it does not.
type law struct {
	name  string
	holds func(r *lawRun) string
}

// same is a law: the policy changes no curve, and costs nothing.
func same(spec string) law {
	return law{spec + " is the run as it was", func(r *lawRun) string {
		u := r.under(spec)
		if len(u.applied.Low) > 0 {
			return fmt.Sprintf("it costs %v", u.applied.Low)
		}
		return gocmp.Diff(r.under("recorded").curve, u.curve)
	}}
}

// keeps is a law: what the policy makes is a world, by the contract.
func keeps(spec string) law {
	return law{spec + " makes a world", func(r *lawRun) string { r.under(spec); return "" }} // measure checks it
}

// never is a law: under the second policy no removal of a kind costs more, at
// any instant, than under the first.
func never(first, second, kind string) law {
	return law{fmt.Sprintf("%s never costs more than %s", second, first), func(r *lawRun) string {
		return above(curvesOf(r.under(first).curve, kind), curvesOf(r.under(second).curve, kind))
	}}
}

// unitCurve is the curve of one unit, in order.
type unitCurve []result.Curve

func curvesOf(all []result.Curve, kind string) map[string]unitCurve {
	out := map[string]unitCurve{}
	for _, c := range all {
		if c.UnitKind == kind {
			out[c.Unit] = append(out[c.Unit], c)
		}
	}
	return out
}

// at is what a removal costs just after an instant.
func (u unitCurve) at(ms int64) (int64, bool) {
	i := sort.Search(len(u), func(i int) bool { return u[i].UntilMs > ms })
	if i == len(u) || u[i].InstantMs > ms {
		return 0, false
	}
	return u[i].RecomputeMs + u[i].InFlightTasks*(ms-u[i].InstantMs), true
}

// above finds where the second costs more than the first: at breakpoints of
// either, and just before them.
func above(first, second map[string]unitCurve) string {
	for unit, b := range second {
		a := first[unit]
		var instants []int64
		for _, c := range append(append(unitCurve{}, a...), b...) {
			instants = append(instants, c.InstantMs, c.UntilMs-1)
		}
		for _, ms := range instants {
			was, ok := a.at(ms)
			if now, alive := b.at(ms); ok && alive && now > was {
				return fmt.Sprintf("%s at %d: %d, was %d", unit, ms, now, was)
			}
		}
	}
	return ""
}

// policyLaws hold for every run without removals. Laws that sound as good and
// are none have a counterexample in testdata/policy/no-laws.
func policyLaws() []law {
	return []law{
		keeps("smaller-workers=0.5"), keeps("smaller-machines=2"), keeps("smaller-machines=0.5"), keeps("on-demand=0.5:outputs=all"), keeps("idle-release=100ms"),
		keeps("idle-release=100ms:unit=machine"), keeps("shorter-rounds=3"), keeps("shorter-rounds=3:lever=landing"), keeps("redo=share"), keeps("redo=by-node"),
		keeps("redo=region"), keeps("redo=round"), keeps("redo=job"), keeps("drain:form=release"), keeps("detached-shuffle=remote,smaller-workers=2"),
		same("recorded"), same("undisturbed"), same("replicate=1"), same("smaller-workers=1"), same("smaller-machines=1"), same("durable=never"), same("on-demand=0"),
		same("shorter-rounds=1"), same("drain=0s"), same("move-output=0s"),
		{"detached-shuffle=node changes nothing for withdrawals", func(r *lawRun) string {
			return gocmp.Diff(curvesOf(r.under("recorded").curve, "machine"), curvesOf(r.under("detached-shuffle=node").curve, "machine"))
		}},
		{"detached-shuffle=remote leaves what is in flight, cached, or lost with a server", func(r *lawRun) string {
			u := r.under("detached-shuffle=remote")
			for kind, e := range u.expected {
				if kind != "service" && u.applied.Refused() == "" && e.OwedMs+e.ClimbMs > 0 {
					return fmt.Sprintf("a %s owes %v, by climb %v", kind, e.OwedMs, e.ClimbMs)
				}
			}
			return ""
		}},
		never("recorded", "replicate=2", "machine"), never("replicate=2", "replicate=3", "machine"),
		never("recorded", "replicate=2", "worker"), never("replicate=2", "replicate=3", "worker"),
		never("recorded", "durable=2s", "machine"), never("durable=2s", "durable=0s", "machine"),
		never("recorded", "move-output=1s:bandwidth=1KiB", "machine"), never("move-output=1s:bandwidth=1KiB", "move-output=1s:bandwidth=64KiB", "machine"),
		never("move-output=1s:bandwidth=64KiB", "move-output=1s:bandwidth=100MiB", "machine"),
		never("recorded", "drain=500ms", "machine"), never("drain=500ms", "drain=2s", "machine"),
		never("recorded", "smaller-workers=2", "machine"), never("smaller-workers=2", "recorded", "machine"),
		{"smaller-workers=2 keeps what is owed, added up over workers", func(r *lawRun) string {
			was, now := r.under("recorded").expected["worker"], r.under("smaller-workers=2").expected["worker"]
			a, b := was.OwedMs*float64(was.LifeMs), now.OwedMs*float64(now.LifeMs)
			if math.Abs(a-b) > 1e-9*max(a, b) {
				return fmt.Sprintf("%v slot ms x ms, was %v", b, a)
			}
			return ""
		}},
		{"smaller-workers=2 never raises the worst single exit", func(r *lawRun) string {
			was, now := r.under("recorded").expected["worker"], r.under("smaller-workers=2").expected["worker"]
			if now.WorstMs > was.WorstMs {
				return fmt.Sprintf("%d, was %d", now.WorstMs, was.WorstMs)
			}
			return ""
		}},
		{"spread never raises the largest share of a complete stage", func(r *lawRun) string {
			was, now := r.under("recorded").shares, r.under("spread").shares
			for d, ms := range now {
				if ms > was[d] {
					return fmt.Sprintf("shuffle %d: %d, was %d", d, ms, was[d])
				}
			}
			return ""
		}},
	}
}

// TestPolicyLaws holds the laws on samples and generated runs without removals.
func TestPolicyLaws(t *testing.T) {
	for _, name := range []string{"linear-twin.zstd", "linear-block.zstd"} {
		if testing.Short() && name != "linear-twin.zstd" {
			continue
		}
		r := &lawRun{t: t, db: openEmpty(t, lawSpecs()), seen: map[string]*underPolicy{}}
		r.app = readLog(t, r.db, "../sampletraces/"+name)
		r.check(name)
	}
	seeds := int64(6)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		log, _ := sparkgen.Generate(seed, sparkgen.Options{Losses: sparkgen.Off, Cut: sparkgen.Off, TaskFailures: sparkgen.Off, ESS: sparkgen.Off})
		r := &lawRun{t: t, db: openEmpty(t, lawSpecs()), seen: map[string]*underPolicy{}}
		var batch ingest.Batch
		spark.NewDecoder(spark.Options{}).Decode(&batch, log, "gen", 0, 1, 1, false)
		r.app = record(t, r.db, "gen", func(rec *ingest.Recorder) error { return rec.Batch(&batch) })
		r.check(fmt.Sprintf("seed %d", seed))
	}
}

func (r *lawRun) check(name string) {
	r.t.Helper()
	for _, l := range policyLaws() {
		if d := l.holds(r); d != "" {
			r.t.Errorf("%s: %s: it does not: %.2000s", name, l.name, d)
		}
	}
}

// record writes the tables of a log and tells its application.
func record(t *testing.T, db *duck.DB, name string, read func(*ingest.Recorder) error) string {
	t.Helper()
	s := &tableSink{db, lawSpecs()}
	rec := ingest.NewRecorder(ingest.RecorderOptions{Log: 1, LogName: name, Sink: s, Listener: lineage.NewBuilder(s)})
	if err := read(rec); err != nil {
		t.Fatal(err)
	}
	sum, err := rec.Finish(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return sum.Apps[0].App
}

// readLog reads a log file.
func readLog(t *testing.T, db *duck.DB, path string) string {
	t.Helper()
	logs, _, err := source.Resolve([]string{path}, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := logs[0].Open(source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	dec := spark.NewDecoder(spark.Options{})
	return record(t, db, logs[0].Name, func(rec *ingest.Recorder) error {
		for {
			b, err := r.Next()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			var batch ingest.Batch
			dec.Decode(&batch, b.Data, logs[0].Parts[b.Part].Name, b.Offset, b.Line, b.Seq, b.Cut)
			if err := rec.Batch(&batch); err != nil {
				return err
			}
		}
	})
}
