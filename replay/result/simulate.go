package result

import "tracereplay/internal/table"

// Simulated is what one simulated run came to.
type Simulated struct {
	Run              int64     `col:"run"`
	Seed             int64     `col:"seed"`
	Policy           string    `col:"policy"`
	Removals         int64     `col:"removals"`
	Outcome          string    `col:"outcome"`
	MakespanMs       table.I64 `col:"makespan_ms"`
	BaselineMs       int64     `col:"baseline_makespan_ms"`
	DelayMs          table.I64 `col:"delay_ms"`
	RecomputeMs      int64     `col:"recompute_ms"`
	RerunTasks       int64     `col:"rerun_tasks"`
	RerunMs          int64     `col:"rerun_ms"`
	InFlightTasks    int64     `col:"in_flight_tasks"`
	InFlightMs       int64     `col:"in_flight_ms"`
	InterruptedTasks int64     `col:"interrupted_tasks"`
	InterruptedMs    int64     `col:"interrupted_ms"`
	CachedMs         int64     `col:"cached_ms"`
	MovedBytes       int64     `col:"moved_bytes"`
	SlotMs           int64     `col:"slot_ms"`
}

// Simulations declares table simulated_run.
var Simulations = table.New[Simulated](table.Meta{
	Name: "simulated_run", Layer: layer, Grain: "one row per simulated run", Key: []string{"policy", "run"}, Order: []string{"policy", "run"},
	Doc: "Only in traces that replay simulate wrote. docs/simulator.md says what is simulated and how well.",
},
	table.Int("run", "", "", "number, from 0", func(r *Simulated) int64 { return r.Run }),
	table.Int("seed", "", "", "with it and --runs 1 the run can be had again", func(r *Simulated) int64 { return r.Seed }),
	table.Text("policy", "", "policy, or recorded", func(r *Simulated) string { return r.Policy }),
	table.Int("removals", "", "", "losses that hit a worker", func(r *Simulated) int64 { return r.Removals }),
	table.Text("outcome", "", "done; aborted: the engine gave up because of losses; stalled: no slots left and none to come", func(r *Simulated) string { return r.Outcome }),
	table.OptInt("makespan_ms", "ms", "", "last job end minus first job start; when it was given up, if aborted", "stalled", func(r *Simulated) table.I64 { return r.MakespanMs }),
	table.Int("baseline_makespan_ms", "ms", "", "the same without the losses, simulated too", func(r *Simulated) int64 { return r.BaselineMs }),
	table.OptInt("delay_ms", "ms", "", "makespan minus baseline", "it did not end", func(r *Simulated) table.I64 { return r.DelayMs }),
	table.Int("recompute_ms", "slot ms", "", "redone slot time: in flight, again, and lost cached blocks", func(r *Simulated) int64 { return r.RecomputeMs }),
	table.Int("rerun_tasks", "", "", "attempts that ran a piece again that had succeeded", func(r *Simulated) int64 { return r.RerunTasks }),
	table.Int("rerun_ms", "slot ms", "", "their time", func(r *Simulated) int64 { return r.RerunMs }),
	table.Int("in_flight_tasks", "", "", "attempts that were lost with their worker", func(r *Simulated) int64 { return r.InFlightTasks }),
	table.Int("in_flight_ms", "slot ms", "", "their time until the engine noticed", func(r *Simulated) int64 { return r.InFlightMs }),
	table.Int("interrupted_tasks", "", "", "attempts that could not fetch an input", func(r *Simulated) int64 { return r.InterruptedTasks }),
	table.Int("interrupted_ms", "slot ms", "", "their time; not part of recompute_ms", func(r *Simulated) int64 { return r.InterruptedMs }),
	table.Int("cached_ms", "slot ms", "", "time that readers took longer for computing lost cached blocks", func(r *Simulated) int64 { return r.CachedMs }),
	table.Int("moved_bytes", "bytes", "", "outputs that were copied off within a notice", func(r *Simulated) int64 { return r.MovedBytes }),
	table.Int("slot_ms", "slot ms", "", "slots that were there, from each worker's start to its end: what is paid for", func(r *Simulated) int64 { return r.SlotMs }),
)

// SimulatedRerun is an attempt of a simulated run that repeats work.
type SimulatedRerun struct {
	Run       int64     `col:"run"`
	Job       table.I64 `col:"job"`
	Stage     int64     `col:"stage"`
	Shuffle   table.I64 `col:"shuffle"`
	Partition int64     `col:"partition"`
	Why       string    `col:"why"`
	Worker    string    `col:"worker"`
	StartMs   int64     `col:"start_ms"`
	EndMs     int64     `col:"end_ms"`
	Policy    string    `col:"policy"`
	Status    string    `col:"status"`
	Loss      table.I64 `col:"loss"`
}

