package replay_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tracereplay/ingest"
	"tracereplay/internal/table"
	"tracereplay/lineage"
)

// drawn is a small run drawn as a text: sections that begin with the name of a
// table and its columns, then one line a row. A - is null. What is left out has
// a plain value: see the readers of the sections below.
//
//	end 100
//	worker machine
//	a      m1
//	task worker stage start end makes
//	0    a      0     0     10  s0.0       (an output of s0, partition 0, on worker:a from 10 on)
//	dataset kind inputs
//	s0      shuffle -
//	need by submit last_start until dense
//	s0   1  20     20         40    yes
//	residence holder from to                (these instead of worker:a from 10 on)
//	s0.0      machine:m1 10 -
//	removal kind       unit_kind unit gone workers
//	1       withdrawal machine   m1   30   a
type drawn struct {
	end        int64
	workers    []ingest.WorkerRow
	machines   []ingest.MachineRow
	attempts   []lineage.AttemptRow
	datasets   []lineage.DatasetRow
	inputs     []lineage.InputRow
	needs      []lineage.NeedRow
	outputs    []lineage.OutputRow
	holders    []lineage.HolderRow
	residences []lineage.ResidenceRow
	removals   []lineage.RemovalRow
	taken      []lineage.RemovalWorkerRow
	lines      []ingest.TaskRow // where the log tells of attempts

	names  []string         // datasets by number
	made   map[string]int64 // the last output of a piece, by the name in the drawing
	placed map[string]bool  // outputs whose residences are drawn
}

const drawnApp = "app"

// row is one line of a section.
type row map[string]string

func (r row) int(col string) int64 {
	n, err := strconv.ParseInt(r[col], 10, 64)
	if err != nil {
		panic(fmt.Sprintf("column %s of %v: %v", col, r, err))
	}
	return n
}

// opt is null when the column is - or not drawn.
func (r row) opt(col string) table.I64 {
	if r.text(col, "") == "" {
		return table.I64{}
	}
	return table.Some(r.int(col))
}

func (r row) text(col, otherwise string) string {
	if v, ok := r[col]; ok && v != "-" {
		return v
	}
	return otherwise
}

func (r row) list(col string) []string {
	if r.text(col, "") == "" {
		return nil
	}
	return strings.Split(r[col], ",")
}

// draw reads a drawing.
func draw(text string) (*drawn, error) {
	d := &drawn{made: map[string]int64{}, placed: map[string]bool{}}
	sections := map[string]func(row){
		"worker": d.worker, "machine": d.machine, "task": d.task, "dataset": d.dataset, "need": d.need, "holder": d.holder, "residence": d.residence,
		"removal": d.removal,
	}
	var add func(row)
	var cols []string
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		f := strings.Fields(line)
		switch {
		case len(f) == 0:
		case f[0] == "end":
			d.end = row{"end": f[1]}.int("end")
		case sections[f[0]] != nil && len(f) > 1 && !slices.Contains([]string{"", "-"}, f[1]) && isHeader(f):
			add, cols = sections[f[0]], f
		case add == nil || len(f) > len(cols):
			return nil, fmt.Errorf("%q has no section, or too many columns", line)
		default:
			r := row{}
			for i := range f {
				r[cols[i]] = f[i]
			}
			add(r)
		}
	}
	d.finish()
	return d, nil
}

// isHeader tells a line of column names from a row.
func isHeader(f []string) bool {
	known := []string{
		"worker", "machine", "from", "to", "coordinator", "task", "stage", "start", "end", "makes", "bytes", "dataset", "kind", "inputs", "rollback",
		"need", "by", "submit", "last_start", "until", "dense", "holder", "dies_with", "service", "residence", "known", "cost",
		"removal", "unit_kind", "unit", "gone", "workers", "name", "partitions", "reason", "slots", "job",
	}
	for _, x := range f {
		if !slices.Contains(known, x) {
			return false
		}
	}
	return true
}

