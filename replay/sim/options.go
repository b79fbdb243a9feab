package sim

// Cluster says which workers there are.
type Cluster uint8

const (
	// Recorded: workers come and go as in the log, losses included.
	Recorded Cluster = iota
	// Undisturbed: recorded losses are taken out. A lost worker lives on, and
	// the one that came in its place does not come. Workers that were given
	// back by choice leave as recorded.
	Undisturbed
)

// Options of one simulated run.
type Options struct {
	Cluster Cluster
	Seed    uint64
	// Without takes recorded losses out, by their place in Run.Removals, with the
	// workers that came in their place.
	Without []int32
	// FromMs, when not 0, starts the simulation in the state that the log's run
	// was in then. It must be before the first recorded loss that is not a
	// release.
	FromMs int64
	// Removals are losses beside the recorded ones. Times on the Run's clock.
	Removals []Removal
	// Losses are drawn, beside all others.
	Losses Losses
	// Arrivals: machines that come back, with the workers they had.
	Arrivals []Arrival
	// ReplaceMs: a lost worker is replaced by a fresh one this long after it
	// was gone; negative: never.
	ReplaceMs int64
	// Drain: from its notice on a machine gets no new pieces.
	Drain bool
	// MoveBytesPerS: within the notice, outputs that are still needed are copied
	// off a machine at this rate, those that are dearest to make again per byte
	// first. 0: none.
	MoveBytesPerS float64
	// Safe machines are not drawn (policy on-demand); nil: all are.
	Safe []bool
	// IdleMs: a worker that has been idle for so long is given back, with all that
	// it holds, and comes back when there is work again. 0: not. IdleTracks: not
	// while it holds a shuffle that is needed.
	IdleMs     int64
	IdleTracks bool
	// InOrder gives pieces to workers in their order instead of at random.
	InOrder bool
	// Trace keeps all that happens in the Result.
	Trace bool
}

// Arrival is a machine that comes back.
type Arrival struct {
	AtMs    int64
	Machine int32
}

// Outcomes of a run.
const (
	Done    = "done"
	Aborted = "aborted" // the engine gave a job up because of losses
	Stalled = "stalled" // no slots left and none to come
)

// Result is what one simulated run came to.
type Result struct {
	Seed uint64
	Totals

	// With Options.Trace: every attempt in order of launch, every worker, and all
	// that happened, in order.
	Tasks   []TaskRun
	Workers []WorkerRun
	Lost    []Removal
	Steps   []Step
}

// Totals sum a simulated run up.
type Totals struct {
	Outcome    string
	MakespanMs int64 // last job end minus first job start

	Removals      int32 // that took a worker
	RerunTasks    int32 // attempts that ran a piece again that had succeeded
	RerunMs       int64 // their slot time
	InFlightTasks int32 // attempts lost with their worker
	InFlightMs    int64
	Interrupted   int32 // attempts that could not fetch
	InterruptedMs int64
	CachedMs      int64 // time that tasks took longer for computing lost cached pieces
	MovedBytes    int64 // copied off within the notice
	Released      int32 // workers given back because they were idle
	SlotMs        int64 // slot time of all workers from their start to their end, what is paid for
	Events        int64 // launches and ends of attempts
}

// RecomputeMs is the redone slot time.
func (t *Totals) RecomputeMs() int64 { return t.RerunMs + t.InFlightMs + t.CachedMs }

// random is a small generator (splitmix64): the same numbers for a seed on
// every machine and in every version.
type random struct{ x uint64 }

func newRandom(seed uint64) random { return random{mix(seed + 0x9e3779b97f4a7c15)} }

func (r *random) next() uint64 {
	r.x += 0x9e3779b97f4a7c15
	return mix(r.x)
}

// below is a number in [0, n).
func (r *random) below(n int32) int32 { return int32(r.next() >> 32 * uint64(n) >> 32) }

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
