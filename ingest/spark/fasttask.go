package spark

import (
	"bytes"

	"tracereplay/ingest"
)

// This is the fast way to read tasks. It reads what task.go reads and gives
// the same events, or gives up; task.go then reads the line from its start.

// The beginnings of the lines that go this way.
const (
	startPrefix = `{"Event":"` + kindTaskStart + `"`
	endPrefix   = `{"Event":"` + kindTaskEnd + `"`
)

// span is a stretch of a line.
type span struct{ from, to int }

// jumped is what the fast way did not look at.
type jumped struct {
	accumulables span // a JSON array
	peaks        span // a JSON object
}

// fastTask appends the event of a line about a task. It returns false, and has
// appended nothing, if the line holds another event or a surprise.
func (d *Decoder) fastTask() bool {
	switch {
	case bytes.HasPrefix(d.line, []byte(endPrefix)):
		if !d.fastEnd(d.b.AddEnd()) {
			d.b.Ends = d.b.Ends[:len(d.b.Ends)-1]
			d.b.Order = d.b.Order[:len(d.b.Order)-1]
			return false
		}
		d.ends++
		return true
	case bytes.HasPrefix(d.line, []byte(startPrefix)):
		if !d.fastStart(d.b.AddStart()) {
			d.b.Starts = d.b.Starts[:len(d.b.Starts)-1]
			d.b.Order = d.b.Order[:len(d.b.Order)-1]
			return false
		}
		d.starts++
		return true
	}
	return false
}

// fastStart reads a task start.
func (d *Decoder) fastStart(e *ingest.TaskStart) bool {
	c := cursor{b: d.line, i: len(startPrefix)}
	var info infoFields
	stage := false
	for key, ok := c.next(); ok; key, ok = c.next() {
		switch key {
		case "Stage ID":
			e.Stage, stage = c.int(), true
		case "Stage Attempt ID":
			e.StageAttempt = c.int()
		case "Task Info":
			d.fastInfo(&c, e, &info)
		default:
			c.skip(key, 1)
		}
	}
	e.At = d.at()
	return !c.bad && c.i == len(c.b) && stage && info.complete(e)
}

// fastEnd reads a task end.
func (d *Decoder) fastEnd(e *ingest.TaskEnd) bool {
	d.jumped = jumped{}
	c := cursor{b: d.line, i: len(endPrefix)}
	var info infoFields
	stage := false
	for key, ok := c.next(); ok; key, ok = c.next() {
		switch key {
		case "Stage ID":
			e.Stage, stage = c.int(), true
		case "Stage Attempt ID":
			e.StageAttempt = c.int()
		case "Task Type":
			e.TaskType = d.strings.intern(c.text())
		case "Task End Reason":
			fastReason(&c, e)
		case "Task Info":
			d.fastInfo(&c, &e.TaskStart, &info)
		case "Task Executor Metrics":
			d.jumped.peaks = c.jumpPeaks()
		case "Task Metrics":
			fastMetrics(&c, &e.M)
			e.HasMetrics = true
		default:
			c.bad = c.bad || isMetricsGroup(key)
			c.skip(key, 1)
		}
	}
	if c.bad || c.i != len(c.b) || !stage || !info.complete(&e.TaskStart) || e.Status == "" {
		return false
	}
	e.At = d.at()
	e.FinishMs, e.GettingResultMs = info.finish, info.getting
	if e.HasMetrics && !e.M.PeakMemoryBytes.OK {
		s := d.jumped.accumulables
		e.M.PeakMemoryBytes = d.peakMemory(d.line[s.from:s.to])
	}
	return true
}

// fastReason reads the reasons that carry nothing else. All failures go the
// strict way: they hold text with escapes, and are few.
func fastReason(c *cursor, e *ingest.TaskEnd) {
	switch {
	case e.Status != "":
		c.bad = true
	case c.literal(`{"Reason":"Success"}`):
		e.Status = ingest.Success
	case c.literal(`{"Reason":"Resubmitted"}`):
		e.Status = ingest.Resubmitted
	default:
		c.bad = true
	}
}