func (d *drawn) worker(r row) {
	m := table.NonEmpty(r.text("machine", ""))
	d.workers = append(d.workers, ingest.WorkerRow{
		App: drawnApp, Worker: r["worker"], Machine: m, IsCoordinator: r["coordinator"] == "yes",
		AddedMs: table.Some(int64(0)), RemovedMs: r.opt("to"), Slots: r.opt("slots"),
	})
	if f := r.opt("from"); f.OK {
		d.workers[len(d.workers)-1].AddedMs = f
	}
	d.holders = append(d.holders, lineage.HolderRow{
		App: drawnApp, Holder: "worker:" + r["worker"], DiesWith: "worker", Worker: table.Some(r["worker"]), Machine: m,
	})
	isNew := m.OK && !slices.ContainsFunc(d.machines, func(x ingest.MachineRow) bool { return x.Machine == m.V })
	if isNew {
		d.machines = append(d.machines, ingest.MachineRow{App: drawnApp, Machine: m.V})
		d.holders = append(d.holders, lineage.HolderRow{App: drawnApp, Holder: "machine:" + m.V, DiesWith: "machine", Machine: m})
	}
	if r["coordinator"] == "yes" {
		for i := range d.machines {
			d.machines[i].IsCoordinator = d.machines[i].IsCoordinator || d.machines[i].Machine == m.V
		}
	}
}

func (d *drawn) machine(r row) {}

func (d *drawn) dataset(r row) {
	n := d.number(r["dataset"])
	d.datasets = append(d.datasets, lineage.DatasetRow{
		App: drawnApp, Dataset: n, Kind: r.text("kind", "shuffle"), Name: r.text("name", r["dataset"]), Replication: 1, Partitions: r.opt("partitions"), Rollback: r["rollback"] == "yes",
		Known: r.text("known", lineage.Derived),
	})
	for _, in := range r.list("inputs") {
		d.inputs = append(d.inputs, lineage.InputRow{App: drawnApp, Dataset: n, Input: d.number(in), Known: lineage.Derived})
	}
}

// number of a dataset, by name, in order of appearance.
func (d *drawn) number(name string) int64 {
	i := slices.Index(d.names, name)
	if i < 0 {
		d.names = append(d.names, name)
		i = len(d.names) - 1
	}
	return int64(i)
}

func (d *drawn) task(r row) {
	id := r.int("task")
	stage, attempt, _ := strings.Cut(r["stage"], ".")
	a := lineage.AttemptRow{
		App: drawnApp, Task: id, Stage: row{"n": stage}.int("n"), Worker: r["worker"], StartMs: r.int("start"), EndMs: r.int("end"), Ended: true,
		Status: "success", Index: id,
	}
	if attempt != "" {
		a.StageAttempt = row{"n": attempt}.int("n")
	}
	a.Job = r.opt("job")
	for _, name := range r.list("makes") {
		d.output(r, &a, name)
	}
	d.attempts = append(d.attempts, a)
}

// output adds what a task made: NAME.PARTITION.
func (d *drawn) output(r row, a *lineage.AttemptRow, name string) {
	set, part, _ := strings.Cut(name, ".")
	o := lineage.OutputRow{
		App: drawnApp, Output: int64(len(d.outputs)), Dataset: d.number(set), Partition: row{"n": part}.int("n"), Task: table.Some(a.Task),
		Stage: table.Some(a.Stage), StageAttempt: table.Some(a.StageAttempt), Worker: a.Worker, MadeMs: a.EndMs, CostMs: a.EndMs - a.StartMs,
		Bytes: r.opt("bytes"), Known: r.text("known", lineage.Logged),
	}
	d.made[name] = o.Output
	d.outputs = append(d.outputs, o)
}

func (d *drawn) need(r row) {
	stage, attempt, _ := strings.Cut(r["by"], ".")
	n := lineage.NeedRow{
		Job: r.opt("job"),
		App: drawnApp, Dataset: d.number(r["need"]), Stage: row{"n": stage}.int("n"), FromMs: r.opt("from"), SubmitMs: r.opt("submit"),
		LastStartMs: r.opt("last_start"), UntilMs: r.int("until"), Known: lineage.Derived,
	}
	if attempt != "" {
		n.StageAttempt = row{"n": attempt}.int("n")
	}
	if v := r.text("dense", ""); v != "" {
		n.Dense = table.Some(v == "yes")
	}
	d.needs = append(d.needs, n)
}

