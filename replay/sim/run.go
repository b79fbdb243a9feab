package sim

import "math"

// Never is a time that does not come.
const Never int64 = math.MaxInt64 / 4

// Run is what is simulated: the work of one application and the cluster that
// did it, in a compact form. All times are ms since the first job was
// submitted. A Run is not changed by a simulation; many may share one.
type Run struct {
	App     string
	Version string
	StartMs int64 // epoch ms of time 0
	// RecordedMs is the recorded makespan: last job end minus first job start.
	RecordedMs int64
	Rules      Rules

	Machines []string
	// Coordinator is the machine that the coordinator is on, -1 if it carries no
	// workers: it is not withdrawn by a rate.
	Coordinator int32
	Workers     []Worker
	Datasets    []Dataset
	Stages      []Stage
	Jobs        []Job
	Removals    []Removal // recorded ones
	// Attempts are the log's own, in order of launch, and Rounds its stage
	// attempts: what Options.FromMs starts from.
	Attempts []Attempt
	Rounds   []Round

	// StageOf is the stage of each stage id of the log, also of those that were
	// skipped because their shuffle was there.
	StageOf map[int64]int32
	// ReplacedMs is how long after a recorded loss another worker came in its
	// place, in the median; -1 when most lost ones were not replaced.
	ReplacedMs int64

	// One entry a task (a piece of a stage); Stage.First says where a stage's begin.
	DurMs  []int32 // what the piece takes on a slot once launched, entry apart
	PreMs  []int32 // time the slot stands empty before the launch: scheduling, locality waits
	Flags  []uint8 // taskFlag bits
	Part   []int32 // partition
	Source []int64 // the log's task that gave the time, -1: none did
	Fails  map[int32][]Fail
	Copies map[int32]Copy

	// Again is what pieces took that ran again in the log, and AgainShare what
	// such pieces took in all as a share of their first time (1 where the log has
	// none). Both count only when the recorded losses are kept.
	Again      map[int32]int32
	AgainShare float64

	// ColdMs is what the first task of each slot of a fresh worker takes longer
	// than it would later on, in the median; of workers that came later than the
	// first job where the log has such, else of all; 0 where the log shows none.
	ColdMs int32
	// Entry is the median of all stages' Entries. AgainMs is what the first piece
	// on a slot takes more when its worker has run the stage before: their lower
	// quartile.
	Entry   Entry
	AgainMs int32
	// UnpackMs is the processor time of that: what is left of it when nothing has
	// to be waited for.
	UnpackMs int32
	// StartupMs is how long a fresh worker takes from being asked for until it
	// registers; 0: not in the log.
	StartupMs int64
}

// taskFlag bits.
const (
	// flagComputes: the recorded task computed the cached pieces that it reads
	// (they were not there), so its time has that in it.
	flagComputes uint8 = 1 << iota
	// flagEstimated: the log has no time of a success; DurMs is the stage's median.
	flagEstimated
	// flagFails: Fails has attempts that failed by themselves.
	flagFails
	// flagCopy: Copies has the copy that the engine started of this slow attempt.
	flagCopy
)

// Attempt is a task attempt of the log.
type Attempt struct {
	Task         int32 // -1: its piece is not known
	Stage        int32
	Try          int32 // stage attempt, as the log counts
	Worker, Slot int32
	StartMs      int64
	EndMs        int64
	Status       string // as in table attempt
}

// Round is a stage attempt of the log.
type Round struct {
	Stage, Try      int32
	Job             int32 // -1: not known
	Tasks           int32 // pieces that it had to run
	SubmitMs, EndMs int64 // EndMs: Never if it never ended
	Failed          bool
}

// Partition is a task's partition.
func (r *Run) Partition(task int32) int32 { return r.Part[task] }

// Worker is a worker with its life as recorded.
type Worker struct {
	Name     string
	Machine  int32
	Slots    int32
	From, To int64 // To: given up by the engine; Never when it stayed
	Gone     int64 // physically gone, at most To
	// Replaces tells that it was started because another one was lost, whose
	// ReplacedBy it is (-1: none).
	Replaces   bool
	ReplacedBy int32
	Release    bool // its end was a choice, not a loss
	// Unused: tasks waited for slots and it got none. It never came to work
	// (processes that crash at once), and is left out.
	Unused bool
}

