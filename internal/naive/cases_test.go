package naive

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"tracereplay/ingest"
	"tracereplay/internal/table"
)

// TestCases runs testdata: tiny runs drawn as tables, with the figures worked
// out by hand beside them. All times are ms, and every log ends at 1000.
//
//	run [updates] [shared]   the lines of a run (see drawing.line); prints what stands where
//	needs                    prints the needs
//	at UNIT MS...            the figures that are not zero, and the pieces behind them
//	over-time KIND           the worst step of each unit, and the expected cost of a removal
func TestCases(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var w *World
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "run":
				var err error
				if w, err = Load(draw(t, d)); err != nil {
					t.Fatal(err)
				}
				return showWorld(w)
			case "needs":
				return showNeeds(w)
			case "at":
				return showFigures(t, w, d)
			case "over-time":
				return showOverTime(w, Kind(d.CmdArgs[0].Key))
			}
			t.Fatalf("%s: unknown command %s", d.Pos, d.Cmd)
			return ""
		})
	})
}

// drawing turns the lines of a case into ingest rows. Events get their place in
// the log from their times; of one instant, what ends comes before what starts.
type drawing struct {
	t      *testing.T
	rows   *Rows
	events []drawnEvent
	stages map[string]*ingest.StageRow
	tasks  []*ingest.TaskRow
	works  []*ingest.WorkerRow
	failed []ingest.FetchFailureRow
}

type drawnEvent struct {
	ms   int64
	rank int
	set  func(seq int64)
}

func draw(t *testing.T, d *datadriven.TestData) *Rows {
	some := table.Some[int64]
	x := &drawing{t: t, rows: &Rows{}, stages: map[string]*ingest.StageRow{}}
	r := x.rows
	r.Apps = []ingest.AppRow{{App: "app", Version: "3.5.5", FirstMs: some(0), LastMs: some(1000), BlockUpdates: d.HasArg("updates")}}
	r.Settings = []ingest.SettingRow{{App: "app", Setting: ingest.Setting{
		Scope: "spark", Name: "spark.shuffle.service.enabled", Value: strconv.FormatBool(d.HasArg("shared")),
	}}}
	r.Jobs = []ingest.JobRow{{App: "app", SubmitMs: some(0), SubmitSeq: some(0)}}
	for line := range strings.Lines(d.Input) {
		if line, _, _ = strings.Cut(line, "//"); strings.TrimSpace(line) != "" {
			x.line(strings.Fields(line))
		}
	}
	slices.SortStableFunc(x.events, func(a, b drawnEvent) int { return cmp.Or(cmp.Compare(a.ms, b.ms), cmp.Compare(a.rank, b.rank)) })
	for i, e := range x.events {
		e.set(int64(i + 1))
	}
	for _, s := range x.stages {
		r.Stages = append(r.Stages, *s)
		r.JobStages = append(r.JobStages, ingest.JobStageRow{App: "app", Stage: s.Info.Stage})
	}
	for _, w := range x.works {
		r.Workers = append(r.Workers, *w)
	}
	for _, task := range x.tasks {
		r.Tasks = append(r.Tasks, *task)
	}
	for _, f := range x.failed {
		for _, task := range x.tasks {
			if task.Task == f.Task {
				f.Seq, f.Ms, f.Stage, f.Attempt = task.EndSeq.V, task.FinishMs, task.Stage, task.StageAttempt
			}
		}
		r.FetchFailures = append(r.FetchFailures, f)
	}
	return r
}

func (x *drawing) event(ms int64, rank int, set func(seq int64)) {
	x.events = append(x.events, drawnEvent{ms, rank, set})
}

