package spark

import (
	"bytes"

	"tracereplay/ingest"
	"tracereplay/internal/table"
)

// infoFields is what a Task Info holds beyond a TaskStart, and which of the
// fields that a task cannot do without were there.
type infoFields struct {
	id, index, launch bool
	finish, getting   table.I64
}

// complete tells whether nothing is missing that would have to be reported.
func (f *infoFields) complete(e *ingest.TaskStart) bool {
	return f.id && f.index && f.launch && e.Worker != "" && e.Host != ""
}

// fastInfo reads a Task Info.
func (d *Decoder) fastInfo(c *cursor, e *ingest.TaskStart, f *infoFields) {
	for key, ok := c.first(); ok; key, ok = c.next() {
		switch key {
		case "Task ID":
			e.Task, f.id = c.int(), true
		case "Index":
			e.Index, f.index = c.int(), true
		case "Attempt":
			e.Attempt = c.int()
		case "Partition ID":
			e.Partition = orUnknown(0, c.int())
		case "Launch Time":
			e.LaunchMs, f.launch = c.instant(), true
		case "Executor ID":
			e.Worker = d.strings.intern(c.text())
		case "Host":
			e.Host = d.strings.intern(c.text())
		case "Locality":
			e.Locality = d.strings.intern(c.text())
		case "Speculative":
			e.Speculative = c.bool()
		case "Getting Result Time":
			f.getting = orUnknown(1, c.instant())
		case "Finish Time":
			f.finish = orUnknown(1, c.instant())
		case "Accumulables":
			d.jumped.accumulables = c.jumpAccumulables()
		default:
			c.skip(key, 2)
		}
	}
}

// jumpAccumulables steps over a task's accumulables, half of the bytes of a
// usual log, without reading them: to the first ']' behind which stands what
// Spark writes behind the Task Info of an ended task, `},"Task Metrics":{` or
// `},"Task Executor Metrics":{`.
//
// That is exact for all that is JSON:
//
//   - These texts cannot lie in a string, where their quotes would need
//     backslashes.
//   - They cannot be found behind the end of the array: what follows an array
//     is a comma, a brace or space, and at one of these the jump is off and
//     each byte is read.
//   - If they were found inside of the array, as members of an accumulable, which
//     Spark never writes, the line would end later than the cursor thinks, and
//     the caller gives up on what it finds there.
func (c *cursor) jumpAccumulables() span {
	start := c.i
	for i := start; ; {
		n := bytes.IndexByte(c.b[i:], ']')
		if i += n + 1; n < 0 || i == len(c.b) {
			break
		}
		if c.b[i] == '}' && endsInfo(c.b[i:]) {
			c.bad = c.bad || c.b[start] != '['
			c.i = i
			return span{start, i}
		}
		if c.b[i] == '}' || c.b[i] == ',' || c.b[i] <= ' ' {
			break
		}
	}
	c.skip("", 2)
	return span{start, max(c.i, start)}
}

// endsInfo tells whether b goes on as the line of an ended task does where its
// Task Info ends.
func endsInfo(b []byte) bool {
	rest, ok := bytes.CutPrefix(b, []byte(`},"Task `))
	return ok && (bytes.HasPrefix(rest, []byte(`Metrics":{`)) || bytes.HasPrefix(rest, []byte(`Executor Metrics":{`)))
}

// jumpPeaks does the same for an executor's peaks, a flat object of numbers:
// to the first '}' if the Task Metrics follow.
func (c *cursor) jumpPeaks() span {
	start := c.i
	n := bytes.IndexByte(c.b[start:], '}')
	if n >= 0 && bytes.HasPrefix(c.b[start+n+1:], []byte(`,"Task Metrics":{`)) {
		c.bad = c.bad || c.b[start] != '{'
		c.i = start + n + 1
		return span{start, c.i}
	}
	c.skip("", 1)
	return span{start, max(c.i, start)}
}
