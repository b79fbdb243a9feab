package ingest

import (
	"tracereplay/internal/problem"
	"tracereplay/internal/table"
)

// Batch is what one block of a log says, in the order of the log. Tasks are
// most of a log, so they live in slices of their own and are recycled.
type Batch struct {
	Order  []Ref
	Starts []TaskStart
	Ends   []TaskEnd
	Others []Event

	Problems []problem.Problem
	Counts   map[string]int64 // lines by kind of event
	Unknown  map[string]int64 // lines of kinds that no reader knows, by kind
}

// Ref points at one event of a batch.
type Ref struct {
	Kind RefKind
	I    int32
}

// RefKind tells the slice of a Batch that a Ref points into.
type RefKind uint8

// The slices of a Batch.
const (
	RefStart RefKind = iota
	RefEnd
	RefOther
)

// Reset empties the batch and keeps its memory.
func (b *Batch) Reset() {
	b.Order, b.Starts, b.Ends = b.Order[:0], b.Starts[:0], b.Ends[:0]
	clear(b.Others)
	b.Others = b.Others[:0]
	b.Problems = nil
	b.Counts, b.Unknown = nil, nil
}

// AddStart, AddEnd and AddOther append in log order; the returned pointers are
// valid until the next call.
func (b *Batch) AddStart() *TaskStart {
	b.Order = append(b.Order, Ref{RefStart, int32(len(b.Starts))})
	b.Starts = append(b.Starts, TaskStart{})
	return &b.Starts[len(b.Starts)-1]
}

// AddEnd appends a task end.
func (b *Batch) AddEnd() *TaskEnd {
	b.Order = append(b.Order, Ref{RefEnd, int32(len(b.Ends))})
	b.Ends = append(b.Ends, TaskEnd{})
	return &b.Ends[len(b.Ends)-1]
}

// AddOther appends any other event.
func (b *Batch) AddOther(e Event) {
	b.Order = append(b.Order, Ref{RefOther, int32(len(b.Others))})
	b.Others = append(b.Others, e)
}

// Event is one of the pointer types below (tasks apart).
type Event interface{ Line() int64 }

// At is the position that every event carries.
type At struct {
	Seq int64 // ordinal of the line over all parts of the log, from 1
}

// Line returns the position.
func (a At) Line() int64 { return a.Seq }

// LogStart is the first line of a log or of one more application attempt in it.
type LogStart struct {
	At
	Engine  string // "spark"
	Version string // as written, "" if absent
}

// AppStart tells which application this is.
type AppStart struct {
	At
	ID, Attempt, Name, User string // "" if absent
	Ms                      table.I64
}

// AppEnd is the application's own end.
type AppEnd struct {
	At
	Ms table.I64
}

// Settings are the settings in force, by scope (spark, system, jvm, hadoop).
type Settings struct {
	At
	Values []Setting
}

// Setting is one setting.
type Setting struct{ Scope, Name, Value string }

// WorkerAdded tells that a worker registered.
type WorkerAdded struct {
	At
	Worker, Host string
	Cores        table.I64
	Profile      table.I64 // resource profile id
	Ms           table.I64
	RequestMs    table.I64 // when it was asked for
}

// WorkerRemoved tells that the engine gave a worker up.
type WorkerRemoved struct {
	At
	Worker string
	Reason string // in the log's words, without stack traces; may be several lines
	Ms     table.I64
}

// StoreAdded tells that a worker's block store registered; it is also the
// only sign of the coordinator's host, and of workers in old logs.
type StoreAdded struct {
	At
	Worker, Host string
	Port         table.I64
	MemoryBytes  table.I64
	Ms           table.I64
}

// StoreRemoved tells that a worker's block store was dropped. It is not death.
type StoreRemoved struct {
	At
	Worker, Host string
	Ms           table.I64
}

// Profile is a resource profile: what a task of it takes.
type Profile struct {
	At
	ID       int64
	TaskCPUs table.Opt[float64]
	Cores    table.I64
}

