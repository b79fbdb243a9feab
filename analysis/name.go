package analysis

import "math"

// figures names every value that the page shows outside its tables.
func figures(r *Report) *Figures {
	var fs Figures
	in := r.In
	runFigures(&fs, in)
	lossFigures(&fs, in)
	for _, kind := range []string{Machine, Worker, Service} {
		worstFigures(&fs, in, kind)
		expectedFigures(&fs, in, kind)
		spreadFigures(&fs, in, kind)
	}
	curveFigures(&fs, r)
	streamFigures(&fs, r.Streaming)
	inputFigures(&fs, in)
	delayFigures(&fs, r)
	return &fs
}

func runFigures(fs *Figures, in *Inputs) {
	a := in.App
	fs.Add("app", InText, a.ID)
	fs.Add("app_name", InText, a.Name)
	fs.Add("engine", InText, a.Engine)
	fs.Add("engine_version", InText, a.Version)
	fs.Add("user_name", InText, a.User)
	fs.Add("cluster_manager", InText, a.Manager)
	fs.Add("time_zone", InText, in.Clock.Zone())
	fs.Add("start_ms", InInstant, a.FromMs)
	fs.Add("end_ms", InInstant, a.ToMs)
	fs.Add("duration_ms", InMs, a.ToMs-a.FromMs)
	fs.Add("makespan_ms", InMs, known(a.MakespanMs.V, a.MakespanMs.OK))
	fs.Add("is_ended", InText, a.IsEnded)
	fs.Add("machines", InCount, countUnits(in.Units, Machine))
	fs.Add("workers", InCount, countUnits(in.Units, Worker))
	fs.Add("services", InCount, countUnits(in.Units, Service))
	fs.Add("jobs", InCount, int64(len(in.Jobs)))
	fs.Add("stage_attempts", InCount, int64(len(in.Stages)))
	fs.Add("tasks", InCount, a.Tasks)
	fs.Add("run_slot_ms", InSlotMs, a.SlotMs)
}

func countUnits(units []Unit, kind string) (n int64) {
	for _, u := range units {
		if u.Kind == kind {
			n++
		}
	}
	return n
}

func lossFigures(fs *Figures, in *Inputs) {
	losses := costliest(in.Removals)
	fs.Add("removals", InCount, int64(len(in.Removals)))
	fs.Add("removals_that_destroyed", InCount, int64(len(losses)))
	var pieces, ms, inFlight int64
	for _, r := range in.Removals {
		inFlight += r.InFlightMs
		pieces += r.PiecesAgain
		ms += againMs(r)
	}
	fs.Add("removals_in_flight_ms", InSlotMs, inFlight)
	fs.Add("pieces_again", InCount, pieces)
	fs.Add("again_ms", InSlotMs, ms)
	fs.Add("again_run_share", InShare, share(float64(ms), float64(in.App.SlotMs)))
	if len(losses) == 0 {
		return
	}
	r := losses[0]
	fs.Add("loss_removal", InCount, r.Removal)
	fs.Add("loss_unit", InText, r.Unit)
	fs.Add("loss_instant_ms", InInstant, goneBy(r))
	fs.Add("loss_lost_outputs", InCount, r.LostOutputs)
	fs.Add("loss_needed_outputs", InCount, r.NeededOutputs)
	fs.Add("loss_pieces_again", InCount, r.PiecesAgain)
	fs.Add("loss_again_ms", InSlotMs, againMs(r))
	fs.Add("loss_again_run_share", InShare, share(float64(againMs(r)), float64(in.App.SlotMs)))
	fs.Add("loss_oldest_lost_age_ms", InMs, opt(r.OldestLostAgeMs))
}

