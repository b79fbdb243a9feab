package analysis

import (
	"tracereplay/analysis/policies"
	"tracereplay/analysis/streaming"
	"tracereplay/internal/human"
	"tracereplay/internal/table"
	"tracereplay/replay/result"
)

// Kinds of units.
const (
	Machine = "machine"
	Worker  = "worker"
	Service = "service"
)

// Inputs are the answers that a report is made of.
type Inputs struct {
	App        App
	Clock      human.Clock // every clock time is written by it
	Command    string      // that makes the same page again
	Kind       string      // of the units in Cells: machines, where they are known
	Unit       string      // the one unit of Kind that Cells are of, "" all
	View       View        // the time that figures show; the zero value is the whole run
	Units      []Unit
	Worst      []result.Blast    // every unit at its worst instant
	Rows       [][]string        // the units of Kind that share a row of the heat map
	Cells      []HeatCell        // every row and bin of time: the worst of its units, at their worst instant there
	Bins       []Bin             // what the units cost in the mean, by kind and bin
	Expected   []result.Expected // one per kind of unit
	Spread     []Quantiles       // one per kind of unit
	Progress   []Progress        // in order of time
	Jobs       []Job             // in order of time
	Stages     []Stage           // in order of time
	Holdings   []Holding         // in order of machine and time
	States     []WorkerState     // in order of time
	Exposures  []Exposure        // the riskiest first
	Policies   *policies.Inputs  // nil: none were compared
	Streaming  *streaming.Inputs // nil: no streaming query ran
	Removals   []result.Removal  // in log order
	Timeline   *TimelineInputs   // nil: not asked for
	Chain      []ChainLink       // by removal, the latest first
	Links      []result.ChainLink
	HasApps    bool      // the trace holds other applications, too
	Storage    []Storage // what kinds of holders kept the outputs
	Problems   []Problem
	Checks     []Check
	Notes      []string // what else the reader must know of how the log was read
	Fidelity   table.Opt[float64]
	Makespans  *Makespans  // nil: no rate was given
	Simulation *Simulation // nil: not asked for
}

// View is a span of time.
type View struct{ FromMs, ToMs int64 }

// App is the application and the size of its run.
type App struct {
	ID, Name, Engine, Version, User, Manager string // "" = the log does not say
	FromMs, ToMs                             int64  // first and last time in the log
	MakespanMs                               table.I64
	IsEnded                                  bool // the log has the application's end
	IsStreaming, IsCompacted                 bool
	IsLocal                                  bool // the coordinator is the only worker
	Tasks                                    int64
	SlotMs                                   int64 // time of all task attempts together
	UnplacedWorkers                          int64 // workers whose machine is not known
	CoordinatorMachine                       string
}

// Unit is a worker, machine or service and its life.
type Unit struct {
	Kind, Name    string
	FromMs, ToMs  int64
	IsCoordinator bool // in no mean
}

// Parts are what a loss costs, by kind, in slot ms.
type Parts struct {
	InFlight, Owed, Climb, Cached float64
}

// Sum is the whole.
func (p Parts) Sum() float64 { return p.InFlight + p.Owed + p.Climb + p.Cached }

// Finished is what had been reported finished.
func (p Parts) Finished() float64 { return p.Owed + p.Climb + p.Cached }

// HeatCell is the worst that losing a unit of a row within a bin of time costs.
type HeatCell struct {
	Row          int // of Inputs.Rows
	Unit         string
	FromMs, ToMs int64 // of the bin
	AtMs         int64 // where the worst is
	Parts        Parts
	LowMs        float64
	Outputs      int64 // owed and climb
	Blocks       int64 // cached
}

// Bin is the mean cost of losing one of the units of a kind within a bin.
type Bin struct {
	Kind         string
	FromMs, ToMs int64
	Units        float64 // that were there, in the mean
	Mean         Parts
}

// Quantiles are the costs that i % of removals at random instants stay below,
// exactly, over all instants of the units' lives.
type Quantiles struct {
	Kind   string
	Units  int64
	LifeMs int64 // of all together
	At     [101]float64
}

// Progress is how far the run was: parts of its work, between 0 and 1.
type Progress struct {
	AtMs     int64
	Reported float64
	Safe     float64
}

// Job is one job.
type Job struct {
	Job          int64
	Name         string
	FromMs, ToMs int64
	IsFailed     bool
	IsCut        bool // its end is not in the log
}

// Stage is one attempt of a stage.
type Stage struct {
	Job            table.I64
	Stage, Attempt int64
	Name           string
	FromMs, ToMs   int64
	Tasks          int64 // launched
	Reruns         int64 // of these, ran a piece that had succeeded before
	SlotMs         int64
	Failure        string
	IsCut          bool
}

// Holding is how many bytes stood on a machine.
type Holding struct {
	Place        string // a machine; a worker or service where that is not known
	FromMs, ToMs int64
	Needed       float64 // bytes of shuffles that somebody may still read
	Done         float64 // bytes of shuffles that nobody will read again
	Cached       float64
}

// WorkerState is what the workers did in a bin of time, in workers.
type WorkerState struct {
	FromMs, ToMs                       int64
	Busy, IdleOwing, IdleCaching, Free float64
}

// Exposure is a dataset and how much slot time it kept at risk for how long.
type Exposure struct {
	Dataset  int64
	Kind     string // shuffle or cache
	Name     string
	Stage    table.I64
	Outputs  int64
	Bytes    int64   // as far as sizes are known
	SlotMs   int64   // what making them took
	HeldMs   float64 // how long an output waited for its last reader, in the mean over slot time
	Exposure float64 // slot ms x hours that it waited
	RunMs    float64 // what its loss adds to a run at one removal of each unit an hour
}

// Storage is one kind of holder and what it kept.
type Storage struct {
	DiesWith string // worker, machine, service or never
	Holders  int64
	Outputs  int64
	Blocks   int64  // cached
	Evidence string // the settings that say so
}

// Problem is one kind of trouble with the input.
type Problem struct {
	Kind         string
	Count        int64
	SkippedBytes int64
	Example      string // where and what the first of them is
}

// Check is a law that the log must obey.
type Check struct {
	Name       string
	Looked     int64 // cases
	Violations int64
	Detail     string // of the first
}
