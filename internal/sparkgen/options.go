package sparkgen

// Shape is a kind of application.
type Shape string

// The shapes that Generate knows. Random covers all that the others show and
// more: joins, unions, shuffles that several jobs read, two shuffles of one map
// RDD, caches, SQL exchanges, jobs side by side.
const (
	Drawn   Shape = ""
	Linear  Shape = "linear"  // source -> shuffle -> shuffle -> result
	Diamond Shape = "diamond" // two branches of one shuffle, joined again
	Reuse   Shape = "reuse"   // several jobs over the same shuffle
	Cached  Shape = "cached"  // several jobs over a cached RDD that a shuffle feeds
	Random  Shape = "random"
)

// Switch is a choice that is left to the seed unless it is set.
type Switch int8

// The positions of a Switch.
const (
	BySeed Switch = iota
	On
	Off
)

// Options narrow what Generate draws. The zero value leaves all to the seed.
type Options struct {
	Shape        Shape
	Version      string // "3.5" or "2.4"
	Losses       Switch // workers and machines that go, fetch trouble
	ESS          Switch // external shuffle service
	BlockUpdates Switch // log where cached blocks are
	Speculation  Switch
	TaskFailures Switch // tasks that fail by themselves, jobs that do
	Cut          Switch // the log ends in the middle of the run
	Sparse       Switch // all shuffles sparse (On) or dense (Off)
	Dense        bool   // every map writes to every reducer, no empty outputs
}

// on decides a switch; share is how often the seed says yes.
func (s Switch) on(draw float64, share float64) bool {
	if s == BySeed {
		return draw < share
	}
	return s == On
}