// SimulatedReruns declares table simulated_rerun.
var SimulatedReruns = table.New[SimulatedRerun](table.Meta{
	Name: "simulated_rerun", Layer: layer, Grain: "one row per simulated attempt that repeats work", Key: []string{"policy", "run", "stage", "partition", "start_ms"}, Order: []string{"policy", "run", "start_ms"},
	Doc: "Only in traces that replay simulate wrote.",
},
	table.Int("run", "", "", "simulated run", func(r *SimulatedRerun) int64 { return r.Run }),
	table.OptInt("job", "", "", "job that the attempt ran for", "not known", func(r *SimulatedRerun) table.I64 { return r.Job }),
	table.Int("stage", "", "", "stage, by its id in the log's first run of it", func(r *SimulatedRerun) int64 { return r.Stage }),
	table.OptInt("shuffle", "", "", "dataset that it writes", "a result", func(r *SimulatedRerun) table.I64 { return r.Shuffle }),
	table.Int("partition", "", "", "piece", func(r *SimulatedRerun) int64 { return r.Partition }),
	table.Text("why", "", "owed, climb, duplicate, in-flight or interrupted", func(r *SimulatedRerun) string { return r.Why }),
	table.Text("worker", "", "worker; rN came in place of a lost one", func(r *SimulatedRerun) string { return r.Worker }),
	table.Int("start_ms", "ms", "", "launched", func(r *SimulatedRerun) int64 { return r.StartMs }),
	table.Int("end_ms", "ms", "", "ended", func(r *SimulatedRerun) int64 { return r.EndMs }),
	table.Text("policy", "", "policy, or recorded", func(r *SimulatedRerun) string { return r.Policy }),
	table.Text("status", "", "as in table task", func(r *SimulatedRerun) string { return r.Status }),
	table.OptInt("loss", "", "", "loss that caused it", "not told", func(r *SimulatedRerun) table.I64 { return r.Loss }),
)

// SimulatedLoss is a loss of a simulated run.
type SimulatedLoss struct {
	Run           int64     `col:"run"`
	Loss          int64     `col:"loss"`
	Policy        string    `col:"policy"`
	UnitKind      string    `col:"unit_kind"`
	Unit          string    `col:"unit"`
	NoticeMs      int64     `col:"notice_ms"`
	GoneMs        int64     `col:"gone_ms"`
	DetectedMs    int64     `col:"detected_ms"`
	RerunTasks    int64     `col:"rerun_tasks"`
	RerunMs       int64     `col:"rerun_ms"`
	InFlightTasks int64     `col:"in_flight_tasks"`
	InFlightMs    int64     `col:"in_flight_ms"`
	RepairEndMs   table.I64 `col:"repair_end_ms"`
}

// SimulatedLosses declares table simulated_loss.
var SimulatedLosses = table.New[SimulatedLoss](table.Meta{
	Name: "simulated_loss", Layer: layer, Grain: "one row per simulated run and loss that came before its end", Key: []string{"policy", "run", "loss"}, Order: []string{"policy", "run", "gone_ms", "loss"},
	Doc: "Only in traces that replay simulate wrote.",
},
	table.Int("run", "", "", "simulated run", func(r *SimulatedLoss) int64 { return r.Run }),
	table.Int("loss", "", "", "number", func(r *SimulatedLoss) int64 { return r.Loss }),
	table.Text("policy", "", "policy, or recorded", func(r *SimulatedLoss) string { return r.Policy }),
	table.Text("unit_kind", "", "worker or machine", func(r *SimulatedLoss) string { return r.UnitKind }),
	table.Text("unit", "", "what is lost", func(r *SimulatedLoss) string { return r.Unit }),
	table.Int("notice_ms", "ms", "", "told of; gone_ms without a notice", func(r *SimulatedLoss) int64 { return r.NoticeMs }),
	table.Int("gone_ms", "ms", "", "gone", func(r *SimulatedLoss) int64 { return r.GoneMs }),
	table.Int("detected_ms", "ms", "", "given up by the engine", func(r *SimulatedLoss) int64 { return r.DetectedMs }),
	table.Int("rerun_tasks", "", "", "second runs of pieces that it destroyed", func(r *SimulatedLoss) int64 { return r.RerunTasks }),
	table.Int("rerun_ms", "slot ms", "", "their time", func(r *SimulatedLoss) int64 { return r.RerunMs }),
	table.Int("in_flight_tasks", "", "", "attempts that ended with it", func(r *SimulatedLoss) int64 { return r.InFlightTasks }),
	table.Int("in_flight_ms", "slot ms", "", "their time", func(r *SimulatedLoss) int64 { return r.InFlightMs }),
	table.OptInt("repair_end_ms", "ms", "", "last second run ended", "nothing ran again", func(r *SimulatedLoss) table.I64 { return r.RepairEndMs }),
)
