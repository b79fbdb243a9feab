package streaming

import (
	"tracereplay/internal/human"
	"tracereplay/internal/table"
	"tracereplay/replay/result"
	"tracereplay/replay/width"
)

// WidthCurves are the pauses of changes of width of one query: the one with
// the most state.
type WidthCurves struct {
	Query          string
	FromWorkers    int64
	ToWorkers      int64 // of BySize: one worker more
	Bandwidth      int64
	StartupKnown   bool
	Sizes          []SizeAt    // of the state: at a third, two thirds and the end of its batches
	ByWidth        []WidthLine // each rule at each size
	BySize         []SizeLine  // each rule
	MostMs         float64     // of all points of ByWidth
	MostBySizeMs   float64
	MostBytes      float64 // of BySize
	Empty          string  // why there is nothing to show
	QuiesceStartMs int64   // the pause without any transfer
}

// SizeAt is the size of the state after a batch.
type SizeAt struct {
	Batch int64
	AtMs  int64
	Bytes int64
}

// WidthLine is the pause over the number of workers.
type WidthLine struct {
	Rule   string
	Size   SizeAt
	IsLast bool // Size is that at the end
	Points []WidthPoint
}

// WidthPoint is a change to a number of workers.
type WidthPoint struct {
	Workers    int64
	MovedShare float64
	MovedBytes int64
	PauseMs    int64
}

// SizeLine is the pause over the size of the state.
type SizeLine struct {
	Rule   string
	Points []SizePoint
}

// SizePoint is the pause at a size.
type SizePoint struct {
	Bytes   int64
	PauseMs int64
}

// sizeSteps is how many sizes a line over the size has.
const sizeSteps = 20

// NewWidthCurves finds what the figure of width shows; nil is a run without
// streaming queries.
func NewWidthCurves(in *Inputs) WidthCurves {
	if in == nil || len(in.Queries) == 0 {
		return WidthCurves{Empty: "No streaming query ran: a finite job keeps no state that a change of width could move."}
	}
	q := &in.Queries[0]
	for i := range in.Queries {
		if in.Queries[i].StateBytes.V > q.StateBytes.V {
			q = &in.Queries[i]
		}
	}
	switch {
	case !q.IsStateful:
		return WidthCurves{Empty: "Query " + queryName(q.Query, q.Name.V) + " keeps no state: nothing moves, and the pause is start-up alone" + startWords(q) + "."}
	case !q.StateBytes.OK || q.StateBytes.V == 0 || !q.QuiesceMs.OK:
		return WidthCurves{Empty: "The log does not tell the size of the state, or no batch's duration."}
	}
	return curvesOf(in, q)
}

func startWords(q *result.StreamQuery) string {
	if !q.StartupMs.OK {
		return ""
	}
	return " (" + human.Duration(q.StartupMs.V) + ")"
}

func curvesOf(in *Inputs, q *result.StreamQuery) WidthCurves {
	c := WidthCurves{
		Query: queryName(q.Query, q.Name.V), FromWorkers: max(q.StateWorkers, 1), Bandwidth: DefaultBandwidth,
		StartupKnown: q.StartupMs.OK, Sizes: sizes(in, q), QuiesceStartMs: q.QuiesceMs.V + q.StartupMs.V,
	}
	c.ToWorkers = c.FromWorkers + 1
	at := func(bytes, to int64, rule width.Rule) result.Width {
		x := *q
		x.StateBytes = table.Some(bytes)
		x.StartupMs = table.Some(q.StartupMs.V)
		return widthOf(&x, rule, WidthOptions{To: to, Bandwidth: c.Bandwidth})
	}
	for _, rule := range width.Rules() {
		for i, size := range c.Sizes {
			line := WidthLine{Rule: string(rule), Size: size, IsLast: i == len(c.Sizes)-1}
			for to := int64(1); to <= 2*c.FromWorkers+2; to++ {
				w := at(size.Bytes, to, rule)
				if to == c.FromWorkers {
					continue // no change, no pause
				}
				line.Points = append(line.Points, WidthPoint{to, w.MovedShare, w.MovedBytes.V, w.PauseMs.V})
				c.MostMs = max(c.MostMs, float64(w.PauseMs.V))
			}
			c.ByWidth = append(c.ByWidth, line)
		}
		line := SizeLine{Rule: string(rule)}
		most := bySizeBytes(c.Sizes)
		for i := range int64(sizeSteps + 1) {
			w := at(most*i/sizeSteps, c.ToWorkers, rule)
			line.Points = append(line.Points, SizePoint{w.StateBytes.V, w.PauseMs.V})
			c.MostBySizeMs = max(c.MostBySizeMs, float64(w.PauseMs.V))
		}
		c.MostBytes = float64(most)
		c.BySize = append(c.BySize, line)
	}
	return c
}

// bySizeBytes is how far the line over the size goes: ten times the largest
// size that was seen, since state grows while a job runs, and at least 1 GiB.
func bySizeBytes(sizes []SizeAt) int64 {
	var most int64
	for _, s := range sizes {
		most = max(most, s.Bytes)
	}
	return max(10*most, 1<<30)
}

// sizes are the state's sizes after a third, two thirds and all of the batches
// that report one.
func sizes(in *Inputs, q *result.StreamQuery) []SizeAt {
	var all []SizeAt
	for i := range in.Batches {
		b := &in.Batches[i]
		if b.Query == q.Query && b.StateBytes.OK && b.CommitMs.OK {
			all = append(all, SizeAt{b.Batch, b.CommitMs.V, b.StateBytes.V})
		}
	}
	if len(all) < 3 {
		return []SizeAt{{q.LastBatch, q.EndMs, q.StateBytes.V}}
	}
	n := len(all)
	return []SizeAt{all[(n-1)/3], all[2*(n-1)/3], all[n-1]}
}
