package spark

import (
	"bytes"

	"github.com/go-faster/jx"

	"tracereplay/ingest"
	"tracereplay/internal/table"
)

func (d *Decoder) queryStarted(j *jx.Decoder) error    { return d.streamEvent(j, "started") }
func (d *Decoder) queryIdle(j *jx.Decoder) error       { return d.streamEvent(j, "idle") }
func (d *Decoder) queryTerminated(j *jx.Decoder) error { return d.streamEvent(j, "terminated") }

func (d *Decoder) streamEvent(j *jx.Decoder, kind string) error {
	e := ingest.StreamEvent{At: d.at(), Kind: kind}
	err := d.object(j, "", func(j *jx.Decoder, key string) error {
		switch key {
		case "id":
			return d.string(j, key, &e.QueryID)
		case "runId":
			return d.string(j, key, &e.RunID)
		case "name":
			return d.string(j, key, &e.Name)
		case "timestamp": // since 3.0
			return d.string(j, key, &e.TimestampText)
		case "exception":
			return d.message(j, key, &e.Reason)
		}
		return j.Skip()
	})
	if err != nil {
		return err
	}
	if !d.need(e.QueryID != "", "id") {
		return nil
	}
	d.emit(&e)
	return nil
}

func (d *Decoder) queryProgress(j *jx.Decoder) error {
	e := progress{Progress: ingest.Progress{At: d.at()}}
	err := d.object(j, "", func(j *jx.Decoder, key string) error {
		if key != "progress" {
			return j.Skip()
		}
		return d.progress(j, key, &e)
	})
	if err != nil {
		return err
	}
	d.expect(e.Batch.OK, "batchId")
	if !d.need(e.QueryID != "", "id") {
		return nil
	}
	e.sumSources()
	d.emit(&e.Progress)
	return nil
}

// progress is a report with the rates of its sources, which it sums up.
type progress struct {
	ingest.Progress
	in, done []table.Opt[float64] // rows per second, by source
}

// sumSources fills in the totals, which Spark works out from the sources when
// asked and does not write. A total of which a part is unknown is unknown.
func (p *progress) sumSources() {
	if len(p.Sources) == 0 {
		return
	}
	rows := table.Some[int64](0)
	for _, s := range p.Sources {
		rows.V += s.InputRows.V
		rows.OK = rows.OK && s.InputRows.OK
	}
	if !p.InputRows.OK && rows.OK {
		p.InputRows = rows
	}
	sumRates(&p.InputRowsPerSecond, p.in)
	sumRates(&p.ProcessedRowsPerSecond, p.done)
}

func sumRates(to *table.Opt[float64], rates []table.Opt[float64]) {
	sum := table.Some(0.0)
	for _, r := range rates {
		sum.V += r.V
		sum.OK = sum.OK && r.OK
	}
	if !to.OK && sum.OK {
		*to = sum
	}
}

// progress reads the report itself: an object, or one written into a string.
func (d *Decoder) progress(j *jx.Decoder, field string, e *progress) error {
	read := func(j *jx.Decoder, key string) error { return d.progressField(j, key, e) }
	if j.Next() != jx.String {
		return d.object(j, field, read)
	}
	return d.text(j, field, func(b []byte) {
		text := bytes.Clone(b)
		if !d.nestedObject(text, read) {
			d.bad(field, text)
		}
	})
}

func (d *Decoder) progressField(j *jx.Decoder, key string, e *progress) error {
	switch key {
	case "id":
		return d.string(j, key, &e.QueryID)
	case "runId":
		return d.string(j, key, &e.RunID)
	case "name":
		return d.string(j, key, &e.Name)
	case "timestamp":
		return d.string(j, key, &e.TimestampText)
	case "batchId":
		return d.int(j, key, &e.Batch)
	case "batchDuration":
		return d.int(j, key, &e.BatchDurationMs)
	case "durationMs":
		return d.intMap(j, key, &e.DurationsMs)
	case "numInputRows":
		return d.int(j, key, &e.InputRows)
	case "inputRowsPerSecond":
		return d.float(j, key, &e.InputRowsPerSecond)
	case "processedRowsPerSecond":
		return d.float(j, key, &e.ProcessedRowsPerSecond)
	case "stateOperators":
		return d.array(j, key, func(j *jx.Decoder) error { return d.stateOperator(j, key, e) })
	case "sources":
		return d.array(j, key, func(j *jx.Decoder) error { return d.streamSource(j, key, e) })
	case "sink":
		return d.sink(j, key, &e.Sink)
	}
	return j.Skip()
}

// intMap reads an object of numbers; what is no integer is left out.
func (d *Decoder) intMap(j *jx.Decoder, field string, to *map[string]int64) error {
	return d.object(j, field, func(j *jx.Decoder, key string) error {
		raw, err := j.Raw()
		if v, ok := parseInt(raw); ok && err == nil {
			if *to == nil {
				*to = make(map[string]int64)
			}
			(*to)[d.strings.intern([]byte(key))] = v
		}
		return err
	})
}

func (d *Decoder) stateOperator(j *jx.Decoder, field string, e *progress) error {
	var s ingest.StateOperator
	err := d.object(j, field, func(j *jx.Decoder, key string) error {
		switch key {
		case "operatorName":
			return d.string(j, key, &s.Name)
		case "numRowsTotal":
			return d.int(j, key, &s.RowsTotal)
		case "numRowsUpdated":
			return d.int(j, key, &s.RowsUpdated)
		case "numRowsRemoved":
			return d.int(j, key, &s.RowsRemoved)
		case "numRowsDroppedByWatermark", "numLateInputs": // the latter in development versions of 3.1
			return d.int(j, key, &s.RowsDroppedByWatermark)
		case "memoryUsedBytes":
			return d.int(j, key, &s.MemoryBytes)
		case "commitTimeMs":
			return d.int(j, key, &s.CommitMs)
		case "allUpdatesTimeMs":
			return d.int(j, key, &s.UpdatesMs)
		case "allRemovalsTimeMs":
			return d.int(j, key, &s.RemovalsMs)
		case "numShufflePartitions":
			return d.int(j, key, &s.ShufflePartitions)
		case "numStateStoreInstances":
			return d.int(j, key, &s.StateStoreInstances)
		case "customMetrics":
			return d.intMap(j, key, &s.Custom)
		}
		return j.Skip()
	})
	e.Operators = append(e.Operators, s)
	return err
}

func (d *Decoder) streamSource(j *jx.Decoder, field string, e *progress) error {
	var s ingest.StreamSource
	var in, done table.Opt[float64]
	err := d.object(j, field, func(j *jx.Decoder, key string) error {
		switch key {
		case "description":
			return d.string(j, key, &s.Description)
		case "startOffset":
			return d.any(j, key, &s.StartOffset)
		case "endOffset":
			return d.any(j, key, &s.EndOffset)
		case "numInputRows":
			return d.int(j, key, &s.InputRows)
		case "inputRowsPerSecond":
			return d.float(j, key, &in)
		case "processedRowsPerSecond":
			return d.float(j, key, &done)
		}
		return j.Skip()
	})
	e.Sources = append(e.Sources, s)
	e.in, e.done = append(e.in, in), append(e.done, done)
	return err
}

func (d *Decoder) sink(j *jx.Decoder, field string, to *string) error {
	return d.object(j, field, func(j *jx.Decoder, key string) error {
		if key != "description" {
			return j.Skip()
		}
		return d.string(j, key, to)
	})
}
