package sim

// What a task is in the current attempt of its stage.
const (
	taskIdle    uint8 = iota // not wanted: it had succeeded before the attempt, or no attempt yet
	taskPending              // waits for a slot
	taskRunning
	taskDone // succeeded in this attempt
)

// What a stage is.
const (
	stageIdle       uint8 = iota // nobody wants it, or it is done
	stageWaiting                 // for its inputs
	stageSubmitting              // ready; the coordinator takes SubmitGapMs
	stageRunning
	stageFailed // a reader could not fetch; submitted again soon
)

// How an attempt on a slot will end.
const (
	endSuccess uint8 = iota
	endFail          // by itself
	endFetch         // cannot read an input
	endHang          // its worker is gone and nobody knows yet
	endCopy          // a copy of a slow attempt: it just takes a slot
)

// Why a piece runs again.
const (
	WhyFirst     uint8 = iota // it does not: it had not succeeded before
	WhyOwed                   // a reader needs the lost output
	WhyClimb                  // a lost output downstream needs it
	WhyDuplicate              // an attempt that was replaced made it as well
	WhyInFlight               // first time, but an attempt was lost with its worker
	WhyInterrupted
)

// WhyName is what the command line calls a reason.
func WhyName(why uint8) string {
	return [...]string{"", "owed", "climb", "duplicate", "in-flight", "interrupted"}[why]
}

type stageState struct {
	status  uint8
	why     uint8 // of pieces that run again
	attempt int32
	left    int32 // pieces of the attempt that have not succeeded
	pending int32
	next    int32   // first task that was never launched in this attempt
	stack   []int32 // tasks queued again; the last goes first
	near    near    // of stages that read a cache: which pieces are best run where
	entered int32   // slots that have begun one of its pieces in this attempt
	cold    int32   // of those, on fresh workers
	crowd   float64 // slots that begin it at once, as a share of those that did in the log; at most 1
	done    int32   // result stages: pieces that ever succeeded
	failed  int32   // attempts in a row that failed to fetch
	rank    int32   // the earliest unfinished job that wants it
	queued  bool    // in Sim.runnable
	listed  bool    // in Sim.waiting
}

type jobState struct {
	waits           int32 // jobs of After that have not ended
	submitted, done bool
	submit, end     int64
}

type slotState struct {
	start, end int64 // end of the attempt on it; -1: none
	task       int32
	stage      int32
	attempt    int32
	worker     int32
	next       int32 // free list of its worker
	out        uint8
	why        uint8
	warm       bool  // it has run something
	traced     int32 // in Result.Tasks
	extra      int32 // of its time: computing lost cached pieces
	by         int32 // endFetch: the worker that could not serve, -1: no location known
}

type workerState struct {
	machine     int32
	first, last int32 // its slots are first <= i < last
	free        int32 // head of its free list, -1
	place       int32 // in Sim.idle, -1
	up          bool  // the coordinator gives it tasks
	givenUp     bool
	busy        int32 // slots that run something; counted with Options.IdleMs
	idleSince   int64
	lostAt      int64 // Never, or when it was given up
	removal     int32 // that took it, in Sim.removals
	gone        int64 // Never, or when it vanished
	detect      int64 // Never, or when the coordinator will know
	unlisted    bool  // its outputs were taken off the list
	silent      bool
	warm        bool // something has ended on it
	cold        bool // a fresh worker: the first task of each slot takes longer
	from        int64
	held        int32 // what is listed here, see Sim.head
	recorded    int32 // index in Run.Workers, -1: came in place of a lost one
}

// What happens besides ends of attempts.
const (
	evJob uint8 = iota
	evStage
	evStageEnd
	evJobEnd
	evResubmit
	evUp
	evGone
	evDetect
	evRelease
	evReplace
	evCopy
	evNotice
	evLifeEnd
	evArrive
	evIdle
)

type event struct {
	kind uint8
	a, b int32
}

// where an output is: a worker's index, a machine's service, or elsewhere.
const (
	nowhere int32 = -1
	durable int32 = -1 << 30
)

// service is the place of outputs that a machine's service keeps.
func service(machine int32) int32 { return -2 - machine }
