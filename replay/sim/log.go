package sim

import "tracereplay/internal/table"

// Log is what the simulator reads of one application: rows of the tables of
// ingest and lineage, or of a world that a policy made from them. Order does
// not matter; Build sorts.
type Log struct {
	App       string
	Engine    string
	Version   string
	Settings  map[string]string // scope spark
	Problems  int64
	Streaming bool
	Compacted bool
	StartMs   table.I64
	EndMs     table.I64
	LastMs    table.I64

	Workers  []LogWorker
	Jobs     []LogJob
	Listed   []LogListed
	Stages   []LogStage
	Tasks    []LogTask
	Datasets []LogDataset
	Inputs   []LogInput
	Needs    []LogNeed
	Blocks   []LogBlock
	Removals []LogRemoval
	Failures []LogFailure
}

// LogWorker is a row of table worker.
type LogWorker struct {
	Worker      string
	Machine     table.Str
	Coordinator bool
	Slots       table.I64
	RequestMs   table.I64
	AddedMs     table.I64
	RemovedMs   table.I64
}

// LogJob is a row of table job.
type LogJob struct {
	Job                 int64
	SubmitMs, EndMs     table.I64
	SubmitSeq, EndSeq   table.I64
	Outcome             table.Str
	Execution, RootExec table.I64
	Pool                table.Str
}

// LogListed is a row of table job_stage: a stage that a job may need.
type LogListed struct {
	Job, Stage, Tasks int64
	RDD               table.I64
}

// LogStage is a row of table stage: an attempt that was submitted.
type LogStage struct {
	Stage, Attempt int64
	Job            table.I64
	Kind           table.Str
	Tasks          int64
	Partitions     table.I64
	SubmitMs       table.I64
	CompleteMs     table.I64
	Failure        table.Str
}

// LogTask is a row of table attempt, with what table task adds.
type LogTask struct {
	Task, Stage, Attempt, Index int64
	Partition                   table.I64
	Dataset                     table.I64
	Worker                      string
	StartMs, EndMs              int64
	Ended                       bool
	Status                      string
	Speculative                 bool
	DeserializeMs               table.I64
	CPUNs                       table.I64 // unpacking and running
	UnpackCPUNs                 table.I64 // unpacking
	FetchWaitMs                 table.I64
	WrittenBytes                table.I64
	ByApp                       table.Opt[bool]
}

// LogDataset is a row of table dataset.
type LogDataset struct {
	Dataset     int64
	Kind        string
	RDD         int64
	Partitions  table.I64
	Replication int64
	Rollback    bool
	Keep        []Keep // from a world's holders; empty: as the settings say
}

// LogInput is a row of table input.
type LogInput struct{ Dataset, Input int64 }

// LogNeed is a row of table need.
type LogNeed struct {
	Dataset, Stage, Attempt int64
	ThroughCache            table.I64
	IsRerun                 bool
	Density                 table.Opt[float64]
}

// LogBlock is a row of table output that belongs to a cache.
type LogBlock struct {
	Dataset, Partition int64
	Task               table.I64
	MadeMs, CostMs     int64
}

// LogFailure is a row of table fetch_failure: a reader that a worker did not
// serve.
type LogFailure struct {
	Task int64
	From table.Str
}

// LogRemoval is a row of table removal with its workers.
type LogRemoval struct {
	Removal    int64
	Kind       string
	UnitKind   string
	Unit       string
	GoneLowMs  table.I64
	GoneHighMs table.I64
	DetectedMs int64
	Cause      string
	Reason     string
	Workers    []string
}
