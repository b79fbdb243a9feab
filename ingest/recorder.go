package ingest

import (
	"errors"
	"strings"

	"tracereplay/internal/problem"
	"tracereplay/internal/table"
)

// Listener is told of every event in the order of the log, one application at
// a time. Pointers are valid during the call only.
type Listener interface {
	Begin(app string)
	Start(s *TaskStart)
	End(e *TaskEnd)
	Event(e Event, nowMs int64)
	Finish(a *AppFacts) error
}

// AppFacts is what is known of an application when its log ends.
type AppFacts struct {
	App      AppRow
	Workers  []WorkerRow
	Settings map[string]string // scope spark only
	Excluded []Exclusion       // for the whole application, in log order; those taken back, too
}

// RecorderOptions say which log is recorded, and where to.
type RecorderOptions struct {
	Log               int64
	LogName           string
	AppID, AppAttempt string            // as far as the head of the log tells
	Machines          map[string]string // worker -> machine, from --machines
	Compacted         bool
	Sink              table.Sink
	Listener          Listener // may be nil
	// Place finds file, line and byte offset of a seq; may be nil.
	Place func(seq int64) problem.Pos
}

// Summary is what a log held.
type Summary struct {
	Apps     []AppRow
	Events   int64
	Tasks    int64
	Problems map[problem.Kind]int64
	Unknown  map[string]int64
	Notes    []string
}

// Recorder takes the batches of one log in order and writes the ingest tables.
// It keeps what is open (running tasks, workers, stages), never what is done.
type Recorder struct {
	opt     RecorderOptions
	w       *writers
	app     *appState
	pending []Event // before the application is known
	apps    []AppRow
	counts  map[string]int64
	unknown map[string]int64
	probs   map[problem.Kind]int64
	tasks   int64
	lines   int64
	err     error
}

// NewRecorder records one log.
func NewRecorder(opt RecorderOptions) *Recorder {
	return &Recorder{
		opt: opt, w: newWriters(opt.Sink),
		counts: map[string]int64{}, unknown: map[string]int64{}, probs: map[problem.Kind]int64{},
	}
}

// Batch records one batch. Batches must come in the order of the log.
func (r *Recorder) Batch(b *Batch) error {
	for k, n := range b.Counts {
		r.counts[k] += n
	}
	for k, n := range b.Unknown {
		r.unknown[k] += n
	}
	for i := range b.Problems {
		r.problem(b.Problems[i])
	}
	for _, ref := range b.Order {
		switch ref.Kind {
		case RefStart:
			r.current().taskStart(&b.Starts[ref.I])
		case RefEnd:
			r.current().taskEnd(&b.Ends[ref.I])
		case RefOther:
			r.event(b.Others[ref.I])
		}
	}
	return r.err
}

// event routes one event that is no task's. Events before the application's
// own start (its environment, its first workers) wait until its id is known.
func (r *Recorder) event(e Event) {
	switch e := e.(type) {
	case *LogStart:
		r.endApp() // one more attempt in the same file
		r.pending = append(r.pending, e)
	case *AppStart:
		if r.app != nil && r.app.row.ID.OK && e.ID != "" && r.app.key != appKey(e.ID, e.Attempt) {
			r.endApp()
		}
		if r.app == nil {
			r.begin(e.ID, e.Attempt)
		}
		r.app.event(e)
	case *JobStart, *StageSubmitted, *SQLStart:
		r.current().event(e)
	default:
		if r.app == nil {
			r.pending = append(r.pending, e)
			return
		}
		r.app.event(e)
	}
}

// current is the application in progress, begun now if none told its id.
func (r *Recorder) current() *appState {
	if r.app == nil {
		r.begin("", "")
	}
	return r.app
}

// appKey names an application attempt: the first attempt by the id alone.
func appKey(id, attempt string) string {
	if attempt == "" || attempt == "1" {
		return id
	}
	return id + "_" + attempt
}

func (r *Recorder) begin(id, attempt string) {
	if id == "" && len(r.apps) == 0 {
		id, attempt = r.opt.AppID, r.opt.AppAttempt
	}
	key := appKey(id, attempt)
	if key == "" {
		key = strings.TrimSuffix(r.opt.LogName, ".inprogress")
		key = key[strings.LastIndexAny(key, "/!")+1:]
	}
	for _, a := range r.apps {
		if a.App == key { // the same id twice in one file
			key += "_again"
		}
	}
	r.app = newAppState(r, key)
	if r.opt.Listener != nil {
		r.opt.Listener.Begin(key)
	}
	for _, e := range r.pending {
		r.app.event(e)
	}
	r.pending = nil
}

func (r *Recorder) endApp() {
	if r.app == nil {
		return
	}
	r.err = errors.Join(r.err, r.app.finish())
	r.apps = append(r.apps, r.app.row)
	r.app = nil
}

// problem writes one problem.
func (r *Recorder) problem(p problem.Problem) {
	r.probs[p.Kind]++
	row := ProblemRow{
		Log: r.opt.Log, Kind: string(p.Kind), File: p.Pos.File, SkippedBytes: p.Skipped, Event: p.Event, Detail: p.Detail,
		Line: table.I64{V: p.Pos.Line, OK: p.Pos.Line > 0}, Offset: table.I64{V: p.Pos.Offset, OK: p.Pos.Offset >= 0},
		Seq: table.I64{V: p.Seq, OK: p.Seq > 0},
	}
	if r.app != nil {
		row.App = table.Some(r.app.key)
	}
	r.w.problems.Append(&row)
}

// trouble records a problem of an event, at its place.
func (r *Recorder) trouble(kind problem.Kind, seq int64, event, detail string) {
	pos := problem.Pos{File: r.opt.LogName, Offset: -1}
	if r.opt.Place != nil {
		pos = r.opt.Place(seq)
	}
	r.problem(problem.Problem{Kind: kind, Pos: pos, Seq: seq, Event: event, Detail: detail})
}

// Finish ends the log: parts as they were read, and the problems of reading.
func (r *Recorder) Finish(parts []SourceRow, probs []problem.Problem) (Summary, error) {
	if r.app == nil && len(r.pending) > 0 {
		r.begin("", "")
	}
	for _, p := range probs {
		r.problem(p)
	}
	r.endApp()
	for i := range parts {
		r.w.sources.Append(&parts[i])
		r.lines += parts[i].Lines
	}
	writeCounts(r.w.counts, r.opt.Log, r.counts, r.unknown)
	r.err = errors.Join(r.err, r.w.flush())
	return Summary{
		Apps: r.apps, Events: r.lines, Tasks: r.tasks, Problems: r.probs, Unknown: r.unknown, Notes: r.notes(),
	}, r.err
}

// notes are what a reader should know and is no problem.
func (r *Recorder) notes() []string {
	var out []string
	for i := range r.apps {
		a := &r.apps[i]
		if !a.EndMs.OK {
			out = append(out, a.App+": the log has no end (the coordinator died, still runs, or the end was cut off)")
		}
		if a.Streaming {
			out = append(out, a.App+": streaming queries ran; their retained state is not counted in any total")
		}
		if a.Compacted {
			out = append(out, a.App+": a compacted log; the finished work that compaction dropped is missing from every figure")
		}
	}
	return out
}
