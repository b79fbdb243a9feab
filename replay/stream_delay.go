package replay

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"tracereplay/internal/table"
	"tracereplay/replay/result"
	"tracereplay/replay/sim"
	"tracereplay/replay/trigger"
)

// DelayOptions say what of a streaming query's timing is stated instead of
// being read off the log.
type DelayOptions struct {
	IntervalMs table.I64 // of the trigger
}

// StreamDelays is what each recorded loss did to the batch that it hit:
// predicted from the state just before it, and seen. The batch's jobs are
// simulated from that state, with and without the loss; pieces that had not
// ended by then take what the same pieces of earlier batches took.
func StreamDelays(ctx context.Context, w *World, opt DelayOptions) (out []result.StreamDelay, err error) {
	err = withStream(ctx, w.db, w.app, func() error {
		d, err := loadDelays(ctx, w, opt)
		if err != nil || d == nil {
			return err
		}
		out, err = d.all(ctx)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("delays of batches of %s: %w", w.app, err)
	}
	return out, nil
}

// batchOf names a batch.
type batchOf struct {
	query, run string
	batch      int64
}

// batchWork is what a batch ran: places in the Run.
type batchWork struct {
	row    *result.StreamBatch
	jobs   []int32
	stages []int32 // in order of their ids: the n-th is the n-th of any other batch
}

// delays holds what the predictions of one application need.
type delays struct {
	w     *World
	opt   DelayOptions
	run   *sim.Run
	unit  []sim.LogRemoval
	runs  [][]*batchWork // each run of a query, its batches in order
	load  map[string]float64
	stage map[int64]int32 // the log's stage ids
	start map[int64]int64 // task -> ms until it began to run, where the log tells
}

// loadDelays returns nil where nothing was lost, or no batch ran.
func loadDelays(ctx context.Context, w *World, opt DelayOptions) (*delays, error) {
	log, err := SimLog(ctx, w)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(log.Removals, func(r sim.LogRemoval) bool { return r.Kind != "release" }) {
		return nil, nil
	}
	batches, err := rows[result.StreamBatch](ctx, w.db, "stream/batches")
	if err != nil || len(batches) == 0 {
		return nil, err
	}
	run, err := sim.Build(log)
	if err != nil {
		return nil, err
	}
	d := &delays{w: w, opt: opt, run: run, load: map[string]float64{}, stage: run.StageOf}
	d.unit = slices.Clone(log.Removals)
	slices.SortFunc(d.unit, func(x, y sim.LogRemoval) int { return cmp.Compare(x.Removal, y.Removal) })
	d.start = map[int64]int64{}
	for i := range log.Tasks {
		if t := &log.Tasks[i]; t.DeserializeMs.OK {
			d.start[t.Task] = t.DeserializeMs.V
		}
	}
	if err := d.work(ctx, batches); err != nil {
		return nil, err
	}
	queries, err := rows[result.StreamQuery](ctx, w.db, "stream/queries", w.app)
	for _, q := range queries {
		if q.PartitionLoadMs.OK {
			d.load[q.Query] = q.PartitionLoadMs.V
		}
	}
	return d, err
}

// work ties jobs and stages to the batches that ran them.
func (d *delays) work(ctx context.Context, batches []result.StreamBatch) error {
	type jobRow struct {
		Job      int64  `col:"job"`
		Query    string `col:"query"`
		QueryRun string `col:"query_run"`
		Batch    int64  `col:"batch"`
	}
	jobs, err := rows[jobRow](ctx, d.w.db, "stream/jobs")
	if err != nil {
		return err
	}
	place := map[int64]int32{}
	for j := range d.run.Jobs {
		place[d.run.Jobs[j].ID] = int32(j)
	}
	of, ofJob := map[batchOf]*batchWork{}, map[int32]*batchWork{}
	for i := range batches {
		b := &batches[i]
		x := &batchWork{row: b}
		if n := len(d.runs); n == 0 || d.runs[n-1][0].row.Query != b.Query || d.runs[n-1][0].row.QueryRun != b.QueryRun {
			d.runs = append(d.runs, nil)
		}
		d.runs[len(d.runs)-1] = append(d.runs[len(d.runs)-1], x)
		of[batchOf{b.Query, b.QueryRun, b.Batch}] = x
	}
	for _, j := range jobs {
		if x, at := of[batchOf{j.Query, j.QueryRun, j.Batch}], place[j.Job]; x != nil && d.run.Jobs[at].ID == j.Job {
			x.jobs = append(x.jobs, at)
			ofJob[at] = x
		}
	}
	for i := range d.run.Rounds {
		r := &d.run.Rounds[i]
		if x := ofJob[r.Job]; x != nil && !slices.Contains(x.stages, r.Stage) {
			x.stages = append(x.stages, r.Stage)
		}
	}
	for _, x := range of {
		slices.SortFunc(x.stages, func(a, b int32) int { return cmp.Compare(d.run.Stages[a].ID, d.run.Stages[b].ID) })
	}
	return nil
}

// all has a row for each loss and run of a query that it hit.
func (d *delays) all(ctx context.Context) ([]result.StreamDelay, error) {
	var out []result.StreamDelay
	for i := range d.run.Removals {
		if d.run.Removals[i].Release {
			continue
		}
		for _, batches := range d.runs {
			row, err := d.one(ctx, i, batches)
			if err != nil {
				return nil, err
			}
			if row != nil {
				out = append(out, *row)
			}
		}
	}
	slices.SortStableFunc(out, func(x, y result.StreamDelay) int {
		return cmp.Or(cmp.Compare(x.Removal, y.Removal), cmp.Compare(x.Query, y.Query), cmp.Compare(x.QueryRun, y.QueryRun))
	})
	return out, nil
}

// one is the row of a loss and a run of a query; nil: it hit no batch.
func (d *delays) one(ctx context.Context, loss int, batches []*batchWork) (*result.StreamDelay, error) {
	r := &d.unit[loss]
	gone := d.run.StartMs + d.run.Removals[loss].GoneMs
	hit := hitBatch(batches, gone)
	if hit < 0 {
		return nil, nil
	}
	b := batches[hit]
	row := &result.StreamDelay{
		App: d.w.app, Query: b.row.Query, QueryRun: b.row.QueryRun, Removal: r.Removal, UnitKind: r.UnitKind, Unit: r.Unit, GoneMs: gone,
		Batch: b.row.Batch, IsWithin: b.row.StartMs <= gone, TookMs: b.row.TriggerMs,
	}
	state, err := rows[lostState](ctx, d.w.db, "stream/lost_state", d.w.app, r.Removal, b.row.Query, b.row.QueryRun, b.row.Batch, gone)
	if err != nil {
		return nil, err
	}
	row.StatePartitions = int64(len(state))
	if ms, ok := d.load[b.row.Query]; ok {
		row.PartitionLoadMs = table.Some(int64(math.Round(ms)))
	}
	d.late(row, batches, hit)
	like := d.alike(batches, hit)
	row.Compared = int64(len(like))
	row.UsualMs = medianOf(like, func(x *batchWork) int64 { return x.row.TriggerMs.V })
	row.BeyondUsual = minus(row.TookMs, row.UsualMs)
	switch {
	case d.lostBefore(loss):
		row.Known = "an earlier loss"
	case len(b.jobs) == 0 || len(b.stages) == 0:
		row.Known = "no jobs"
	case len(like) == 0:
		row.Known = "no other batch"
	default:
		d.predict(row, loss, batches, hit, like, state)
	}
	return row, nil
}

// hitBatch is the batch that runs at an instant, else the next one, -1: none.
func hitBatch(batches []*batchWork, at int64) int {
	return slices.IndexFunc(batches, func(b *batchWork) bool { return b.row.CommitMs.Or(b.row.UntilMs) > at })
}

// lostBefore tells whether another loss came first: the state of the run just
// before this one then has holes that are not worked out.
func (d *delays) lostBefore(loss int) bool {
	for i := range d.run.Removals {
		x, y := &d.run.Removals[i], &d.run.Removals[loss]
		if i != loss && !x.Release && (x.GoneMs < y.GoneMs || x.GoneMs == y.GoneMs && i < loss) {
			return true
		}
	}
	return false
}

// alike are the batches that the one that was hit is compared with: those before
// it that were reported and have the same stages, without the first of the run,
// which starts the workers' code up.
func (d *delays) alike(batches []*batchWork, hit int) []*batchWork {
	var out []*batchWork
	for i := 1; i < hit; i++ {
		if x := batches[i]; x.row.TriggerMs.OK && len(x.stages) == len(batches[hit].stages) && len(x.jobs) == len(batches[hit].jobs) {
			out = append(out, x)
		}
	}
	return out
}

// late fills in the interval and how many batches were seen to start late.
func (d *delays) late(row *result.StreamDelay, batches []*batchWork, hit int) {
	seen := timesOf(batches)
	row.IntervalMs = d.opt.IntervalMs
	if ms := trigger.Interval(seen); !row.IntervalMs.OK && ms > 0 {
		row.IntervalMs = table.Some(ms)
	}
	if row.IntervalMs.OK && hit < len(seen) {
		if n, ok := trigger.SeenLate(seen[hit:], row.IntervalMs.V); ok {
			row.SeenLate = table.Some(int64(n))
		}
	}
}

// timesOf are the batches of a run in time, up to the first that was not
// reported.
func timesOf(batches []*batchWork) []trigger.Batch {
	var out []trigger.Batch
	for _, b := range batches {
		if !b.row.CommitMs.OK {
			break
		}
		out = append(out, trigger.Batch{StartMs: b.row.StartMs, CommitMs: b.row.CommitMs.V})
	}
	return out
}

// lostState is a row of stream/lost_state.sql.
type lostState struct {
	Stage     int64 `col:"stage"`
	Partition int64 `col:"partition"`
}

// delayPlacements is how many placements of the work that is left a prediction
// is the median of.
const delayPlacements = 15

// lateFollowed is how many batches after the one that was hit are simulated, and
// lateMost how many late ones in a row are looked for.
const (
	lateFollowed = 3
	lateMost     = 1000
)

// predict simulates the batch, and a few after it, with and without the loss.
func (d *delays) predict(row *result.StreamDelay, loss int, batches []*batchWork, hit int, like []*batchWork, state []lostState) {
	from := max(d.run.Removals[loss].GoneMs-1, 1)
	some := batches[hit:min(hit+1+lateFollowed, len(batches))]
	plain := d.typical(some, like, from)
	struck := plain
	if row.PartitionLoadMs.OK {
		struck = d.loading(plain, state, int32(row.PartitionLoadMs.V))
	}
	row.Known = "simulated"
	if len(state) > 0 && !row.PartitionLoadMs.OK {
		row.Known = "simulated, without loads"
	}
	tail := medianOf(like, func(x *batchWork) int64 { return x.row.CommitMs.V - d.run.StartMs - d.recordedEnd(x) }).V
	around := medianOf(like, func(x *batchWork) int64 { return x.row.TriggerMs.V - d.recordedSpan(x) }).V
	start := batches[hit].row.StartMs - d.run.StartMs
	var with, without, delay []int64
	after := make([][]int64, len(some)-1)
	a, b := sim.New(struck), sim.New(plain)
	for seed := range uint64(delayPlacements) {
		x := a.Simulate(&sim.Options{Seed: seed + 1, FromMs: from, Trace: true})
		spans, ok := jobSpans(x), true
		for i, s := range some {
			span, done := spanOf(spans, s.jobs)
			if ok = ok && done; !ok {
				break
			}
			if i == 0 {
				with = append(with, span[1]+tail-start)
			} else {
				after[i-1] = append(after[i-1], span[1]-span[0]+around)
			}
		}
		y := b.Simulate(&sim.Options{Seed: seed + 1, FromMs: from, Cluster: sim.Undisturbed, Trace: true})
		if span, done := spanOf(jobSpans(y), some[0].jobs); done {
			without = append(without, span[1]+tail-start)
			if ok || len(with) == len(without) {
				delay = append(delay, with[len(with)-1]-without[len(without)-1])
			}
		}
	}
	if len(with) < delayPlacements || len(without) < delayPlacements {
		row.Known = "the batch does not end"
		return
	}
	slices.Sort(delay)
	row.PredictedLow, row.PredictedHigh = table.Some(delay[0]), table.Some(delay[len(delay)-1])
	row.PredictedMs, row.UndisturbedMs = table.Some(middleOf(with)), table.Some(middleOf(without))
	row.PredictedDelay = minus(row.PredictedMs, row.UndisturbedMs)
	row.SeenDelay = minus(row.TookMs, row.UndisturbedMs)
	d.predictLate(row, batches[hit], after)
}

// predictLate says how many batches after it start late when the batch takes as
// long as predicted.
func (d *delays) predictLate(row *result.StreamDelay, b *batchWork, after [][]int64) {
	if !row.IntervalMs.OK {
		return
	}
	var next []int64
	for _, list := range after {
		if len(list) == 0 {
			break
		}
		next = append(next, middleOf(list))
	}
	if len(next) == 0 {
		next = []int64{row.UsualMs.V}
	}
	if n := trigger.Late(b.row.StartMs, row.PredictedMs.V, next, row.IntervalMs.V, lateMost); n >= 0 {
		row.PredictedLate = table.Some(int64(n))
	}
}

// recordedEnd is when the last job of a batch ended, on the Run's clock.
func (d *delays) recordedEnd(b *batchWork) int64 {
	end := int64(0)
	for _, j := range b.jobs {
		end = max(end, d.run.Jobs[j].Recorded[1])
	}
	return end
}

// recordedSpan is from the first job's start to the last one's end.
func (d *delays) recordedSpan(b *batchWork) int64 {
	first := sim.Never
	for _, j := range b.jobs {
		first = min(first, d.run.Jobs[j].Recorded[0])
	}
	return d.recordedEnd(b) - first
}

// jobSpans are the starts and ends of a traced run's jobs.
func jobSpans(res *sim.Result) map[int32][2]int64 {
	out := map[int32][2]int64{}
	start := map[int32]int64{}
	for i := range res.Steps {
		switch s := &res.Steps[i]; s.Kind {
		case sim.StepJob:
			start[s.A] = s.AtMs
		case sim.StepJobEnd:
			if s.B == 0 {
				out[s.A] = [2]int64{start[s.A], s.AtMs}
			}
		}
	}
	return out
}

// spanOf is from the first start to the last end of jobs that all ended.
func spanOf(spans map[int32][2]int64, jobs []int32) (span [2]int64, ok bool) {
	span[0] = sim.Never
	for _, j := range jobs {
		s, done := spans[j]
		if !done {
			return span, false
		}
		span[0], span[1] = min(span[0], s[0]), max(span[1], s[1])
	}
	return span, len(jobs) > 0
}

// loading adds what loading state takes to the pieces that must.
func (d *delays) loading(run *sim.Run, state []lostState, ms int32) *sim.Run {
	c := *run
	c.DurMs = slices.Clone(run.DurMs)
	for _, p := range state {
		st, ok := d.stage[p.Stage]
		if !ok {
			continue
		}
		for t := run.Stages[st].First; t < run.Stages[st].Last; t++ {
			if int64(run.Part[t]) == p.Partition {
				c.DurMs[t] += ms
			}
		}
	}
	return &c
}

func minus(a, b table.I64) table.I64 {
	if !a.OK || !b.OK {
		return table.I64{}
	}
	return table.Some(a.V - b.V)
}

// middleOf is the median of a list that it sorts.
func middleOf(list []int64) int64 {
	slices.Sort(list)
	return list[len(list)/2]
}

func medianOf(all []*batchWork, of func(*batchWork) int64) table.I64 {
	if len(all) == 0 {
		return table.I64{}
	}
	list := make([]int64, len(all))
	for i, x := range all {
		list[i] = of(x)
	}
	slices.Sort(list)
	n := len(list)
	return table.Some((list[(n-1)/2] + list[n/2]) / 2)
}
