package result

import "tracereplay/internal/table"

// Removal is what one recorded removal cost. Outputs are map outputs; cached
// blocks have fields of their own. docs/explain.md defines every figure.
type Removal struct {
	Removal          int64     `col:"removal"`
	Group            int64     `col:"removal_group"`
	Kind             string    `col:"kind"`
	UnitKind         string    `col:"unit_kind"`
	Unit             string    `col:"unit"`
	GoneLowMs        table.I64 `col:"gone_low_ms"`
	GoneHighMs       table.I64 `col:"gone_high_ms"`
	DetectedMs       int64     `col:"detected_ms"`
	Cause            string    `col:"cause"`
	ResidentOutputs  int64     `col:"resident_outputs"`
	LostOutputs      int64     `col:"lost_outputs"`
	LostBytes        int64     `col:"lost_bytes"`
	NeededOutputs    int64     `col:"needed_outputs"`
	InFlightTasks    int64     `col:"in_flight_tasks"`
	InFlightMs       int64     `col:"in_flight_ms"`
	OwedTasks        int64     `col:"owed_tasks"`
	OwedMs           int64     `col:"owed_ms"`
	ClimbTasks       int64     `col:"climb_tasks"`
	ClimbMs          int64     `col:"climb_ms"`
	InterruptedTasks int64     `col:"interrupted_tasks"`
	InterruptedMs    int64     `col:"interrupted_ms"`
	UnneededTasks    int64     `col:"unneeded_tasks"`
	UnneededMs       int64     `col:"unneeded_ms"`
	RerunTasks       int64     `col:"rerun_tasks"`
	RerunMs          int64     `col:"rerun_ms"`
	ClimbDepth       int64     `col:"climb_depth"`
	OldestLostAgeMs  table.I64 `col:"oldest_lost_age_ms"`
	RepairBeginMs    table.I64 `col:"repair_begin_ms"`
	RepairEndMs      table.I64 `col:"repair_end_ms"`
	DelayMs          table.I64 `col:"delay_ms"`
	DelayReason      table.Str `col:"delay_reason"`
	Workers          int64     `col:"workers"`
	Reason           table.Str `col:"reason"`
	FirstSeq         int64     `col:"first_seq"`
	NeededMs         int64     `col:"needed_ms"`
	CachedBlocks     int64     `col:"cached_blocks"`
	CachedBytes      int64     `col:"cached_bytes"`
	DuplicateTasks   int64     `col:"duplicate_tasks"`
	DuplicateMs      int64     `col:"duplicate_ms"`
	RollbackTasks    int64     `col:"rollback_tasks"`
	RollbackMs       int64     `col:"rollback_ms"`
	NoticedMs        int64     `col:"noticed_ms"`
	PiecesAgain      int64     `col:"pieces_again"`
	FetchFailures    int64     `col:"fetch_failures"`
	StaleReaders     int64     `col:"stale_readers"`
	HostUnregistered int64     `col:"host_unregistered"`
	MovedOutputs     int64     `col:"moved_outputs"`
	RequeuedOutputs  int64     `col:"requeued_outputs"`
	StageAttempts    int64     `col:"stage_attempts"`
	PiecesUnmade     int64     `col:"pieces_unmade"`
	SavedMs          table.I64 `col:"saved_ms"`
	AskedAgain       int64     `col:"asked_again"`
	StartUpMs        int64     `col:"start_up_ms"`
	CachedReaders    int64     `col:"cached_readers"`
	CachedReadersMs  int64     `col:"cached_readers_ms"`
	LeftCutOff       int64     `col:"left_cut_off"`
	LeftFailed       int64     `col:"left_failed"`
	PoisonStage      table.I64 `col:"poison_stage"`
	PoisonPiece      table.I64 `col:"poison_piece"`
	PoisonWorkers    int64     `col:"poison_workers"`
	App              string    `col:"app"`
}

// Rerun is one attempt that ran a piece again.
type Rerun struct {
	Removal           table.I64 `col:"removal"`
	TriggeredBy       string    `col:"triggered_by"`
	Why               string    `col:"why"`
	Job               table.I64 `col:"job"`
	Stage             int64     `col:"stage"`
	Shuffle           table.I64 `col:"shuffle"`
	Partition         int64     `col:"partition"`
	FirstStage        table.I64 `col:"first_stage"`
	FirstTask         table.I64 `col:"first_task"`
	FirstWorker       table.Str `col:"first_worker"`
	FirstMachine      table.Str `col:"first_machine"`
	FirstSuccessMs    table.I64 `col:"first_success_ms"`
	RerunStage        int64     `col:"rerun_stage"`
	RerunStageAttempt int64     `col:"rerun_stage_attempt"`
	RerunTask         int64     `col:"rerun_task"`
	RerunWorker       string    `col:"rerun_worker"`
	RerunStartMs      int64     `col:"rerun_start_ms"`
	RerunEndMs        table.I64 `col:"rerun_end_ms"`
	LossMs            table.I64 `col:"loss_ms"`
	PrevTask          table.I64 `col:"prev_task"`
	RerunStatus       string    `col:"rerun_status"`
	WastedMs          int64     `col:"wasted_ms"`
	App               string    `col:"app"`
}

// ChainLink is one round of the way back that a removal's re-runs took.
type ChainLink struct {
	Removal     int64     `col:"removal"`
	Dataset     int64     `col:"dataset"`
	Name        string    `col:"name"`
	ForDataset  table.I64 `col:"for_dataset"`
	Level       int64     `col:"level"`
	Pieces      int64     `col:"pieces"`
	AgainMs     int64     `col:"again_ms"`
	FirstMadeMs int64     `col:"first_made_ms"`
	LastMadeMs  int64     `col:"last_made_ms"`
	App         string    `col:"app"`
}

// Story is what a run's totals say about losses.
type Story struct {
	App            string    `col:"app"`
	Manager        table.Str `col:"cluster_manager"`
	Version        string    `col:"engine_version"`
	TimeZone       table.Str `col:"time_zone"`
	StartMs        int64     `col:"start_ms"`
	EndMs          int64     `col:"end_ms"`
	IsEnded        bool      `col:"is_ended"`
	SlotMs         int64     `col:"slot_ms"`
	Attempts       int64     `col:"attempts"`
	FailedTasks    int64     `col:"failed_tasks"`
	Problems       int64     `col:"problems"`
	WorkersEver    int64     `col:"workers_ever"`
	MaxTaskFails   int64     `col:"task_failures_worst"`
	TaskFailBudget table.Str `col:"task_failure_budget"`
	TaskFailStage  table.I64 `col:"task_failures_stage"`
	TaskFailBlame  table.I64 `col:"task_failures_removal"`
	MaxStageFails  int64     `col:"stage_failures_worst"`
	StageFailStage table.I64 `col:"stage_failures_stage"`
	StageFailBlame table.I64 `col:"stage_failures_removal"`
	StageBudget    table.Str `col:"stage_failure_budget"`
	OrphanFetches  int64     `col:"fetch_failures_of_live_workers"`
	FailedToServe  int64     `col:"failed_to_serve"`
	ServingWorker  table.Str `col:"failed_to_serve_worker"`
	IsStreaming    bool      `col:"is_streaming"`
}
