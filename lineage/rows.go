package lineage

import "tracereplay/internal/table"

// How a fact is known, from best to worst.
const (
	Logged   = "logged"   // the log says it
	Derived  = "derived"  // follows from what the log says by the engine's rules
	Inferred = "inferred" // likely; the log does not show it
	Bound    = "bound"    // at most this
)

// DatasetRow is a shuffle or a cached RDD: what tasks hand to later tasks.
type DatasetRow struct {
	App           string
	Dataset       int64
	Kind          string // shuffle or cache
	RDD           int64
	ReadingRDD    table.I64
	Ordinal       int64
	EngineShuffle table.I64
	Partitions    table.I64
	Name          string
	FirstStage    table.I64
	Replication   int64
	Rollback      bool // INDETERMINATE or barrier: lost in part means run again in whole
	LastReadMs    table.I64
	LiveUntilMs   table.I64
	Known         string
}

// InputRow says what must exist to make a dataset's outputs.
type InputRow struct {
	App            string
	Dataset, Input int64
	Known          string
}

// NeedRow is one stage attempt's need of a dataset.
type NeedRow struct {
	App                           string
	Dataset, Stage, StageAttempt  int64
	Job                           table.I64
	ThroughCache                  table.I64
	FromMs, SubmitMs, LastStartMs table.I64
	UntilMs                       int64
	IsRerun                       bool
	Readers, FinishedReaders      int64
	BlocksFetched, BlocksPossible table.I64
	Density                       table.Opt[float64]
	Dense                         table.Opt[bool]
	Known                         string
}

// AttemptRow is a task attempt in the words of lineage.
type AttemptRow struct {
	App                 string
	Task                int64
	Job                 table.I64
	Stage, StageAttempt int64
	Index               int64
	Partition           table.I64
	PartitionKnown      table.Str
	Dataset             table.I64
	Worker              string
	Machine             table.Str
	StartMs, EndMs      int64
	Ended               bool
	Status              string
	Speculative         bool
	IsRerun             bool
	WarmMs              table.I64
}

// OutputRow is one output: a map task's share of a shuffle, or a cached block.
type OutputRow struct {
	App                 string
	Output              int64
	Dataset, Partition  int64
	Task                table.I64
	Stage, StageAttempt table.I64
	Worker              string
	MadeMs              int64
	MadeSeq             int64
	CostMs              int64
	WarmMs              table.I64
	Bytes               table.I64
	IsRerun             bool
	Known               string
}

// HolderRow is what keeps bytes.
type HolderRow struct {
	App                      string
	Holder, DiesWith         string
	Worker, Machine, Service table.Str
}

// ResidenceRow is one copy of an output on one holder.
type ResidenceRow struct {
	App       string
	Output    int64
	Holder    string
	FromMs    int64
	FromSeq   int64
	ToMs      table.I64
	EndReason table.Str
	Removal   table.I64
	EndSeq    table.I64
	Known     string
}

// RemovalRow is a worker or machine leaving.
type RemovalRow struct {
	App                   string
	Removal, Group        int64
	Kind, UnitKind, Unit  string
	Workers               int64
	GoneLowMs, GoneHighMs table.I64
	DetectedMs            int64
	Cause                 string
	Reason                table.Str
	FirstSeq              int64
}

// RemovalWorkerRow is one worker of a removal.
type RemovalWorkerRow struct {
	App     string
	Removal int64
	Worker  string
	Ms      int64
}

// RerunRow is an attempt that ran a piece again that had succeeded before.
type RerunRow struct {
	App                string
	Task               int64
	Dataset, Partition int64
	FirstOutput        int64
	FirstTask          int64
	PrevOutput         int64
	PrevTask           int64
	PrevAlive          bool
	Removal            table.I64
	Status             string
}