func (d *drawn) holder(r row) {
	d.holders = append(d.holders, lineage.HolderRow{
		App: drawnApp, Holder: r["holder"], DiesWith: r["dies_with"], Machine: table.NonEmpty(r.text("machine", "")), Service: table.NonEmpty(r.text("service", "")),
	})
}

// residence takes a piece's name, or NAME.PARTITION@TASK where it was made twice.
func (d *drawn) residence(r row) {
	name, task, isTask := strings.Cut(r["residence"], "@")
	out, ok := d.made[name]
	if isTask {
		t := row{"n": task}.int("n")
		out = int64(slices.IndexFunc(d.outputs, func(o lineage.OutputRow) bool { return o.Task.V == t && d.piece(o) == name }))
		ok = out >= 0
	}
	if !ok {
		panic("no such output: " + r["residence"])
	}
	d.placed[r["residence"]] = true
	if isTask || !d.isRepeated(name) {
		d.placed[fmt.Sprintf("%s@%d", name, d.outputs[out].Task.V)] = true
	}
	if r.text("holder", "") == "" {
		return // it stands nowhere
	}
	d.residences = append(d.residences, lineage.ResidenceRow{
		App: drawnApp, Output: out, Holder: r["holder"], FromMs: r.int("from"), ToMs: r.opt("to"), Removal: r.opt("removal"),
		EndReason: table.NonEmpty(r.text("reason", "")), Known: r.text("known", lineage.Logged),
	})
}

// removal is one that the log tells of. The workers that it took are drawn with
// the end of their lives, the copies that it ended likewise.
func (d *drawn) removal(r row) {
	id := r.int("removal")
	list := r.list("workers")
	d.removals = append(d.removals, lineage.RemovalRow{
		App: drawnApp, Removal: id, Group: id, Kind: r["kind"], UnitKind: r["unit_kind"], Unit: r["unit"], Workers: int64(len(list)),
		GoneLowMs: r.opt("gone"), GoneHighMs: r.opt("gone"), DetectedMs: r.int("gone"), Cause: "drawn",
	})
	for _, w := range list {
		d.taken = append(d.taken, lineage.RemovalWorkerRow{App: drawnApp, Removal: id, Worker: w, Ms: r.int("gone")})
	}
}

func (d *drawn) piece(o lineage.OutputRow) string {
	return fmt.Sprintf("%s.%d", d.names[o.Dataset], o.Partition)
}

func (d *drawn) isRepeated(name string) bool {
	n := 0
	for _, o := range d.outputs {
		if d.piece(o) == name {
			n++
		}
	}
	return n > 1
}

// finish places every output that has no residence drawn where it was made.
func (d *drawn) finish() {
	for _, o := range d.outputs {
		if d.placed[fmt.Sprintf("%s@%d", d.piece(o), o.Task.V)] {
			continue
		}
		d.residences = append(d.residences, lineage.ResidenceRow{
			App: drawnApp, Output: o.Output, Holder: "worker:" + o.Worker, FromMs: o.MadeMs, Known: o.Known,
		})
	}
}

// write hands the run on as the tables of a trace.
func (d *drawn) write(sink table.Sink) error {
	apps := []ingest.AppRow{{App: drawnApp, Engine: "spark", FirstMs: table.Some(int64(0)), LastMs: table.Some(d.end)}}
	return firstError(
		write(ingest.Apps, sink, apps), write(ingest.Workers, sink, d.workers), write(ingest.Machines, sink, d.machines),
		write(lineage.Attempts, sink, d.attempts), write(lineage.Datasets, sink, d.datasets), write(lineage.Inputs, sink, d.inputs),
		write(lineage.Needs, sink, d.needs), write(lineage.Outputs, sink, d.outputs), write(lineage.Holders, sink, d.holders),
		write(lineage.Residences, sink, d.residences), write(lineage.Removals, sink, d.removals), write(lineage.RemovalWorkers, sink, d.taken),
		write(ingest.Tasks, sink, d.lines),
	)
}

func write[R any](t *table.Table[R], sink table.Sink, rows []R) error {
	w := table.NewWriter(t, sink)
	for i := range rows {
		w.Append(&rows[i])
	}
	return w.Flush()
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
