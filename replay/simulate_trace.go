package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tracereplay/ingest"
	"tracereplay/internal/duck"
	"tracereplay/internal/table"
	"tracereplay/lineage"
	"tracereplay/replay/result"
	"tracereplay/replay/sim"
)

// WriteSimTrace writes a simulated run as a trace: the events that an engine
// would have logged of it go the way that those of a log go, so that everything
// that reads a trace reads it too. The application is called APP-sim-SEED. The
// rows of answer are stored beside, in tables that only such traces have.
func WriteSimTrace(ctx context.Context, db *duck.DB, s *SimRun, opt sim.Options, answer *SimAnswer, w *TraceWriter) error {
	if s.Run.StageOf == nil {
		return errors.New("a run that is cut into several is not written as a trace")
	}
	t := &teller{s: s, seed: opt.Seed}
	if err := t.load(ctx, db); err != nil {
		return fmt.Errorf("reading what the simulated log repeats: %w", err)
	}
	opt.Trace = true
	t.res = sim.New(s.Run).Simulate(&opt)
	app := fmt.Sprintf("%s-sim-%d", s.Log.App, opt.Seed)
	rec := ingest.NewRecorder(ingest.RecorderOptions{Log: 1, LogName: "simulated", AppID: app, Sink: w, Listener: lineage.NewBuilder(w)})
	t.record(rec, app)
	if _, err := rec.Finish(nil, nil); err != nil || t.err != nil {
		return errors.Join(t.err, err)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := Derive(ctx, w, []string{app}, 1); err != nil {
		return err
	}
	return writeAnswer(ctx, w, answer)
}

// writeAnswer stores what all simulated runs came to.
func writeAnswer(ctx context.Context, w *TraceWriter, answer *SimAnswer) error {
	for _, spec := range []*table.Spec{&result.Simulations.Spec, &result.SimulatedLosses.Spec, &result.SimulatedReruns.Spec} {
		if err := w.DB().CreateTable(ctx, spec); err != nil {
			return err
		}
	}
	runs, losses, reruns := table.NewWriter(result.Simulations, w), table.NewWriter(result.SimulatedLosses, w), table.NewWriter(result.SimulatedReruns, w)
	for i := range answer.Runs {
		runs.Append(&answer.Runs[i])
	}
	for i := range answer.Losses {
		losses.Append(&answer.Losses[i])
	}
	for i := range answer.Reruns {
		reruns.Append(&answer.Reruns[i])
	}
	return errors.Join(runs.Flush(), losses.Flush(), reruns.Flush(), w.Flush())
}

// teller tells a simulated run as a log would.
type teller struct {
	s    *SimRun
	seed uint64
	res  *sim.Result

	app struct {
		Version     string    `col:"engine_version"`
		Name        table.Str `col:"name"`
		User        table.Str `col:"user_name"`
		StartMs     table.I64 `col:"start_ms"`
		Coordinator table.Str `col:"coordinator_machine"`
	}
	settings []ingest.Setting
	jobs     map[int64]ingest.JobProperties
	infos    map[int64]*ingest.StageInfo
	listed   map[int64][]int64 // job -> stages
	metrics  map[int64]*toldMetrics

	batch   ingest.Batch
	seq     int64
	err     error
	names   []string // of workers
	stageID map[[2]int32]told
	next    map[int64]int64    // stage id -> attempts so far
	index   map[[3]int32]int64 // by pieceOf
	tries   map[[3]int64]int64
}

// told is what a simulated stage attempt is called in the log.
type told struct{ stage, attempt int64 }

type toldMetrics struct {
	Task            int64     `col:"task"`
	RunMs           table.I64 `col:"run_ms"`
	GCMs            table.I64 `col:"gc_ms"`
	RemoteBlocks    table.I64 `col:"remote_blocks"`
	LocalBlocks     table.I64 `col:"local_blocks"`
	FetchWaitMs     table.I64 `col:"fetch_wait_ms"`
	RemoteReadBytes table.I64 `col:"remote_read_bytes"`
	LocalReadBytes  table.I64 `col:"local_read_bytes"`
	ReadRecords     table.I64 `col:"read_records"`
	WrittenBytes    table.I64 `col:"written_bytes"`
	WrittenRecords  table.I64 `col:"written_records"`
	InputBytes      table.I64 `col:"input_bytes"`
	OutputBytes     table.I64 `col:"output_bytes"`
}

func (t *teller) load(ctx context.Context, db *duck.DB) error {
	app := t.s.Log.App
	var err error
	if t.app, err = row[struct {
		Version     string    `col:"engine_version"`
		Name        table.Str `col:"name"`
		User        table.Str `col:"user_name"`
		StartMs     table.I64 `col:"start_ms"`
		Coordinator table.Str `col:"coordinator_machine"`
	}](ctx, db, "simulate/told_app", app); err != nil {
		return err
	}
	type setting struct {
		Scope string `col:"scope"`
		Name  string `col:"name"`
		Value string `col:"value"`
	}
	settings, err := rows[setting](ctx, db, "simulate/told_setting", app)
	if err != nil {
		return err
	}
	for _, x := range settings {
		t.settings = append(t.settings, ingest.Setting(x))
	}
	if err := t.loadJobs(ctx, db, app); err != nil {
		return err
	}
	metrics, err := rows[toldMetrics](ctx, db, "simulate/told_metric", app)
	t.metrics = make(map[int64]*toldMetrics, len(metrics))
	for i := range metrics {
		t.metrics[metrics[i].Task] = &metrics[i]
	}
	return errors.Join(err, t.loadStages(ctx, db, app))
}

func (t *teller) loadJobs(ctx context.Context, db *duck.DB, app string) error {
	type job struct {
		Job         int64     `col:"job"`
		Execution   table.I64 `col:"sql_execution"`
		Root        table.I64 `col:"root_execution"`
		Pool        table.Str `col:"pool"`
		Group       table.Str `col:"job_group"`
		Description table.Str `col:"description"`
	}
	jobs, err := rows[job](ctx, db, "simulate/told_job", app)
	t.jobs, t.listed = map[int64]ingest.JobProperties{}, map[int64][]int64{}
	for _, x := range jobs {
		t.jobs[x.Job] = ingest.JobProperties{Execution: x.Execution, RootExecution: x.Root, Pool: x.Pool.V, Group: x.Group.V, Description: x.Description.V}
	}
	for _, l := range t.s.Log.Listed {
		t.listed[l.Job] = append(t.listed[l.Job], l.Stage)
	}
	return err
}

func (t *teller) loadStages(ctx context.Context, db *duck.DB, app string) error {
	type stage struct {
		Stage   int64     `col:"stage"`
		Name    string    `col:"name"`
		Tasks   int64     `col:"tasks"`
		Profile table.I64 `col:"resource_profile"`
	}
	stages, err := rows[stage](ctx, db, "simulate/told_stage", app)
	if err != nil {
		return err
	}
	t.infos = map[int64]*ingest.StageInfo{}
	for _, x := range stages {
		t.infos[x.Stage] = &ingest.StageInfo{Stage: x.Stage, Name: x.Name, Tasks: x.Tasks, HasParents: true, Profile: x.Profile}
	}
	type parent struct {
		Stage  int64 `col:"stage"`
		Parent int64 `col:"parent_stage"`
	}
	parents, err := rows[parent](ctx, db, "simulate/told_parent", app)
	if err != nil {
		return err
	}
	for _, x := range parents {
		if info := t.infos[x.Stage]; info != nil {
			info.Parents = append(info.Parents, x.Parent)
		}
	}
	return t.loadRDDs(ctx, db, app)
}

func (t *teller) loadRDDs(ctx context.Context, db *duck.DB, app string) error {
	type rdd struct {
		Stage         int64     `col:"stage"`
		Ordinal       int64     `col:"ordinal"`
		RDD           int64     `col:"rdd"`
		Seq           int64     `col:"seq"`
		Name          string    `col:"name"`
		Scope         string    `col:"scope"`
		CallSite      string    `col:"call_site"`
		Partitions    int64     `col:"partitions"`
		Persisted     bool      `col:"is_persisted"`
		Replication   int64     `col:"replication"`
		Barrier       bool      `col:"is_barrier"`
		Deterministic table.Str `col:"deterministic"`
	}
	type parent struct {
		RDD    int64 `col:"rdd"`
		Seq    int64 `col:"seq"`
		Parent int64 `col:"parent_rdd"`
	}
	parents, err := rows[parent](ctx, db, "simulate/told_rdd_parent", app)
	if err != nil {
		return err
	}
	of := map[[2]int64][]int64{}
	for _, p := range parents {
		of[[2]int64{p.RDD, p.Seq}] = append(of[[2]int64{p.RDD, p.Seq}], p.Parent)
	}
	list, err := rows[rdd](ctx, db, "simulate/told_rdd", app)
	for _, x := range list {
		if info := t.infos[x.Stage]; info != nil {
			info.RDDs = append(info.RDDs, ingest.RDDInfo{
				RDD: x.RDD, Name: x.Name, Scope: x.Scope, CallSite: x.CallSite, Parents: of[[2]int64{x.RDD, x.Seq}], Partitions: x.Partitions,
				UseMemory: x.Persisted, Replication: x.Replication, Barrier: x.Barrier, Deterministic: x.Deterministic.V,
			})
		}
	}
	return err
}

// record tells everything in the order in which it happened.
func (t *teller) record(rec *ingest.Recorder, app string) {
	t.stageID, t.next = map[[2]int32]told{}, map[int64]int64{}
	t.tries = map[[3]int64]int64{}
	t.numberPieces()
	for w := range t.res.Workers {
		t.names = append(t.names, t.s.WorkerName(t.res, int32(w)))
	}
	start := t.s.Run.StartMs
	t.add(&ingest.LogStart{At: t.at(), Engine: "spark", Version: t.app.Version})
	t.add(&ingest.StoreAdded{At: t.at(), Worker: "driver", Host: t.app.Coordinator.V, Ms: table.Some(start)})
	t.add(&ingest.Settings{At: t.at(), Values: t.settings})
	t.add(&ingest.AppStart{At: t.at(), ID: app, Name: t.app.Name.V, User: t.app.User.V, Ms: table.Some(min(start, t.app.StartMs.Or(start)))})
	end := start
	for i := range t.res.Steps {
		s := &t.res.Steps[i]
		end = max(end, t.ms(s.AtMs))
		t.step(s)
		if len(t.batch.Order) >= 4096 {
			t.flush(rec)
		}
	}
	t.add(&ingest.AppEnd{At: t.at(), Ms: table.Some(end)})
	t.flush(rec)
}

func (t *teller) flush(rec *ingest.Recorder) {
	t.err = errors.Join(t.err, rec.Batch(&t.batch))
	t.batch.Reset()
}

func (t *teller) at() ingest.At {
	t.seq++
	return ingest.At{Seq: t.seq}
}

func (t *teller) ms(at int64) int64 { return t.s.Run.StartMs + at }

func (t *teller) add(e ingest.Event) { t.batch.AddOther(e) }

func (t *teller) host(w int32) string {
	m := t.s.Run.Machines[t.res.Workers[w].Machine]
	if strings.HasPrefix(m, "worker ") { // the log does not tell
		return ""
	}
	return m
}

func (t *teller) step(s *sim.Step) {
	now := table.Some(t.ms(s.AtMs))
	switch s.Kind {
	case sim.StepWorkerUp:
		t.workerUp(s.A, now)
	case sim.StepWorkerLost:
		t.add(&ingest.WorkerRemoved{At: t.at(), Worker: t.names[s.A], Reason: t.reason(s.A), Ms: now})
	case sim.StepJob:
		t.jobStart(s.A, now)
	case sim.StepJobEnd:
		e := &ingest.JobEnd{At: t.at(), Job: t.s.Run.Jobs[s.A].ID, Ms: now, OK: s.B == 0}
		if s.B != 0 {
			e.Reason = "it failed (simulated)"
		}
		t.add(e)
	case sim.StepStage:
		t.stageStart(s, now)
	case sim.StepStageEnd, sim.StepStageFail:
		t.stageEnd(s, now)
	case sim.StepLaunch:
		*t.batch.AddStart() = t.launch(s.A)
	case sim.StepEnd:
		t.end(s.A, false)
	case sim.StepAgain:
		t.end(s.A, true)
	}
}

func (t *teller) workerUp(w int32, now table.I64) {
	x := &t.res.Workers[w]
	cpus := int64(1)
	if n, err := strconv.ParseInt(t.s.Log.Settings["spark.task.cpus"], 10, 64); err == nil && n > 0 {
		cpus = n
	}
	t.add(&ingest.WorkerAdded{At: t.at(), Worker: t.names[w], Host: t.host(w), Cores: table.Some(int64(x.Slots) * cpus), Ms: now})
	t.add(&ingest.StoreAdded{At: t.at(), Worker: t.names[w], Host: t.host(w), Ms: now})
}

// reason is in the words by which a loss of its kind is told.
func (t *teller) reason(w int32) string {
	x := &t.res.Workers[w]
	if x.Removal < 0 {
		return "simulated"
	}
	r := &t.res.Lost[x.Removal]
	switch {
	case r.Release:
		return "Executor killed by driver. (simulated)"
	case r.Machine >= 0 && r.Silent:
		return fmt.Sprintf("worker lost: heartbeat timed out after %d ms (simulated)", r.DetectMs-r.GoneMs)
	case r.Machine >= 0:
		return "worker lost: withdrawn (simulated)"
	}
	return "Command exited with code 137 (simulated)"
}

func (t *teller) jobStart(j int32, now table.I64) {
	id := t.s.Run.Jobs[j].ID
	e := &ingest.JobStart{At: t.at(), Job: id, Ms: now, StageIDs: t.listed[id], Properties: t.jobs[id]}
	for _, st := range t.listed[id] {
		if info := t.infos[st]; info != nil {
			e.Stages = append(e.Stages, *info)
		}
	}
	t.add(e)
}

// stageStart finds what the attempt is called: the stage id by which its job
// lists the shuffle, or the stage's first one, and the next attempt of that id.
func (t *teller) stageStart(s *sim.Step, now table.I64) {
	run := t.s.Run
	id := run.Stages[s.A].ID
	props := ingest.JobProperties{}
	if s.C >= 0 {
		job := run.Jobs[s.C].ID
		props = t.jobs[job]
		for _, st := range t.listed[job] {
			if k, ok := run.StageOf[st]; ok && k == s.A {
				id = st
			}
		}
	}
	x := told{id, t.next[id]}
	t.next[id]++
	t.stageID[[2]int32{s.A, s.B}] = x
	info := ingest.StageInfo{Stage: id, HasParents: true}
	if known := t.infos[id]; known != nil {
		info = *known
	}
	info.Attempt, info.Tasks, info.SubmitMs = x.attempt, int64(s.D), now
	t.add(&ingest.StageSubmitted{At: t.at(), Info: info, Properties: props})
}

func (t *teller) stageEnd(s *sim.Step, now table.I64) {
	x := t.stageID[[2]int32{s.A, s.B}]
	info := ingest.StageInfo{Stage: x.stage, Attempt: x.attempt, HasParents: true, CompleteMs: now}
	if known := t.infos[x.stage]; known != nil {
		info = *known
		info.Attempt, info.CompleteMs = x.attempt, now
	}
	if s.Kind == sim.StepStageFail {
		info.Failure = "a reader could not fetch (simulated)"
	}
	t.add(&ingest.StageCompleted{At: t.at(), Info: info})
}

// pieceOf is the piece that an attempt ran, of its stage attempt.
func pieceOf(r *sim.TaskRun) [3]int32 { return [3]int32{r.Stage, r.Attempt, r.Task} }

// numberPieces gives the pieces of each stage attempt their index: the engine
// numbers those that are missing in the order of their partitions, and starts
// them in another order where data is local.
func (t *teller) numberPieces() {
	pieces := map[[2]int32][]int32{}
	for i := range t.res.Tasks {
		r := &t.res.Tasks[i]
		k := [2]int32{r.Stage, r.Attempt}
		pieces[k] = append(pieces[k], r.Task)
	}
	for i := range t.res.Steps {
		s := &t.res.Steps[i]
		if s.Kind != sim.StepStage {
			continue
		}
		k, st := [2]int32{s.A, s.B}, &t.s.Run.Stages[s.A]
		for task := st.First; task < st.Last && s.D == st.Tasks(); task++ {
			pieces[k] = append(pieces[k], task)
		}
	}
	t.index = map[[3]int32]int64{}
	for k, list := range pieces {
		slices.SortFunc(list, func(a, b int32) int {
			return cmp.Compare(t.s.Run.Partition(a), t.s.Run.Partition(b))
		})
		for i, task := range slices.Compact(list) {
			t.index[[3]int32{k[0], k[1], task}] = int64(i)
		}
	}
}

// launch is the start of an attempt.
func (t *teller) launch(tid int32) ingest.TaskStart {
	r := &t.res.Tasks[tid]
	x := t.stageID[[2]int32{r.Stage, r.Attempt}]
	part := int64(t.s.Run.Partition(r.Task))
	k := [3]int64{x.stage, x.attempt, part}
	try := t.tries[k]
	t.tries[k]++
	return ingest.TaskStart{
		At: t.at(), Stage: x.stage, StageAttempt: x.attempt, Task: int64(tid), Index: t.index[pieceOf(r)], Attempt: try, Partition: table.Some(part),
		Worker: t.names[r.Worker], Host: t.host(r.Worker), Locality: "ANY", Speculative: r.Copy, LaunchMs: t.ms(r.StartMs),
	}
}

// end is the end of an attempt, or the notice that its output was lost.
func (t *teller) end(tid int32, again bool) {
	r := &t.res.Tasks[tid]
	x := t.stageID[[2]int32{r.Stage, r.Attempt}]
	part := int64(t.s.Run.Partition(r.Task))
	e := t.batch.AddEnd()
	e.TaskStart = ingest.TaskStart{
		At: t.at(), Stage: x.stage, StageAttempt: x.attempt, Task: int64(tid), Index: t.index[pieceOf(r)], Partition: table.Some(part),
		Worker: t.names[r.Worker], Host: t.host(r.Worker), Locality: "ANY", Speculative: r.Copy, LaunchMs: t.ms(r.StartMs),
	}
	e.TaskType, e.FinishMs, e.Status = "ResultTask", table.Some(t.ms(r.EndMs)), ingest.Status(r.Status)
	if t.s.Run.Stages[r.Stage].Makes >= 0 {
		e.TaskType = "ShuffleMapTask"
	}
	switch {
	case again:
		e.Status = ingest.Resubmitted
	case e.Status == ingest.FetchFailed:
		e.Fetch = &ingest.FetchFailure{Message: "simulated"}
		if r.By >= 0 {
			e.Fetch.Worker, e.Fetch.Host = t.names[r.By], t.host(r.By)
		}
	case e.Status == ingest.WorkerLost:
		e.LossWorker = e.Worker
	case e.Status == ingest.Success:
		t.measure(e, r)
	}
}

// measure gives a success the counts of the recorded attempt of its piece.
func (t *teller) measure(e *ingest.TaskEnd, r *sim.TaskRun) {
	m := t.metrics[t.s.Run.Source[r.Task]]
	if m == nil {
		return
	}
	e.HasMetrics = true
	e.M = ingest.Metrics{
		RunMs: table.Some(r.EndMs - r.StartMs), GCMs: m.GCMs, RemoteBlocks: m.RemoteBlocks, LocalBlocks: m.LocalBlocks, FetchWaitMs: m.FetchWaitMs,
		RemoteReadBytes: m.RemoteReadBytes, LocalReadBytes: m.LocalReadBytes, ReadRecords: m.ReadRecords, WrittenBytes: m.WrittenBytes,
		WrittenRecords: m.WrittenRecords, InputBytes: m.InputBytes, OutputBytes: m.OutputBytes,
	}
}
