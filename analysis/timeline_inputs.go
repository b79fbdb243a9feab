package analysis

import "tracereplay/internal/table"

// TimelineInputs are what a timeline is made of: what ran where, and what stood
// there afterwards.
type TimelineInputs struct {
	Places   []TimelineSource // those that matter first
	Total    int              // places that there are; Places may be the first of them
	Attempts []TimelineRun    // of Places, in order of time; nil: too many to be drawn one by one
	Busy     []TimelineBusy   // the same as slots that were busy, by bin
	Banked   []TimelineBanked
	Bins     int64 // that Busy and Banked divide the view into
}

// TimelineSource is a machine, or a worker whose machine is not known.
type TimelineSource struct {
	Name     string
	IsWorker bool
	Lost     string // what removals that cost something took of it: Machine, Worker, or ""
	Tasks    int64
	Workers  []TimelineWorker // in order of time
}

// TimelineWorker is a worker's life.
type TimelineWorker struct {
	Worker       string
	FromMs, ToMs int64
	Slots        int64
}

// What an attempt was.
const (
	RanFirst  = "first"
	RanAgain  = "again"  // finished work that ran once more
	RanCut    = "cut"    // ended by a loss before it was done
	RanFailed = "failed" // ended by itself, or killed
)

// TimelineRun is one attempt.
type TimelineRun struct {
	Place               string
	Worker              string
	Task, Stage         int64
	StageAttempt        int64
	Partition           table.I64
	FromMs, ToMs        int64
	What, Why, EndState string
	Removal             table.I64
}

// TimelineBusy is how many slots of a place were busy with one kind of work.
type TimelineBusy struct {
	Place string
	Bin   int64
	What  string
	Slots float64
}

// TimelineBanked is the finished work that stood on a place, in slot ms.
type TimelineBanked struct {
	Place        string
	Bin          int64
	Needed, Done float64 // somebody may still read it; everybody has
}

// The size of a timeline.
const (
	MaxTimelinePlaces   = 16     // that are worth asking for
	MaxTimelineAttempts = 20_000 // that are worth asking for one by one
	MaxTimelineLanes    = 96
	MaxTimelineBars     = 2500
	maxTimelineLosses   = 5
)