// Exclusion tells that a worker or machine was excluded (or taken back).
type Exclusion struct {
	At
	Worker, Host string // one of them
	Stage        table.I64
	Failures     table.I64
	Back         bool // taken back
	Ms           table.I64
}

// Same tells whether two events say the same. From Spark 3.1 on the log has
// every exclusion twice, under an old and a new name, one right after the
// other; a reader drops the second where it sees both, but a pair may straddle
// two batches.
func (x *Exclusion) Same(y *Exclusion) bool {
	a, b := *x, *y
	a.At, b.At = At{}, At{}
	return a == b
}

// JobStart tells of a job and all stages it may need, run or skipped.
type JobStart struct {
	At
	Job        int64
	Ms         table.I64
	Stages     []StageInfo
	StageIDs   []int64 // as listed; Stages may be empty in old logs
	Properties JobProperties
}

// JobProperties are those properties of a job that tie it to other things.
type JobProperties struct {
	Execution, RootExecution table.I64 // SQL execution
	Pool, Group, Description string
	QueryID, RunID           string // streaming query
	Batch                    table.I64
}

// JobEnd is a job's end.
type JobEnd struct {
	At
	Job    int64
	Ms     table.I64
	OK     bool
	Reason string
}

// StageInfo describes one stage attempt.
type StageInfo struct {
	Stage, Attempt int64
	Name           string
	Tasks          int64
	RDDs           []RDDInfo // [0] is the stage's own
	Parents        []int64   // stage ids
	HasParents     bool      // false: the log is too old to tell
	SubmitMs       table.I64
	CompleteMs     table.I64
	Failure        string
	Profile        table.I64
	Accumulators   []int64 // ids of SQL accumulators that the stage updated; only on StageCompleted
}

// RDDInfo is a data set inside a stage.
type RDDInfo struct {
	RDD           int64
	Name, Scope   string // Scope: the operation, for people
	CallSite      string
	Parents       []int64
	Partitions    int64
	UseMemory     bool
	UseDisk       bool
	Replication   int64
	Barrier       bool
	Deterministic string // DETERMINATE, UNORDERED, INDETERMINATE or ""
	CachedParts   int64
}

// Persisted tells whether the RDD is kept by the engine when computed.
func (r *RDDInfo) Persisted() bool { return r.UseMemory || r.UseDisk }

// StageSubmitted tells that a stage attempt was submitted.
type StageSubmitted struct {
	At
	Info       StageInfo
	Properties JobProperties
	Job        table.I64 // lowest running job that lists the stage; filled in by Recorder
}

// StageCompleted tells that a stage attempt ended (Info.Failure says how).
type StageCompleted struct {
	At
	Info StageInfo
}

// TaskStart tells that a task attempt was launched.
type TaskStart struct {
	At
	Stage, StageAttempt int64
	Task, Index         int64
	Attempt             int64
	Partition           table.I64 // null before Spark 3.3
	Worker, Host        string
	Machine             table.Str // filled in by Recorder
	Locality            string
	Speculative         bool
	LaunchMs            int64
}

// TaskEnd tells that a task attempt ended, or (Status Resubmitted) that the
// output of an ended one was lost.
type TaskEnd struct {
	TaskStart
	TaskType        string // ShuffleMapTask, ResultTask, "" if absent
	FinishMs        table.I64
	GettingResultMs table.I64
	Status          Status
	Reason          string // the failure in the log's words, without stack traces beyond the first line
	Fetch           *FetchFailure
	LossWorker      string          // ExecutorLostFailure: the worker
	ByApp           table.Opt[bool] // ExecutorLostFailure: "Exit Caused By App"
	M               Metrics
	HasMetrics      bool
	Blocks          []BlockUpdate // Updated Blocks, where the log has them
}

// Status is how a task attempt ended.
type Status string

// The ways a task attempt ends.
const (
	Success      Status = "success"
	Resubmitted  Status = "resubmitted" // not an end: the output of this ended task was lost
	FetchFailed  Status = "fetch_failed"
	WorkerLost   Status = "worker_lost"
	Failed       Status = "failed" // the task's own failure
	Killed       Status = "killed"
	CommitDenied Status = "commit_denied"
	ResultLost   Status = "result_lost"
	Unknown      Status = "unknown"
	Running      Status = "running" // started, no end in the log
)

