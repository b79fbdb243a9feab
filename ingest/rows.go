package ingest

import "tracereplay/internal/table"

// The rows of the ingest tables that no event type is already.

// SourceRow is one part of a log.
type SourceRow struct {
	Log              int64
	LogName          string
	Part             int64
	Path, Codec      string
	DiskBytes        table.I64
	TextBytes, Lines int64
	FirstSeq         int64
}

// ProblemRow is a problem of a log.
type ProblemRow struct {
	Log           int64
	App           table.Str
	Kind, File    string
	Line, Offset  table.I64
	Seq           table.I64
	SkippedBytes  int64
	Event, Detail string
}

// EventCountRow counts one kind of event in a log.
type EventCountRow struct {
	Log   int64
	Event string
	Known bool
	Lines int64
}

// AppRow is one attempt of an application.
type AppRow struct {
	App                     string
	Log                     int64
	Engine, Version         string
	ID, Attempt, Name, User table.Str
	StartMs, EndMs          table.I64
	FirstMs, LastMs         table.I64
	FirstSeq, LastSeq       int64
	TimeZone, Manager       table.Str
	CoordinatorMachine      table.Str
	BlockUpdates, Streaming bool
	Compacted               bool
}

// SettingRow is a setting of an application.
type SettingRow struct {
	App string
	Setting
}

// MachineRow is a machine that carried workers or the coordinator.
type MachineRow struct {
	App, Machine    string
	IsCoordinator   bool
	Workers         int64
	FirstMs, LastMs table.I64
}

// WorkerRow is a worker.
type WorkerRow struct {
	App, Worker          string
	Host, Machine        table.Str
	MachineKnown         table.Str
	IsCoordinator        bool
	Cores, Slots         table.I64
	Profile, MemoryBytes table.I64
	RequestMs            table.I64
	AddedMs, RemovedMs   table.I64
	AddedSeq, RemovedSeq table.I64
	Reason               table.Str
	StoreRemovedMs       table.I64
	StoreRemovedSeq      table.I64
}

// StoreRow is a change of a worker's block store.
type StoreRow struct {
	App    string
	Seq    int64
	Worker string
	Ms     table.I64
	Added  bool
}

// ExclusionRow is an exclusion.
type ExclusionRow struct {
	App string
	Exclusion
}

// JobRow is a job.
type JobRow struct {
	App               string
	Job               int64
	SubmitMs, EndMs   table.I64
	SubmitSeq, EndSeq table.I64
	Outcome, Failure  table.Str
	Stages            int64
	P                 JobProperties
}

// JobStageRow is one stage that a job may need.
type JobStageRow struct {
	App               string
	Job, Stage, Tasks int64
	RDD               table.I64
}

// StageRow is a stage attempt that was submitted.
type StageRow struct {
	App                    string
	Info                   StageInfo
	Job                    table.I64
	SubmitSeq, CompleteSeq table.I64
	Kind                   table.Str
}

// StageParentRow is one parent of a stage, as the log lists them.
type StageParentRow struct {
	App           string
	Stage, Parent int64
}

// RDDRow is a data set as first seen.
type RDDRow struct {
	App string
	Seq int64
	RDDInfo
}

// RDDParentRow is one parent of an RDD.
type RDDParentRow struct {
	App         string
	Seq         int64
	RDD, Parent int64
}

// StageRDDRow is one RDD inside a stage.
type StageRDDRow struct {
	App            string
	Stage, Attempt int64
	RDD, Ordinal   int64
	Persisted      bool
	Storage        string
}

// TaskRow is one task attempt.
type TaskRow struct {
	App string
	TaskEnd
	StartSeq, EndSeq table.I64
}

// ResubmitRow is a notice that an ended task's output was lost.
type ResubmitRow struct {
	App                         string
	Seq                         int64
	Task, Stage, Attempt, Index int64
	Worker                      string
}

// FetchFailureRow is a reader's failure to read.
type FetchFailureRow struct {
	App                  string
	Seq                  int64
	Ms                   table.I64
	Task, Stage, Attempt int64
	Reader               string
	FetchFailure
}

// BlockRow is a change of where a block is kept.
type BlockRow struct {
	App  string
	From string // block_update or task
	Ms   table.I64
	BlockUpdate
}

// UnpersistRow tells that an RDD is no longer kept.
type UnpersistRow struct {
	App      string
	Seq, RDD int64
	Ms       table.I64
}

// SQLRow is a SQL execution.
type SQLRow struct {
	App            string
	Execution      int64
	Root           table.I64
	Description    table.Str
	StartMs, EndMs table.I64
	Seq            int64
	Error          table.Str
	Plans          int64
}

// PlanMetricRow ties one metric of a plan operator to an accumulator.
type PlanMetricRow struct {
	App          string
	Execution    int64
	Node, Depth  int64
	Name, Detail string
	Metric       string
	Accumulator  int64
}