// line takes one line of a run:
//
//	worker NAME@MACHINE FROM-[TO] [REASON]
//	rdd ID parts=N [class=NAME] [parents=ID,ID] [persisted] [indeterminate]
//	stage S.A map|result rdds=OWN,ID [parents=S,S] tasks=N FROM-[TO]
//	task ID S.A p=P on=WORKER FROM-[TO] [bytes=N] [blocks=N] [copy] [failed] [unread=TASK@WORKER]
//	block RDD.P on=WORKER MS [bytes=N] [dropped]
//	store WORKER gone|back MS
func (x *drawing) line(f []string) {
	a := x.args(f[1:])
	some := table.Some[int64]
	switch f[0] {
	case "worker":
		name, machine, _ := strings.Cut(f[1], "@")
		w := &ingest.WorkerRow{App: "app", Worker: name, Machine: table.Some(machine), AddedMs: some(a.from)}
		x.event(a.from, 5, func(seq int64) { w.AddedSeq = some(seq) })
		if a.to.OK {
			w.RemovedMs = a.to
			w.Reason = table.NonEmpty(strings.ReplaceAll(a.word, "_", " "))
			x.event(a.to.V, 2, func(seq int64) { w.RemovedSeq = some(seq) })
		}
		x.works = append(x.works, w)
	case "rdd":
		row := ingest.RDDRow{App: "app", RDDInfo: ingest.RDDInfo{RDD: x.int(f[1]), Name: a.get("class", "MapPartitionsRDD"), Partitions: x.int(a.get("parts", "0")), UseMemory: a.is["persisted"]}}
		if a.is["indeterminate"] {
			row.Deterministic = "INDETERMINATE"
		}
		x.rows.RDDs = append(x.rows.RDDs, row)
		for _, p := range x.ints(a.get("parents", "")) {
			x.rows.RDDParents = append(x.rows.RDDParents, ingest.RDDParentRow{App: "app", RDD: row.RDD, Parent: p})
		}
	case "stage":
		x.stage(f[1], a)
	case "task":
		x.task(f, a)
	case "block":
		rdd, part, _ := strings.Cut(f[1], ".")
		row := ingest.BlockRow{App: "app", From: "block_update", Ms: some(x.int(f[3]))}
		row.RDD, row.Partition, row.Worker, row.Valid = some(x.int(rdd)), some(x.int(part)), a.get("on", ""), !a.is["dropped"]
		row.MemoryBytes = x.int(a.get("bytes", "0"))
		x.event(row.Ms.V, 0, func(seq int64) {
			row.Seq = seq
			x.rows.Blocks = append(x.rows.Blocks, row)
		})
	case "store":
		row := ingest.StoreRow{App: "app", Worker: f[1], Added: f[2] == "back", Ms: some(x.int(f[3]))}
		x.event(row.Ms.V, 3, func(seq int64) {
			row.Seq = seq
			x.rows.Stores = append(x.rows.Stores, row)
		})
	default:
		x.t.Fatalf("unknown line %q", f)
	}
}

func (x *drawing) stage(name string, a drawnArgs) {
	some := table.Some[int64]
	id, attempt := x.pair(name)
	rdds := x.ints(a.get("rdds", ""))
	s := &ingest.StageRow{App: "app", Kind: table.Some("result"), Info: ingest.StageInfo{
		Stage: id, Attempt: attempt, Tasks: x.int(a.get("tasks", "0")), SubmitMs: some(a.from), CompleteMs: a.to, RDDs: []ingest.RDDInfo{{RDD: rdds[0]}},
	}}
	if a.is["map"] {
		s.Kind = table.Some("map")
	}
	x.event(a.from, 6, func(seq int64) { s.SubmitSeq = some(seq) })
	if a.to.OK {
		x.event(a.to.V, 4, func(seq int64) { s.CompleteSeq = some(seq) })
	}
	x.stages[name] = s
	for i, r := range rdds {
		persisted := slices.ContainsFunc(x.rows.RDDs, func(y ingest.RDDRow) bool { return y.RDD == r && y.UseMemory })
		x.rows.StageRDDs = append(x.rows.StageRDDs, ingest.StageRDDRow{App: "app", Stage: id, Attempt: attempt, RDD: r, Ordinal: int64(i), Persisted: persisted})
	}
	if attempt == 0 {
		for _, p := range x.ints(a.get("parents", "")) {
			x.rows.StageParents = append(x.rows.StageParents, ingest.StageParentRow{App: "app", Stage: id, Parent: p})
		}
	}
}

