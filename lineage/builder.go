package lineage

import (
	"slices"

	"tracereplay/ingest"
	"tracereplay/internal/table"
)

// Builder listens to a Recorder and writes the lineage tables.
type Builder struct {
	w   *writers
	app *app
}

// NewBuilder writes to sink.
func NewBuilder(sink table.Sink) *Builder { return &Builder{w: newWriters(sink)} }

// Begin starts an application.
func (b *Builder) Begin(key string) { b.app = newApp(key, b.w) }

// Start follows a launch.
func (b *Builder) Start(s *ingest.TaskStart) { b.app.taskStart(s) }

// End follows an end.
func (b *Builder) End(e *ingest.TaskEnd) { b.app.taskEnd(e) }

// Event follows any other event.
func (b *Builder) Event(e ingest.Event, nowMs int64) { b.app.event(e, nowMs) }

// Finish writes the application's rows.
func (b *Builder) Finish(f *ingest.AppFacts) error {
	b.app.finish(f)
	b.app = nil
	return b.w.flush()
}

// app is the state of one application: what the engine's own tracker knew.
// Tasks and outputs are kept in compact form, at most 100 bytes each.
type app struct {
	key      string
	w        *writers
	now      int64
	version  string
	settings map[string]string
	rules    Rules
	storage  Storage
	ruled    bool

	workers  []worker
	workerID map[string]int32
	byHost   map[string][]int32 // ascending; those whose host is known

	rdds     map[int64]*rdd
	stages   map[int64]*stage
	attempts map[attemptKey]*attempt
	order    []*attempt // in order of submission
	jobs     map[int64]*job
	expected []*attempt // never submitted: what unfinished jobs might still have read

	datasets []*dataset
	byKey    map[datasetKey]*dataset

	outputs outputList
	ends    []end
	extras  []residence
	byTask  map[int64]int32 // task -> output; built when a log first needs it

	running         map[int64]*runningTask
	reruns          []rerun
	hasBlockUpdates bool

	check           *checker
	launched, ended int64
	lastTask        int64
	lastLossSeq     int64
}

// worker is a worker and what was lost with it.
type worker struct {
	id, host        string
	machine         table.Str
	lostSeq         int64   // 0 = not lost
	lostEnd         int32   // index into ends
	filesSeq        int64   // line at which its map outputs were last given up, 0 = never
	storeHeld       []int32 // blocks that went with its block store, until it is back
	removedSeq      int64
	firstSeq        int64 // first line that tells of its loss
	lifeMs          int64 // last sign of life
	storeRemovedSeq int64
	blamed          bool    // a fetch failure named it
	held            []int32 // outputs that stood here, replaced ones among them
}

type attemptKey struct{ stage, attempt int64 }

func newApp(key string, w *writers) *app {
	return &app{
		key: key, w: w, settings: map[string]string{}, workerID: map[string]int32{}, byHost: map[string][]int32{},
		rdds: map[int64]*rdd{}, stages: map[int64]*stage{}, attempts: map[attemptKey]*attempt{},
		byKey: map[datasetKey]*dataset{}, jobs: map[int64]*job{}, running: map[int64]*runningTask{}, check: newChecker(), lastTask: -1,
	}
}

// event follows one event that is no task's.
func (a *app) event(e ingest.Event, now int64) {
	a.now = max(a.now, now)
	switch e := e.(type) {
	case *ingest.LogStart:
		a.version = e.Version
	case *ingest.Settings:
		for _, s := range e.Values {
			if _, ok := a.settings[s.Name]; !ok && s.Scope == "spark" {
				a.settings[s.Name] = s.Value
			}
		}
	case *ingest.WorkerAdded:
		a.worker(e.Worker, e.Host)
	case *ingest.StoreAdded:
		w := a.worker(e.Worker, e.Host)
		if a.workers[w].removedSeq == 0 {
			a.storeBack(w, e.Seq)
		}
	case *ingest.WorkerRemoved:
		a.workerRemoved(e)
	case *ingest.StoreRemoved:
		a.storeRemoved(e)
	case *ingest.JobStart:
		a.jobStart(e)
	case *ingest.JobEnd:
		a.jobEnd(e)
	case *ingest.StageSubmitted:
		a.stageSubmitted(e)
	case *ingest.StageCompleted:
		a.stageCompleted(e)
	case *ingest.BlockUpdate:
		a.blockUpdate(e)
	case *ingest.Unpersist:
		a.unpersist(e)
	case *ingest.Progress:
		a.committed(e)
	}
}

// settle fixes the rules once, when the first stage is submitted: by then the
// version and the settings are known.
func (a *app) settle() {
	if a.ruled {
		return
	}
	a.ruled = true
	a.rules = rulesFor(a.version, a.settings)
	a.storage = storageFor(a.settings)
}

// worker is the index of a worker, made when first heard of.
func (a *app) worker(id, host string) int32 {
	i, ok := a.workerID[id]
	if !ok {
		i = int32(len(a.workers))
		a.workerID[id] = i
		a.workers = append(a.workers, worker{id: id, lostEnd: -1})
	}
	if a.workers[i].host == "" && host != "" {
		a.workers[i].host = host
		at, _ := slices.BinarySearch(a.byHost[host], i)
		a.byHost[host] = slices.Insert(a.byHost[host], at, i)
	}
	return i
}

// onHost lists the workers of a host; of none, those of which it is not known.
func (a *app) onHost(host string) []int32 {
	if host != "" {
		return a.byHost[host]
	}
	var out []int32
	for i := range a.workers {
		if a.workers[i].host == "" {
			out = append(out, int32(i))
		}
	}
	return out
}

func (a *app) machineOf(w int32) table.Str { return a.workers[w].machine }
