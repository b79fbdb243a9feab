package replay

import (
	"context"
	"fmt"

	"tracereplay/internal/table"
	"tracereplay/replay/sim"
)

// SimLog reads what the simulator asks of an application: its workers, tasks
// and data sets as the world has them, its jobs and stages as the trace has them.
func SimLog(ctx context.Context, w *World) (*sim.Log, error) {
	l := &sim.Log{App: w.app, Settings: map[string]string{}}
	for _, load := range []func(context.Context, *World, *sim.Log) error{
		simApp, simWorkers, simJobs, simStages, simTasks, simDatasets, simNeeds, simRemovals,
	} {
		if err := load(ctx, w, l); err != nil {
			return nil, fmt.Errorf("loading %s into the simulator: %w", w.app, err)
		}
	}
	return l, nil
}

func simApp(ctx context.Context, w *World, l *sim.Log) error {
	type app struct {
		Engine    string    `col:"engine"`
		Version   string    `col:"engine_version"`
		Streaming bool      `col:"is_streaming"`
		Compacted bool      `col:"is_compacted"`
		StartMs   table.I64 `col:"start_ms"`
		EndMs     table.I64 `col:"end_ms"`
		LastMs    table.I64 `col:"last_ms"`
		Problems  int64     `col:"problems"`
	}
	apps, err := rows[app](ctx, w.db, "simulate/app", w.app)
	if err != nil || len(apps) != 1 {
		return err
	}
	a := apps[0]
	l.Engine, l.Version, l.Streaming, l.Compacted = a.Engine, a.Version, a.Streaming, a.Compacted
	l.StartMs, l.EndMs, l.LastMs, l.Problems = a.StartMs, a.EndMs, a.LastMs, a.Problems
	type setting struct {
		Name  string `col:"name"`
		Value string `col:"value"`
	}
	settings, err := rows[setting](ctx, w.db, "simulate/setting", w.app)
	for _, s := range settings {
		l.Settings[s.Name] = s.Value
	}
	return err
}

func simWorkers(ctx context.Context, w *World, l *sim.Log) error {
	type worker struct {
		Worker      string    `col:"worker"`
		Machine     table.Str `col:"machine"`
		Coordinator bool      `col:"is_coordinator"`
		Slots       table.I64 `col:"slots"`
		RequestMs   table.I64 `col:"request_ms"`
		AddedMs     table.I64 `col:"added_ms"`
		RemovedMs   table.I64 `col:"removed_ms"`
	}
	list, err := rows[worker](ctx, w.db, "simulate/worker", w.app)
	for _, x := range list {
		l.Workers = append(l.Workers, sim.LogWorker(x))
	}
	return err
}

func simJobs(ctx context.Context, w *World, l *sim.Log) error {
	type job struct {
		Job       int64     `col:"job"`
		SubmitMs  table.I64 `col:"submit_ms"`
		EndMs     table.I64 `col:"end_ms"`
		SubmitSeq table.I64 `col:"submit_seq"`
		EndSeq    table.I64 `col:"end_seq"`
		Outcome   table.Str `col:"outcome"`
		Execution table.I64 `col:"sql_execution"`
		RootExec  table.I64 `col:"root_execution"`
		Pool      table.Str `col:"pool"`
	}
	jobs, err := rows[job](ctx, w.db, "simulate/job", w.app)
	if err != nil {
		return err
	}
	for _, x := range jobs {
		l.Jobs = append(l.Jobs, sim.LogJob(x))
	}
	type listed struct {
		Job   int64     `col:"job"`
		Stage int64     `col:"stage"`
		Tasks int64     `col:"tasks"`
		RDD   table.I64 `col:"rdd"`
	}
	stages, err := rows[listed](ctx, w.db, "simulate/listed", w.app)
	for _, x := range stages {
		l.Listed = append(l.Listed, sim.LogListed(x))
	}
	return err
}

func simStages(ctx context.Context, w *World, l *sim.Log) error {
	type stage struct {
		Stage      int64     `col:"stage"`
		Attempt    int64     `col:"stage_attempt"`
		Job        table.I64 `col:"job"`
		Kind       table.Str `col:"kind"`
		Tasks      int64     `col:"tasks"`
		Partitions table.I64 `col:"partitions"`
		SubmitMs   table.I64 `col:"submit_ms"`
		CompleteMs table.I64 `col:"complete_ms"`
		Failure    table.Str `col:"failure"`
	}
	list, err := rows[stage](ctx, w.db, "simulate/stage", w.app)
	for _, x := range list {
		l.Stages = append(l.Stages, sim.LogStage(x))
	}
	return err
}

// simTasks reads the one large table column by column.
func simTasks(ctx context.Context, w *World, l *sim.Log) error {
	names := map[string]string{} // one string a worker, not one a task
	text := func(s string) string {
		if n, ok := names[s]; ok {
			return n
		}
		n := string([]byte(s))
		names[n] = n
		return n
	}
	return eachRow(ctx, w.db, func(c arrowRow) {
		t := sim.LogTask{
			Task: c.int(0).V, Stage: c.int(1).V, Attempt: c.int(2).V, Index: c.int(3).V, Partition: c.int(4), Dataset: c.int(5),
			Worker: text(c.text(6)), StartMs: c.int(7).V, EndMs: c.int(8).V, Ended: c.bool(9).V, Status: text(c.text(10)),
			Speculative: c.bool(11).V, DeserializeMs: c.int(12), CPUNs: c.int(13), FetchWaitMs: c.int(14), WrittenBytes: c.int(15),
			ByApp: c.bool(16), UnpackCPUNs: c.int(17),
		}
		l.Tasks = append(l.Tasks, t)
	}, "simulate/task", w.app)
}

