package ingest

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	"tracereplay/internal/problem"
	"tracereplay/internal/table"
)

// appState is what is open of one application while its log is read.
type appState struct {
	r   *Recorder
	key string
	row AppRow
	now int64 // latest time so far

	settings   map[string]string
	taskCPUs   int64
	profiles   map[int64]*Profile
	kubernetes bool

	workers  map[string]*WorkerRow
	running  map[int64]openTask
	jobs     map[int64]*JobRow
	doneJob  []JobRow
	listed   map[int64][]int64 // stage -> running jobs that list it, ascending
	stageIDs map[int64][]int64 // running job -> its stages
	seen     map[int64]bool    // stages whose RDDs were written
	stages   map[stageKey]*StageRow
	rdds     map[int64]uint64 // hash of the description last written
	seed     maphash.Seed
	sqls     map[int64]*openSQL
	excluded *Exclusion // the last one
	shunned  []Exclusion
	queries  []*QueryRow
}

type stageKey struct{ stage, attempt int64 }

// openTask is a launched task without an end so far.
type openTask struct {
	start TaskStart
}

type openSQL struct {
	row   SQLRow
	nodes []PlanNode
}

func newAppState(r *Recorder, key string) *appState {
	return &appState{
		r: r, key: key, row: AppRow{App: key, Log: r.opt.Log, Engine: "spark", Compacted: r.opt.Compacted},
		settings: map[string]string{}, taskCPUs: 1, profiles: map[int64]*Profile{},
		workers: map[string]*WorkerRow{}, running: map[int64]openTask{}, jobs: map[int64]*JobRow{},
		listed: map[int64][]int64{}, stageIDs: map[int64][]int64{}, seen: map[int64]bool{}, stages: map[stageKey]*StageRow{},
		rdds: map[int64]uint64{}, seed: maphash.MakeSeed(), sqls: map[int64]*openSQL{},
	}
}

// clock takes note of a time.
func (a *appState) clock(ms table.I64) {
	if !ms.OK {
		return
	}
	if !a.row.FirstMs.OK || ms.V < a.row.FirstMs.V {
		a.row.FirstMs = ms
	}
	if !a.row.LastMs.OK || ms.V > a.row.LastMs.V {
		a.row.LastMs = ms
	}
	a.now = max(a.now, ms.V)
}

// line takes note of the lines that belong to the application.
func (a *appState) line(seq int64) {
	if a.row.FirstSeq == 0 {
		a.row.FirstSeq = seq
	}
	a.row.LastSeq = max(a.row.LastSeq, seq)
}

// nowMs is the time for events that carry none.
func (a *appState) nowMs() table.I64 { return table.I64{V: a.now, OK: a.now > 0} }

func (a *appState) trouble(kind problem.Kind, seq int64, event, format string, args ...any) {
	a.r.trouble(kind, seq, event, fmt.Sprintf(format, args...))
}

// event records one event and hands it on.
func (a *appState) event(e Event) {
	a.line(e.Line())
	switch e := e.(type) {
	case *LogStart:
		a.row.Version = e.Version
	case *AppStart:
		a.appStart(e)
	case *AppEnd:
		a.clock(e.Ms)
		a.row.EndMs = e.Ms
	case *Settings:
		a.addSettings(e)
	case *Profile:
		a.profiles[e.ID] = e
	case *WorkerAdded:
		a.workerAdded(e)
	case *WorkerRemoved:
		a.workerRemoved(e)
	case *StoreAdded:
		a.storeAdded(e)
	case *StoreRemoved:
		a.storeRemoved(e)
	case *Exclusion:
		a.clock(e.Ms)
		if a.excluded == nil || !e.Same(a.excluded) { // the engine posts each under an old and a new name
			a.r.w.exclusions.Append(&ExclusionRow{a.key, *e})
			if !e.Stage.OK {
				a.shunned = append(a.shunned, *e)
			}
		}
		a.excluded = e
	case *JobStart:
		a.jobStart(e)
	case *JobEnd:
		a.jobEnd(e)
	case *StageSubmitted:
		a.stageSubmitted(e)
	case *StageCompleted:
		a.stageCompleted(e)
	case *BlockUpdate:
		a.block("block_update", e)
	case *Unpersist:
		a.r.w.unpersists.Append(&UnpersistRow{App: a.key, Seq: e.Seq, RDD: e.RDD, Ms: a.nowMs()})
	case *SQLStart:
		a.sqlStart(e)
	case *SQLPlan:
		a.sqlPlan(e)
	case *SQLEnd:
		a.sqlEnd(e)
	case *Progress:
		a.progress(e)
	case *StreamEvent:
		a.streamEvent(e)
	}
	if l := a.r.opt.Listener; l != nil {
		l.Event(e, a.now)
	}
}

