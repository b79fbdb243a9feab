package replay

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"tracereplay/internal/duck"
	"tracereplay/internal/table"
	"tracereplay/replay/result"
	"tracereplay/replay/sim"
)

// Base is an undisturbed run of the same job.
type Base struct {
	DB  *duck.DB
	App string
}

// validateSteps are the tables that a validation is made of, in order.
func validateSteps() []string {
	return []string{
		"validate/cut", "validate/piece", "validate/made", "validate/reader", "validate/need", "validate/predicted", "validate/actual", "validate/warm",
	}
}

// Validate predicts what each recorded removal of an application brings back,
// from what the log had said before it, and sets against it what did come
// back. With undisturbed runs of the same job it also says, from these, how
// large the loss had to be expected to be.
func Validate(ctx context.Context, db *duck.DB, app string, bases []Base) (_ []result.Validation, err error) {
	if err := run(ctx, db, []string{"explain/open", "validate/open"}); err != nil {
		return nil, err
	}
	defer func() {
		err = errors.Join(err, run(context.WithoutCancel(ctx), db, []string{"validate/close", "explain/close"}))
	}()
	if err := run(ctx, db, explainSteps(), app); err != nil {
		return nil, err
	}
	if err := run(ctx, db, validateSteps(), app); err != nil {
		return nil, err
	}
	scores, err := rows[result.Validation](ctx, db, "validate/score", app)
	if err != nil || len(bases) == 0 {
		return scores, err
	}
	return scores, pair(ctx, db, app, scores, bases)
}

// progress is how far a run was at a removal.
type progress struct {
	Removal    int64  `col:"removal"`
	UnitKind   string `col:"unit_kind"`
	Pieces     int64  `col:"pieces"`
	DetectedMs int64  `col:"detected_ms"`
}

// pair fills in what undisturbed runs say: at the instant at which as many
// pieces had succeeded, the cost of losing each unit of the same kind. Which
// unit it is differs from run to run, so the prediction is the distribution.
func pair(ctx context.Context, db *duck.DB, app string, scores []result.Validation, bases []Base) error {
	at, err := rows[progress](ctx, db, "validate/progress", app)
	if err != nil {
		return err
	}
	costs := make([][]int64, len(scores))
	var makespans, delays []int64
	actual, err := simulable(ctx, db, app)
	if err != nil {
		return err
	}
	for i, b := range bases {
		if err := pairOne(ctx, b, at, costs, &makespans, actual, &delays); err != nil {
			return fmt.Errorf("base %d: %w", i+1, err)
		}
	}
	own, err := makespan(ctx, db, app)
	if err != nil {
		return err
	}
	slices.Sort(delays)
	mean, sd := meanAndSpread(makespans)
	for i := range scores {
		s := &scores[i]
		s.Base, s.Alignment = table.Some(int64(len(bases))), table.Some("pieces")
		slices.Sort(costs[i])
		s.PredictedRecomputeP10, s.PredictedRecomputeP50, s.PredictedRecomputeP90 = interval(costs[i])
		s.PredictedDelayP10Ms, s.PredictedDelayP50Ms, s.PredictedDelayP90Ms = interval(delays)
		if own.OK && len(makespans) > 0 {
			s.ActualDelayMs = table.Some(own.V - int64(math.Round(mean)))
		}
		if len(makespans) > 1 {
			s.NoiseMs = table.Some(int64(math.Round(sd)))
		}
	}
	return nil
}

// interval is the 80 % interval of one more draw, and its middle; nothing for no
// values. They are sorted.
func interval(sorted []int64) (p10, p50, p90 table.I64) {
	if len(sorted) == 0 {
		return p10, p50, p90
	}
	return table.Some(nextQuantile(sorted, 0.1)), table.Some(nextQuantile(sorted, 0.5)), table.Some(nextQuantile(sorted, 0.9))
}

// pairOne adds the costs of one undisturbed run.
func pairOne(ctx context.Context, b Base, at []progress, costs [][]int64, makespans *[]int64, actual *sim.Run, delays *[]int64) (err error) {
	span, err := makespan(ctx, b.DB, b.App)
	if err != nil {
		return err
	}
	if span.OK {
		*makespans = append(*makespans, span.V)
	}
	w, err := OpenWorld(ctx, b.DB, b.App)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if actual != nil {
		if err := twinDelays(ctx, w, actual, delays); err != nil {
			return err
		}
	}
	for i, p := range at {
		when, err := row[table.I64](ctx, b.DB, "validate/at_pieces", b.App, p.Pieces)
		if err != nil {
			return err
		}
		if !when.OK {
			continue
		}
		units, err := Blast(ctx, w, BlastOptions{UnitKind: p.UnitKind, At: &when.V})
		if err != nil {
			return err
		}
		for _, u := range units {
			if !u.IsCoordinatorsHost {
				// Cached blocks that are computed again hide inside their readers: in
				// the actual cost they cannot be told apart, so they are in neither.
				costs[i] = append(costs[i], u.RecomputeMs-u.CachedMs)
			}
		}
	}
	return nil
}

func makespan(ctx context.Context, db *duck.DB, app string) (table.I64, error) {
	return row[table.I64](ctx, db, "validate/makespan", app)
}

// nextQuantile is the value below which one more draw from where n sorted ones
// came falls with probability q: among n + 1 draws each rank is as likely, so
// the value of rank q(n + 1), taken outwards. Quantiles of the n themselves would
// be too near to each other.
func nextQuantile(sorted []int64, q float64) int64 {
	rank := q * float64(len(sorted)+1)
	i := int(math.Round(rank))
	switch {
	case q < 0.5:
		i = int(math.Floor(rank))
	case q > 0.5:
		i = int(math.Ceil(rank))
	}
	return sorted[min(max(i-1, 0), len(sorted)-1)]
}

// meanAndSpread returns the mean and the standard deviation of a sample.
func meanAndSpread(v []int64) (mean, sd float64) {
	if len(v) == 0 {
		return 0, 0
	}
	for _, x := range v {
		mean += float64(x) / float64(len(v))
	}
	for _, x := range v {
		sd += (float64(x) - mean) * (float64(x) - mean)
	}
	if len(v) > 1 {
		sd = math.Sqrt(sd / float64(len(v)-1))
	}
	return mean, sd
}
