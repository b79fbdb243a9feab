package streaming

import (
	"strconv"
	"strings"

	"tracereplay/internal/human"
	"tracereplay/internal/table"
)

// Unit is what a figure is counted in.
type Unit uint8

// The units.
const (
	Count Unit = iota
	Ms
	SlotMs
	Bytes
	Instant
	Text
)

// Figure is one value by its name, which ends in the unit that it is stored in.
type Figure struct {
	Name  string
	Unit  Unit
	Value any // int64, string, or nil: not known
}

// Text writes the value for people.
func (f Figure) Text(c human.Clock) string {
	switch v := f.Value.(type) {
	case string:
		return human.Cut(v, 80)
	case int64:
		switch f.Unit {
		case Ms, SlotMs:
			return human.Duration(v)
		case Bytes:
			return human.Bytes(v)
		case Instant:
			return c.Moment(v)
		default:
			return human.Count(v)
		}
	}
	return "not known"
}

// namer names the figures of one query.
type namer struct {
	prefix  string
	figures []Figure
}

// add names a value and returns how a template refers to it.
func (n *namer) add(name string, unit Unit, value any) string {
	name = n.prefix + name
	n.figures = append(n.figures, Figure{name, unit, value})
	return "{" + name + "}"
}

func (n *namer) opt(name string, unit Unit, v table.I64) string {
	if !v.OK {
		return n.add(name, unit, nil)
	}
	return n.add(name, unit, v.V)
}

// tell names the figures of a query and writes its sentences.
func tell(q *Query, n *namer) {
	name := n.add("query", Text, queryName(q.Query, q.Name.V))
	batches := n.add("batches", Count, q.StreamQuery.Batches)
	took := n.opt("batch_ms", Ms, q.BatchMs)
	n.add("committed_batches", Count, q.CommittedBatches)
	n.opt("longest_batch_ms", Ms, q.LongestBatchMs)
	n.opt("input_rows", Count, q.InputRows)
	s := "Streaming query " + name + " ran " + batches + " " + plural(q.StreamQuery.Batches, "batch", "batches")
	if q.BatchMs.OK && q.StreamQuery.Batches > 1 {
		s += ", the median one in " + took
	} else if q.BatchMs.OK {
		s += " in " + took
	}
	if open := q.StreamQuery.Batches - q.CommittedBatches; open > 0 {
		s += "; " + n.add("uncommitted_batches", Count, open) + " of them " + plural(open, "was", "were") + " never reported as done"
	}
	q.Sentences = append(q.Sentences, s+".")
	q.Sentences = append(q.Sentences, tellLoss(q, n), tellState(q, n), tellRestart(q, n))
}

// tellLoss says what a lost unit costs per batch.
func tellLoss(q *Query, n *namer) string {
	if q.Worst == nil {
		return "**No machine or worker can be lost without the query itself:** the log knows none beside the coordinator."
	}
	worst := n.add("worst_recompute_ms", SlotMs, q.Worst.SupremumMs)
	unit := n.add("worst_unit", Text, q.Worst.Unit)
	batch := n.add("worst_batch", Text, strconv.FormatInt(q.Worst.Batch, 10))
	at := n.add("worst_instant_ms", Instant, q.Worst.InstantMs)
	median := n.opt("batch_worst_recompute_ms", SlotMs, q.medianWorst())
	n.add("before_batch_ms", Ms, q.oldest(q.Batches))
	named := unit
	if q.Kind != "machine" {
		named = q.Kind + " " + unit
	}
	s := "**Losing a " + q.Kind + " costs work of the running batch alone**, since what earlier batches made is committed: "
	if len(q.Batches) > 1 {
		s += "**" + median + " of slot time at the worst moment of the median batch**, at most " + worst
	} else {
		s += "**at most " + worst + " of slot time**"
	}
	return s + " (" + named + " in batch " + batch + ", at " + at + ")."
}

// tellState says how much state stands where.
func tellState(q *Query, n *namer) string {
	if !q.IsStateful {
		return "It keeps no state from batch to batch, so nothing has to be loaded again."
	}
	rows, bytes := n.opt("state_rows", Count, q.StateRows), n.opt("state_bytes", Bytes, q.StateBytes)
	parts := q.Partitions
	if q.PlacedPartitions > 0 {
		parts = table.Some(q.PlacedPartitions)
	}
	partitions := n.opt("state_partitions", Count, parts)
	workers := n.add("state_workers", Count, q.StateWorkers)
	s := "Its state"
	if q.StateRows.OK {
		s += ", " + rows + " " + plural(q.StateRows.V, "key", "keys")
		if q.StateBytes.OK {
			s += " and " + bytes + " at the end,"
		}
	}
	if parts.OK {
		s += " in " + partitions + " " + plural(parts.V, "partition", "partitions") + ","
	}
	switch {
	case q.Most != nil:
		most := n.add("state_most_partitions", Count, q.Most.StatePartitions)
		unit := n.add("state_most_unit", Text, q.Most.Unit)
		size := n.opt("state_most_bytes", Bytes, q.Most.StateBytes)
		if q.Kind != "machine" {
			unit = q.Kind + " " + unit
		}
		s += " stood on " + workers + " " + plural(q.StateWorkers, "worker", "workers") + "; up to " + most + " " +
			plural(q.Most.StatePartitions, "partition", "partitions") + " on one " + q.Kind + " (" + unit
		if q.Most.StateBytes.OK {
			s += ", about " + size
		}
		s += "), which the next owner would load again from the checkpoint"
		if q.Most.StateLoadMs.OK {
			s += ", in at most " + n.opt("state_most_load_ms", SlotMs, q.Most.StateLoadMs) + " of slot time"
		}
	case q.StateWorkers > 0:
		s += " stood with the coordinator"
	default:
		s += " is not placed by the log"
	}
	return s + "."
}

// tellRestart says how far a restart of the coordinator goes back.
func tellRestart(q *Query, n *namer) string {
	b := q.restart()
	if b == nil {
		return "A restart of the coordinator goes back to the last committed batch; how many rows that reads again is not in the log."
	}
	rows := n.add("restart_rows", Count, b.RestartRows.V)
	took := n.add("restart_ms", Ms, b.RestartMs)
	batch := n.add("restart_batch", Text, strconv.FormatInt(b.Batch, 10))
	s := "A restart of the coordinator, which is another subject, goes back to the last committed batch: at most " + rows + " " +
		plural(b.RestartRows.V, "row is", "rows are") + " read again and " + took + " of work lost (batch " + batch + ")"
	if q.IsStateful {
		s += ", and all state is loaded from the checkpoint"
	}
	return s + "."
}

// Plain is the paragraph of the i-th query without emphasis.
func (r *Report) Plain(i int) string {
	var out []string
	for _, f := range r.Figures {
		out = append(out, "{"+f.Name+"}", f.Text(r.Clock))
	}
	figures := strings.NewReplacer(out...)
	var b strings.Builder
	for j, s := range r.Queries[i].Sentences {
		if j > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(figures.Replace(strings.ReplaceAll(s, "**", "")))
	}
	return b.String()
}

func plural(n int64, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