// FetchFailure is where a reader failed to read from.
type FetchFailure struct {
	Worker, Host string // "" when the log names no address
	Port         table.I64
	Shuffle      table.I64 // the engine's shuffle id
	Map          table.I64 // Spark 3.0+: task id of the writer; before: its partition
	MapIndex     table.I64 // partition of the writer, 3.0+
	Reduce       table.I64
	Message      string
}

// Metrics of one task attempt; all unknown when the log carries none.
type Metrics struct {
	DeserializeMs, RunMs, ResultSerializeMs, GCMs table.I64
	CPUNs, DeserializeCPUNs                       table.I64
	ResultBytes, PeakMemoryBytes                  table.I64
	MemorySpilledBytes, DiskSpilledBytes          table.I64
	RemoteBlocks, LocalBlocks, FetchWaitMs        table.I64
	RemoteReadBytes, RemoteToDiskBytes            table.I64
	LocalReadBytes, ReadRecords                   table.I64
	MergedRemoteBlocks, MergedLocalBlocks         table.I64
	WrittenBytes, WriteNs, WrittenRecords         table.I64
	InputBytes, InputRecords                      table.I64
	OutputBytes, OutputRecords                    table.I64
}

// BlockUpdate tells where a block is kept, or that it is kept no more.
type BlockUpdate struct {
	At
	Worker, Host     string
	RDD, Partition   table.I64 // a cached block
	Shuffle, MapTask table.I64 // a map output's file that moved (decommission)
	Data             bool      // MapTask: the data file, else the index file
	MemoryBytes      int64
	DiskBytes        int64
	Valid            bool // false: removed
}

// Unpersist tells that an RDD is no longer kept.
type Unpersist struct {
	At
	RDD int64
}

// SQLStart, SQLPlan and SQLEnd tell of a SQL execution.
type SQLStart struct {
	At
	Execution   int64
	Root        table.I64
	Description string
	Details     string
	Ms          table.I64
	Nodes       []PlanNode
}

// SQLPlan is a new plan of a running execution.
type SQLPlan struct {
	At
	Execution int64
	Nodes     []PlanNode
}

// SQLEnd is the end of an execution.
type SQLEnd struct {
	At
	Execution int64
	Ms        table.I64
	Error     string
}

// PlanNode is one operator of a plan, in pre-order.
type PlanNode struct {
	Depth        int64
	Name, Detail string
	Metrics      []PlanMetric
}

// PlanMetric ties an operator's metric to an accumulator.
type PlanMetric struct {
	Name        string
	Accumulator int64
}

// Progress is one progress report of a streaming query, as the log has it.
type Progress struct {
	At
	QueryID, RunID, Name                       string
	Batch                                      table.I64
	TimestampText                              string
	DurationsMs                                map[string]int64
	InputRows                                  table.I64
	InputRowsPerSecond, ProcessedRowsPerSecond table.Opt[float64]
	Operators                                  []StateOperator
	Sources                                    []StreamSource
	Sink                                       string
	BatchDurationMs                            table.I64
}

// StateOperator is the state of one stateful operator after a batch.
type StateOperator struct {
	Name                                                        string
	RowsTotal, RowsUpdated, RowsRemoved, RowsDroppedByWatermark table.I64
	MemoryBytes, CommitMs, UpdatesMs, RemovalsMs                table.I64
	ShufflePartitions, StateStoreInstances                      table.I64
	Custom                                                      map[string]int64
}

// StreamSource is one source's part in a batch.
type StreamSource struct {
	Description, StartOffset, EndOffset string
	InputRows                           table.I64
}

// StreamEvent tells of a streaming query's start, idleness or end.
type StreamEvent struct {
	At
	Kind                 string // started, idle, terminated
	QueryID, RunID, Name string
	TimestampText        string
	Reason               string // terminated: the exception
}