func (x *drawing) task(f []string, a drawnArgs) {
	some := table.Some[int64]
	row := &ingest.TaskRow{App: "app"}
	row.Task = x.int(f[1])
	row.Stage, row.StageAttempt = x.pair(f[2])
	row.Partition, row.Worker, row.LaunchMs, row.FinishMs = some(x.int(a.get("p", "0"))), a.get("on", ""), a.from, a.to
	row.Speculative, row.Status = a.is["copy"], ingest.Success
	for _, y := range x.tasks {
		if y.Stage == row.Stage && y.StageAttempt == row.StageAttempt && y.Partition != row.Partition {
			row.Index++
		}
	}
	row.M.RemoteBlocks = some(x.int(a.get("blocks", "0")))
	row.M.WrittenBytes = some(x.int(a.get("bytes", "0")))
	if a.is["failed"] {
		row.Status = ingest.Failed
	}
	if u := a.get("unread", ""); u != "" {
		task, worker, _ := strings.Cut(u, "@")
		row.Status = ingest.FetchFailed
		ff := ingest.FetchFailureRow{App: "app", Task: row.Task, Reader: row.Worker}
		ff.Worker, ff.Map = worker, some(x.int(task))
		for _, y := range x.tasks {
			if y.Task == ff.Map.V {
				ff.MapIndex = y.Partition
			}
		}
		x.failed = append(x.failed, ff)
	}
	x.event(a.from, 7, func(seq int64) { row.StartSeq = some(seq) })
	if a.to.OK {
		x.event(a.to.V, 1, func(seq int64) { row.EndSeq = some(seq) })
	} else {
		row.Status = ingest.Running
	}
	x.tasks = append(x.tasks, row)
}

// drawnArgs are the words of a line: k=v, a span FROM-[TO], and others.
type drawnArgs struct {
	kv   map[string]string
	is   map[string]bool
	from int64
	to   table.I64
	word string // after the span
}

func (a drawnArgs) get(k, def string) string {
	if v, ok := a.kv[k]; ok {
		return v
	}
	return def
}

func (x *drawing) args(words []string) drawnArgs {
	a := drawnArgs{kv: map[string]string{}, is: map[string]bool{}}
	spanned := false
	for _, w := range words {
		if k, v, ok := strings.Cut(w, "="); ok {
			a.kv[k] = v
			continue
		}
		if from, to, ok := strings.Cut(w, "-"); ok && !spanned {
			a.from, spanned = x.int(from), true
			if to != "" {
				a.to = table.Some(x.int(to))
			}
			continue
		}
		a.is[w] = true
		if spanned {
			a.word = w
		}
	}
	return a
}

func (x *drawing) int(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		x.t.Fatal(err)
	}
	return n
}

func (x *drawing) ints(s string) []int64 {
	var out []int64
	for f := range strings.SplitSeq(s, ",") {
		if f != "" {
			out = append(out, x.int(f))
		}
	}
	return out
}

func (x *drawing) pair(s string) (a, b int64) {
	l, r, _ := strings.Cut(s, ".")
	return x.int(l), x.int(r)
}

// The text forms of what was derived.