func simDatasets(ctx context.Context, w *World, l *sim.Log) error {
	type dataset struct {
		Dataset     int64     `col:"dataset"`
		Kind        string    `col:"kind"`
		RDD         int64     `col:"rdd"`
		Partitions  table.I64 `col:"partitions"`
		Replication int64     `col:"replication"`
		Rollback    bool      `col:"is_rollback"`
	}
	list, err := rows[dataset](ctx, w.db, "simulate/dataset")
	if err != nil {
		return err
	}
	keep, err := simKeepers(ctx, w)
	if err != nil {
		return err
	}
	for _, x := range list {
		l.Datasets = append(l.Datasets, sim.LogDataset{
			Dataset: x.Dataset, Kind: x.Kind, RDD: x.RDD, Partitions: x.Partitions, Replication: x.Replication, Rollback: x.Rollback,
			Keep: keep[x.Dataset],
		})
	}
	type input struct {
		Dataset int64 `col:"dataset"`
		Input   int64 `col:"input_dataset"`
	}
	inputs, err := rows[input](ctx, w.db, "simulate/input")
	if err != nil {
		return err
	}
	for _, x := range inputs {
		l.Inputs = append(l.Inputs, sim.LogInput(x))
	}
	type block struct {
		Dataset   int64     `col:"dataset"`
		Partition int64     `col:"partition"`
		Task      table.I64 `col:"task"`
		MadeMs    int64     `col:"made_ms"`
		CostMs    int64     `col:"cost_ms"`
	}
	blocks, err := rows[block](ctx, w.db, "simulate/block")
	for _, x := range blocks {
		l.Blocks = append(l.Blocks, sim.LogBlock(x))
	}
	return err
}

// simKeepers reads off the world what keeps the outputs of each data set.
func simKeepers(ctx context.Context, w *World) (map[int64][]sim.Keep, error) {
	type keep struct {
		Dataset  int64  `col:"dataset"`
		Copy     int64  `col:"copy"`
		DiesWith string `col:"dies_with"`
		AfterMs  int64  `col:"after_ms"`
		Outputs  int64  `col:"outputs"`
		Of       int64  `col:"of"`
	}
	list, err := rows[keep](ctx, w.db, "simulate/keep")
	out := map[int64][]sim.Keep{}
	for _, x := range list {
		k := sim.Keep{AfterMs: x.AfterMs}
		switch x.DiesWith {
		case "worker":
			if x.Copy > 1 {
				k.Keeper = sim.OnOther
			}
		case "machine":
			k.Keeper = sim.OnMachine
		default: // a service of its own, or a durable store
			k.Keeper = sim.OnStore
		}
		if x.Copy == 1 {
			k.AfterMs = 0
		}
		out[x.Dataset] = append(out[x.Dataset], k)
	}
	return out, err
}

func simNeeds(ctx context.Context, w *World, l *sim.Log) error {
	type need struct {
		Dataset      int64              `col:"dataset"`
		Stage        int64              `col:"stage"`
		Attempt      int64              `col:"stage_attempt"`
		ThroughCache table.I64          `col:"through_cache"`
		IsRerun      bool               `col:"is_rerun"`
		Density      table.Opt[float64] `col:"density"`
	}
	list, err := rows[need](ctx, w.db, "simulate/need")
	for _, x := range list {
		l.Needs = append(l.Needs, sim.LogNeed(x))
	}
	return err
}

func simRemovals(ctx context.Context, w *World, l *sim.Log) error {
	type removal struct {
		Removal    int64     `col:"removal"`
		Kind       string    `col:"kind"`
		UnitKind   string    `col:"unit_kind"`
		Unit       string    `col:"unit"`
		GoneLowMs  table.I64 `col:"gone_low_ms"`
		GoneHighMs table.I64 `col:"gone_high_ms"`
		DetectedMs int64     `col:"detected_ms"`
		Cause      string    `col:"cause"`
		Reason     table.Str `col:"reason"`
		Worker     string    `col:"worker"`
	}
	type failure struct {
		Task int64     `col:"task"`
		From table.Str `col:"from_worker"`
	}
	failures, err := rows[failure](ctx, w.db, "simulate/failure", w.app)
	if err != nil {
		return err
	}
	for _, x := range failures {
		l.Failures = append(l.Failures, sim.LogFailure(x))
	}
	list, err := rows[removal](ctx, w.db, "simulate/removal", w.app)
	for _, x := range list {
		if n := len(l.Removals); n > 0 && l.Removals[n-1].Removal == x.Removal {
			l.Removals[n-1].Workers = append(l.Removals[n-1].Workers, x.Worker)
			continue
		}
		l.Removals = append(l.Removals, sim.LogRemoval{
			Removal: x.Removal, Kind: x.Kind, UnitKind: x.UnitKind, Unit: x.Unit, GoneLowMs: x.GoneLowMs, GoneHighMs: x.GoneHighMs,
			DetectedMs: x.DetectedMs, Cause: x.Cause, Reason: x.Reason.V, Workers: []string{x.Worker},
		})
	}
	return err
}
