package analysis

import (
	"strconv"

	"tracereplay/analysis/streaming"
)

// streams finds what losses cost the streaming queries of a run; nil where
// there are none.
func streams(in *Inputs) *streaming.Report {
	if in.Streaming == nil || len(in.Streaming.Queries) == 0 {
		return nil
	}
	return streaming.New(in.Streaming)
}

// streamFigures adds the figures of streaming queries.
func streamFigures(fs *Figures, r *streaming.Report) {
	if r == nil {
		return
	}
	fs.Add("stream_queries", InCount, int64(len(r.Queries)))
	units := map[streaming.Unit]UnitOf{
		streaming.Count: InCount, streaming.Ms: InMs, streaming.SlotMs: InSlotMs, streaming.Bytes: InBytes,
		streaming.Instant: InInstant, streaming.Text: InText,
	}
	for _, f := range r.Figures {
		fs.Add(f.Name, units[f.Unit], f.Value)
	}
}

// maxStoryQueries is how many queries the paragraph tells of.
const maxStoryQueries = 3

// tellStreams writes the paragraph of a streaming log: what a lost machine
// costs per batch, what state stands where, how far a restart goes back.
func (t *teller) tellStreams(r *streaming.Report) {
	for i, q := range r.Queries {
		if i == maxStoryQueries {
			t.say(strconv.Itoa(len(r.Queries)-i) + " more queries ran; section 2 has all.")
			return
		}
		for _, s := range q.Sentences {
			t.say(s)
		}
	}
}

// maxBatchRows is how many batches the page lists of a query.
const maxBatchRows = 20

// StreamTables are the queries, and the batches of each, the costliest first.
func (r *Report) StreamTables() []Table {
	if r.Streaming == nil {
		return nil
	}
	out := []Table{r.streamQueryTable()}
	for i := range r.Streaming.Queries {
		out = append(out, streamBatchTable(i+1, &r.Streaming.Queries[i]))
	}
	return out
}

func (r *Report) streamQueryTable() Table {
	t := Table{Name: "stream_query_rows", Total: len(r.Streaming.Queries), Columns: []Column{
		{"query", "query", InText},
		{"batches", "batches", InCount},
		{"batch_ms", "median batch", InMs},
		{"input_rows", "rows read", InCount},
		{"state_rows", "keys kept", InCount},
		{"state_bytes", "state at the end", InBytes},
		{"bytes_from", "by the size of its", InText},
		{"partitions", "partitions", InCount},
		{"state_workers", "on workers", InCount},
		{"partition_load_ms", "loading one, at most", InSlotMs},
		{"startup_ms", "start-up", InMs},
	}}
	for _, q := range r.Streaming.Queries {
		name := q.Query
		if q.Name.OK {
			name = q.Name.V + " (" + q.Query + ")"
		}
		t.Rows = append(t.Rows, []any{
			name, q.StreamQuery.Batches, opt(q.BatchMs), opt(q.InputRows), opt(q.StateRows), opt(q.StateBytes), opt(q.BytesFrom),
			opt(q.Partitions), q.StateWorkers, opt(q.PartitionLoadMs), opt(q.StartupMs),
		})
	}
	return t
}

func streamBatchTable(number int, q *streaming.Query) Table {
	t := Table{Name: "stream_" + strconv.Itoa(number) + "_batch_rows", Total: len(q.Batches), Columns: []Column{
		{"batch", "batch", InText},
		{"start_ms", "began", InInstant},
		{"trigger_ms", "took", InMs},
		{"input_rows", "rows read; again after a restart", InCount},
		{"state_bytes", "state after it", InBytes},
		{"moved_partitions", "partitions that moved", InCount},
		{"worst_unit", "worst " + q.Kind, InText},
		{"worst_recompute_ms", "to redo", InSlotMs},
		{"in_flight_ms", "in flight", InSlotMs},
		{"owed_ms", "owed", InSlotMs},
		{"lost_partitions", "partitions on it", InCount},
		{"lost_state_bytes", "to load again", InBytes},
	}}
	for _, b := range q.SortedByLoss()[:min(len(q.Batches), maxBatchRows)] {
		row := []any{
			strconv.FormatInt(b.Batch.Batch, 10), b.Batch.StartMs, opt(b.Batch.TriggerMs), opt(b.Batch.InputRows), opt(b.Batch.StateBytes),
			b.Batch.MovedPartitions, nil, nil, nil, nil, nil, nil,
		}
		if l := b.Worst; l != nil {
			row[6], row[7], row[8], row[9], row[10], row[11] = l.Unit, l.SupremumMs, l.InFlightMs+l.SupremumMs-l.RecomputeMs, l.OwedMs, l.StatePartitions, opt(l.StateBytes)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