func (a *appState) appStart(e *AppStart) {
	a.clock(e.Ms)
	a.row.ID, a.row.Attempt = table.NonEmpty(e.ID), table.NonEmpty(e.Attempt)
	a.row.Name, a.row.User = table.NonEmpty(e.Name), table.NonEmpty(e.User)
	a.row.StartMs = e.Ms
}

// addSettings keeps the first value of every key: later environments repeat
// the first with files and jars added.
func (a *appState) addSettings(e *Settings) {
	for i := range e.Values {
		s := &e.Values[i]
		id := s.Scope + "\x00" + s.Name
		if _, ok := a.settings[id]; ok {
			continue
		}
		a.settings[id] = s.Value
		a.r.w.settings.Append(&SettingRow{a.key, *s})
	}
	a.row.TimeZone = table.NonEmpty(a.settings["system\x00user.timezone"])
	a.row.Manager = table.NonEmpty(clusterManager(a.settings))
	a.kubernetes = a.row.Manager.V == "kubernetes"
	if n, ok := atoi(a.settings["spark\x00spark.task.cpus"]); ok && n > 0 {
		a.taskCPUs = n
	}
}

// clusterManager tells from the settings who gave the machines.
func clusterManager(s map[string]string) string {
	master := s["spark\x00spark.master"]
	_, databricks := s["spark\x00spark.databricks.clusterUsageTags.clusterId"]
	switch {
	case databricks:
		return "databricks"
	case strings.HasPrefix(master, "local"):
		return "local"
	case strings.HasPrefix(master, "yarn"):
		return "yarn"
	case strings.HasPrefix(master, "k8s:"):
		return "kubernetes"
	case strings.HasPrefix(master, "spark:"):
		return "standalone"
	case strings.HasPrefix(master, "mesos:"):
		return "mesos"
	}
	return ""
}

func (a *appState) block(from string, e *BlockUpdate) {
	a.row.BlockUpdates = true
	a.r.w.blocks.Append(&BlockRow{App: a.key, From: from, Ms: a.nowMs(), BlockUpdate: *e})
}

// atoi reads a plain decimal.
func atoi(s string) (int64, bool) {
	if s == "" || len(s) > 18 {
		return 0, false
	}
	var n int64
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

// finish writes what is still open and hands the application's facts on.
func (a *appState) finish() error {
	a.finishTasks()
	for _, k := range slices.SortedFunc(maps.Keys(a.stages), func(x, y stageKey) int {
		return cmp.Or(cmp.Compare(a.stages[x].SubmitSeq.V, a.stages[y].SubmitSeq.V), cmp.Compare(x.stage, y.stage), cmp.Compare(x.attempt, y.attempt))
	}) {
		a.r.w.stages.Append(a.stages[k])
	}
	jobs := a.doneJob
	for _, id := range slices.Sorted(maps.Keys(a.jobs)) {
		jobs = append(jobs, *a.jobs[id])
	}
	slices.SortStableFunc(jobs, func(x, y JobRow) int { return cmp.Compare(x.Job, y.Job) })
	for i := range jobs {
		a.r.w.jobs.Append(&jobs[i])
	}
	for _, id := range slices.Sorted(maps.Keys(a.sqls)) {
		a.writeSQL(a.sqls[id])
	}
	for _, q := range a.queries {
		a.r.w.queries.Append(q)
	}
	workers := a.finishWorkers()
	a.writeMachines(workers)
	a.r.w.apps.Append(&a.row)
	if l := a.r.opt.Listener; l != nil {
		return l.Finish(&AppFacts{App: a.row, Workers: workers, Settings: a.sparkSettings(), Excluded: a.shunned})
	}
	return nil
}

func (a *appState) sparkSettings() map[string]string {
	out := map[string]string{}
	for k, v := range a.settings {
		if name, ok := strings.CutPrefix(k, "spark\x00"); ok {
			out[name] = v
		}
	}
	return out
}