func showWorld(w *World) string {
	var b strings.Builder
	names := func(list []*dataset) []string {
		var out []string
		for _, d := range list {
			out = append(out, d.String())
		}
		slices.Sort(out)
		return out
	}
	sorted := slices.SortedFunc(slices.Values(w.datasets), func(a, c *dataset) int { return cmp.Compare(a.String(), c.String()) })
	for _, d := range sorted {
		fmt.Fprintf(&b, "%s", d)
		if len(d.inputs) > 0 {
			fmt.Fprintf(&b, " from %s", strings.Join(names(d.inputs), ", "))
		}
		b.WriteByte('\n')
		for part := range d.size {
			for _, o := range d.pieces[part] {
				fmt.Fprintf(&b, "  %d: made %d cost %d", part, o.made, o.cost)
				for _, s := range o.stays {
					fmt.Fprintf(&b, ", %s %d-%d", s.holder, s.from, s.to)
					if s.reason != "" {
						fmt.Fprintf(&b, " %s", s.reason)
					}
				}
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}

func showNeeds(w *World) string {
	var lines []string
	opt := func(v table.I64) string {
		if !v.OK {
			return "null"
		}
		return strconv.FormatInt(v.V, 10)
	}
	for _, n := range w.needs {
		dense := "unknown"
		if n.isKnown {
			dense = strconv.FormatBool(n.isDense)
		}
		lines = append(lines, fmt.Sprintf("%s by %d.%d: from %s submit %s last start %s until %d dense %s\n",
			n.of, n.round.stage, n.round.attempt, opt(n.from), opt(n.submit), opt(n.lastStart), n.until, dense))
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

func showFigures(t *testing.T, w *World, d *datadriven.TestData) string {
	var b strings.Builder
	kind := Kind(d.CmdArgs[0].Key)
	name := d.CmdArgs[1].Key
	i := slices.IndexFunc(w.Units(kind), func(u Unit) bool { return u.Name == name })
	if i < 0 {
		t.Fatalf("%s: no %s %s", d.Pos, kind, name)
	}
	u := w.Units(kind)[i]
	for _, arg := range d.CmdArgs[2:] {
		ms, err := strconv.ParseInt(arg.Key, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		f := w.At(u, ms)
		fmt.Fprintf(&b, "%s %s at %d:\n", kind, name, ms)
		line := func(label string, pieces []Piece, nums ...any) {
			if nums[0] == int64(0) && nums[2] == int64(0) {
				return
			}
			fmt.Fprintf(&b, "  %s", label)
			for i := 0; i+1 < len(nums); i += 2 {
				fmt.Fprintf(&b, " %v %s", nums[i], nums[i+1])
			}
			for _, p := range pieces {
				fmt.Fprintf(&b, " %s[%d]", p.Dataset, p.Partition)
			}
			b.WriteByte('\n')
		}
		line("in flight", nil, f.InFlightTasks, "tasks", f.InFlightMs, "ms")
		line("owed", f.OwedPieces, f.OwedOutputs, "outputs", f.OwedMs, "ms", f.OwedBytes, "bytes:")
		line("owed low", nil, f.OwedLowOutputs, "outputs", f.OwedLowMs, "ms")
		line("climb", f.ClimbPieces, f.ClimbOutputs, "outputs", f.ClimbMs, "ms", f.ClimbBytes, "bytes:")
		line("climb low", nil, f.ClimbLowOutputs, "outputs", f.ClimbLowMs, "ms")
		line("cached", f.CachedPieces, f.CachedBlocks, "blocks", f.CachedMs, "ms", f.CachedBytes, "bytes:")
		line("interrupted", nil, f.InterruptedHigh, "tasks", f.InterruptedHighMs, "ms")
		line("recompute", nil, f.RecomputeMs, "ms, low", f.RecomputeLowMs, "ms")
		line("engine redo", nil, f.EngineRedoOutputs, "outputs", f.EngineRedoMs, "ms")
		line("oldest", nil, f.OldestLostAgeMs.V, "ms ago,", f.RoundsLive, "rounds,", f.Known, "known")
	}
	return b.String()
}

func showOverTime(w *World, kind Kind) string {
	var b strings.Builder
	for _, u := range w.Units(kind) {
		if s, ok := w.Worst(u); ok {
			fmt.Fprintf(&b, "%s alive %d-%d: worst in %d-%d, %d ms\n", u.Name, u.From, u.To, s.From, s.Until, s.SupremumMs)
		}
	}
	e, _ := w.ExpectedMs(kind)
	fmt.Fprintf(&b, "expected %.3f ms\n", e)
	return b.String()
}