// Dataset is a shuffle or a cached RDD.
type Dataset struct {
	ID     int64
	Cache  bool
	Maker  int32 // stage that makes it; -1: not in the log, taken to be there
	Pieces int32
	Base   int32   // place of piece 0 in arrays over all pieces
	Inputs []int32 // datasets that must be there to make it
	// Keep says what keeps an output: the first entry from the moment that it is
	// made, further copies after AfterMs. Empty: as the engine's rules say, and a
	// cached block on the worker that computed it.
	Keep     []Keep
	Rollback bool // lost in part, it is made again in whole
	// CostMs of a cache: what computing a piece inside a reading task adds.
	CostMs []int32
	Bytes  []int64 // size of each piece; nil: not known
}

// Keeper is what outputs die with.
type Keeper uint8

// The keepers.
const (
	OnWorker  Keeper = iota // the worker that made it
	OnMachine               // a service on that worker's machine
	OnOther                 // another worker, on another machine where there is one
	OnStore                 // something that no loss takes
)

// Keep is one copy of each output of a data set.
type Keep struct {
	Keeper  Keeper
	AfterMs int64
}

// Stage is a round of pieces: one that makes a shuffle, for all jobs that want
// it, or the last one of a job.
type Stage struct {
	ID          int64 // the log's id of its first run
	Makes       int32 // dataset, -1: a result
	Reads       []int32
	First, Last int32   // its tasks are First <= i < Last
	SubmitGapMs int64   // from being ready to being submitted
	EndGapMs    int64   // from its last task's end to its own
	FetchMs     int64   // how long a reader fetches, in the median
	Density     float64 // share of its inputs' outputs that a reader fetches; 1 where the log does not tell
	Cached      bool    // it reads a cached RDD, or makes one
	Width       int32   // partitions of its own RDD
	MedianMs    int32   // of its pieces' times
	// Entries and Cold are what the first piece on each slot takes more than the
	// others, in order of launch: it waits for the wave to be handed out and
	// unpacks the stage's code; on a fresh worker it loads classes. That belongs
	// to the place and not to the piece. Cold has those of fresh workers.
	Entries, Cold []Entry
}

// Entry is the cost of a stage's first piece on a slot.
type Entry struct {
	PreMs int32 // as Run.PreMs
	DurMs int32 // how much longer
}

// Tasks is the number of pieces.
func (s *Stage) Tasks() int32 { return s.Last - s.First }

// Job is one job and what it waits for.
type Job struct {
	ID       int64
	After    []int32 // jobs that must have ended
	GapMs    int64   // from the last of their ends (or time 0) to its submission
	Final    int32   // its last stage; -1: it ran none
	EndGapMs int64   // from its last stage's end to its own
	LengthMs int64   // recorded, for jobs without stages and for cut ones
	Cut      bool    // it was cancelled: it ends after LengthMs, done or not
	Failed   bool    // recorded as failed
	Recorded [2]int64
}

// Fail is an attempt that failed by itself.
type Fail struct {
	DurMs  int32
	Counts bool // against the task's budget
}

// Copy is a copy that the engine started of a slow attempt.
type Copy struct {
	AfterMs int32 // since the launch of the slow one
	DurMs   int32
}

// Removal is a loss.
type Removal struct {
	GoneMs   int64
	DetectMs int64 // the engine gives the workers up
	NoticeMs int64 // when it was told of, at most GoneMs
	Machine  int32 // -1: single workers
	Workers  []int32
	Silent   bool // no connection was closed
	Release  bool // by choice: from NoticeMs on no more pieces, and not before it is idle
	Moves    bool // what it holds is copied to other workers before it goes
	// DetectEach, for recorded removals: when each of Workers was given up.
	DetectEach []int64
}

// shuffles calls f for each shuffle that is read, and for each that a cache among
// them was filled from, whether or not the cache is there.
func (r *Run) shuffles(reads []int32, f func(d int32)) {
	for _, d := range reads {
		if x := &r.Datasets[d]; x.Cache {
			r.shuffles(x.Inputs, f)
		} else {
			f(d)
		}
	}
}
