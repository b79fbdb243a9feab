package streaming

import (
	"math"

	"tracereplay/internal/table"
	"tracereplay/replay/result"
	"tracereplay/replay/width"
)

// DefaultBandwidth is what one link of 1 Gbit/s carries, in bytes a second.
const DefaultBandwidth = 125_000_000

// WidthOptions say which change of width is asked about.
type WidthOptions struct {
	From      int64     // workers before; 0 means those on which state stood at the end
	To        int64     // workers after
	Bandwidth int64     // of all links together, in bytes a second; 0 means DefaultBandwidth
	StartupMs table.I64 // stated; else it is measured from the log
}

// Widths are what a change of width costs each query under each rule. A query
// whose workers the log does not place counts as one on one worker, where
// nothing else is said.
func Widths(queries []result.StreamQuery, opt WidthOptions) []result.Width {
	if opt.Bandwidth <= 0 {
		opt.Bandwidth = DefaultBandwidth
	}
	var out []result.Width
	for i := range queries {
		for _, rule := range width.Rules() {
			out = append(out, widthOf(&queries[i], rule, opt))
		}
	}
	return out
}

// from is the number of workers before a change.
func (o WidthOptions) from(q *result.StreamQuery) int64 {
	if o.From > 0 {
		return o.From
	}
	return max(q.StateWorkers, 1)
}

func widthOf(q *result.StreamQuery, rule width.Rule, opt WidthOptions) result.Width {
	w := result.Width{
		App: q.App, Query: q.Query, Name: q.Name, Rule: string(rule), FromWorkers: opt.from(q), ToWorkers: opt.To,
		InputRowsPerS: q.InputRowsPerS, ProcessedRowsPerS: q.ProcessedRowsPerS, BandwidthBytes: opt.Bandwidth,
		StateBytes: q.StateBytes, QuiesceMs: q.QuiesceMs, StartupMs: q.StartupMs,
	}
	if opt.StartupMs.OK {
		w.StartupMs = opt.StartupMs
	}
	switch {
	case w.FromWorkers == w.ToWorkers:
		w.QuiesceMs, w.StartupMs = table.Some[int64](0), table.Some[int64](0) // nothing changes
		fallthrough
	case q.IsStateful:
		moved := movedShare(q, rule, w.FromWorkers, w.ToWorkers)
		w.MovedShare = moved.Float()
		if rule == width.Engine || rule == width.KeyGroups {
			w.Partitions, w.MovedPartitions = table.I64{V: moved.Of, OK: moved.Of > 0}, table.I64{V: moved.Part, OK: moved.Of > 0}
		}
	default:
		// No batch has to be waited for and nothing moves: new workers take part when they are there.
		w.StateBytes, w.QuiesceMs = table.Some[int64](0), table.Some[int64](0)
	}
	pause(&w)
	return w
}

// pause fills what follows from the share that moves: bytes, times, rows.
func pause(w *result.Width) {
	if w.StateBytes.OK {
		moved := float64(w.StateBytes.V) * w.MovedShare
		w.MovedBytes = table.Some(int64(math.Round(moved)))
		w.TransferMs = table.Some(int64(math.Ceil(moved * 1000 / float64(w.BandwidthBytes))))
	}
	if !w.QuiesceMs.OK || !w.TransferMs.OK || !w.StartupMs.OK {
		return
	}
	w.PauseMs = table.Some(w.QuiesceMs.V + w.TransferMs.V + w.StartupMs.V)
	if !w.InputRowsPerS.OK {
		return
	}
	rows := w.InputRowsPerS.V * float64(w.PauseMs.V) / 1000
	w.BacklogRows = table.Some(int64(math.Round(rows)))
	if spare := w.ProcessedRowsPerS.V - w.InputRowsPerS.V; w.ProcessedRowsPerS.OK && spare > 0 {
		w.CatchUpMs = table.Some(int64(math.Ceil(rows * 1000 / spare)))
	}
}

// movedShare is what moves under a rule. The number of state partitions is that
// of all stateful stages where the log places them, else that of one operator.
func movedShare(q *result.StreamQuery, rule width.Rule, from, to int64) width.Share {
	switch rule {
	case width.Engine:
		n := q.PlacedPartitions
		if n == 0 {
			n = q.Partitions.V
		}
		return width.PartitionsMoved(n, from, to)
	case width.Modulo:
		return width.ModuloMoved(from, to)
	case width.KeyGroups:
		return width.GroupsMoved(width.Groups(from), from, to)
	default:
		return width.ConsistentMoved(from, to)
	}
}