func worstFigures(fs *Figures, in *Inputs, kind string) {
	w, ok := worst(in.Worst, kind)
	if !ok {
		return
	}
	p := "worst_" + kind + "_"
	sum := w.Parts.Sum()
	fs.Add(p+"unit", InText, w.Unit)
	fs.Add(p+"instant_ms", InInstant, w.AtMs)
	fs.Add(p+"moment_ms", InInstant, w.MomentMs)
	fs.Add(p+"recompute_ms", InSlotMs, whole(sum))
	fs.Add(p+"recompute_low_ms", InSlotMs, w.LowMs)
	fs.Add(p+"run_share", InShare, share(sum, float64(in.App.SlotMs)))
	fs.Add(p+"in_flight_ms", InSlotMs, whole(w.Parts.InFlight))
	fs.Add(p+"owed_ms", InSlotMs, whole(w.Parts.Owed))
	fs.Add(p+"climb_ms", InSlotMs, whole(w.Parts.Climb))
	fs.Add(p+"cached_ms", InSlotMs, whole(w.Parts.Cached))
	fs.Add(p+"finished_share", InShare, share(w.Parts.Finished(), sum))
	fs.Add(p+"in_flight_tasks", InCount, w.InFlight)
	fs.Add(p+"outputs", InCount, w.Outputs)
	fs.Add(p+"cached_blocks", InCount, w.Blocks)
	fs.Add(p+"oldest_lost_age_ms", InMs, w.OldestMs)
	fs.Add(p+"rounds_live", InCount, w.Rounds)
	fs.Add(p+"known", InText, w.Known)
}

func whole(v float64) int64 { return int64(v + 0.5) }

func expectedFigures(fs *Figures, in *Inputs, kind string) {
	e, ok := expected(in.Expected, kind)
	if !ok {
		return
	}
	p := "expected_" + kind + "_"
	fs.Add(p+"recompute_ms_per_removal", InSlotMs, e.RecomputeMs)
	fs.Add(p+"recompute_low_ms_per_removal", InSlotMs, e.RecomputeLowMs)
	fs.Add(p+"sd_recompute_ms_per_removal", InSlotMs, e.SdRecomputeMs)
	fs.Add(p+"run_share", InShare, share(e.RecomputeMs, float64(in.App.SlotMs)))
	fs.Add(p+"finished_share", InShare, share(finishedMs(e), e.RecomputeMs))
	fs.Add(p+"units", InCount, e.Units)
	fs.Add(p+"life_ms", InMs, e.LifeMs)
	fs.Add(p+"recompute_ms_per_run_at_1_per_hour", InSlotMs, e.RunRecomputeMs)
	fs.Add(p+"sd_recompute_ms_per_run_at_1_per_hour", InSlotMs, math.Sqrt(e.RunVarianceMs2))
}

func spreadFigures(fs *Figures, in *Inputs, kind string) {
	for _, q := range in.Spread {
		if q.Kind != kind || q.LifeMs == 0 {
			continue
		}
		p := "spread_" + kind + "_"
		fs.Add(p+"units", InCount, q.Units)
		fs.Add(p+"life_ms", InMs, q.LifeMs)
		fs.Add(p+"free_share", InShare, q.FreeShare())
		for _, at := range []struct {
			name string
			i    int
		}{{"p50", 50}, {"p90", 90}, {"p95", 95}, {"p99", 99}, {"max", 100}} {
			fs.Add(p+at.name+"_recompute_ms", InSlotMs, q.At[at.i])
		}
	}
}

func curveFigures(fs *Figures, r *Report) {
	if r.Progress.Empty == "" {
		widest := r.Progress.Widest
		fs.Add("progress_widest_instant_ms", InInstant, widest.AtMs)
		fs.Add("progress_widest_reported_share", InShare, widest.Reported)
		fs.Add("progress_widest_safe_share", InShare, widest.Safe)
	}
	fs.Add("residence_most_needed_bytes", InBytes, r.Residence.Most)
	fs.Add("residence_most_on_one_machine_bytes", InBytes, r.Residence.MaxBytes)
	fs.Add("exposures", InCount, int64(r.Exposures.Total))
	fs.Add("exposures_waited_slot_ms_hours", InCount, r.Exposures.Sum)
}

func inputFigures(fs *Figures, in *Inputs) {
	fs.Add("problems", InCount, problems(in.Problems))
	var violations int64
	for _, c := range in.Checks {
		violations += c.Violations
	}
	fs.Add("checks", InCount, int64(len(in.Checks)))
	fs.Add("check_violations", InCount, violations)
}
