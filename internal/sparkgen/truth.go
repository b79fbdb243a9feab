package sparkgen

// Truth is what really happened in a generated run, for tests of what readers
// of its log derive. Times are those of the log.
type Truth struct {
	App          string
	Version      string
	SQL          bool
	ESS          bool
	BlockUpdates bool // the log says where cached blocks are
	Cut          bool // the log ends in the middle
	End          int64
	Shuffles     []TrueShuffle
	Outputs      []TrueOutput // in order of registration
	Attempts     []TrueAttempt
	Losses       []TrueLoss
}

// TrueShuffle is one shuffle dependency.
type TrueShuffle struct {
	Shuffle    int // the engine's id
	MapRDD     int
	ReadingRDD int // -1 in SQL
	Ordinal    int
	Maps       int
	Sparse     bool
	Stages     []int // ids of the stages that stood for it, run or skipped
}

// TrueOutput is a map output that the driver registered, or a cached block.
type TrueOutput struct {
	Shuffle   int // -1: a cached block
	RDD       int // map RDD or cached RDD
	Partition int
	Task      int
	Worker    string
	MadeMs    int64
	CostMs    int64
	Bytes     int64
	Rerun     bool // the piece had been made before
	Stays     []Stay
}

// Stay is one residence of an output.
type Stay struct {
	Holder   string // worker:ID or machine:NAME
	From, To int64  // To is 0 for the end of the log
	Reason   string // as in table residence
}

// TrueAttempt is a stage attempt that was submitted.
type TrueAttempt struct {
	Stage, Attempt, Job int
	Writes              int   // shuffle, -1: a result stage
	Reads               []int // shuffles below which no complete cache stood, ascending
	Caches              []int // cached RDDs that stand first on some path, or behind an incomplete one, ascending
	Parts               []int // by task index
	RepeatsOnly         bool  // every one of its pieces had succeeded before
	SubmitMs            int64
}

// TrueLoss is one thing that was done to the cluster.
type TrueLoss struct {
	Kind    string // exit, withdrawal, release, fetch
	Workers []string
	GoneMs  int64
}
