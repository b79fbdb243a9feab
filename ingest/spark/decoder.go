package spark

import (
	"bytes"

	"github.com/go-faster/jx"

	"tracereplay/ingest"
	"tracereplay/internal/problem"
)

// Options of a Decoder.
type Options struct {
	// FullParse reads every byte of every line, so that broken JSON is noticed
	// wherever it is, at less than half the speed.
	FullParse bool
}

// Decoder turns blocks of lines into batches. It holds interning tables and is
// NOT safe for concurrent use: one per worker goroutine.
type Decoder struct {
	opt     Options
	strings interner
	jx      jx.Decoder
	nested  jx.Decoder // for JSON inside a string
	scratch []byte
	starts  int64            // lines read the fast way, of the block
	ends    int64            // the same
	counts  map[string]int64 // all others, of the block
	unknown map[string]int64 // of the block

	// Of the block.
	b    *ingest.Batch
	file string

	// Of the line.
	seq, num, offset int64
	line             []byte
	kind             string
	trouble          trouble
	jumped           jumped
	task             task   // scratch of the strict way
	reason           reason // the same
}

// NewDecoder makes a Decoder.
func NewDecoder(opt Options) *Decoder {
	return &Decoder{opt: opt, counts: make(map[string]int64), unknown: make(map[string]int64)}
}

// Decode appends to b the events of data, which is whole lines. file, offset
// (of data[0]), line and seq (of the first line) tell where they stand; cut
// tells that the last line has no newline because the log ends in it.
func (d *Decoder) Decode(b *ingest.Batch, data []byte, file string, offset, line, seq int64, cut bool) {
	d.b, d.file, d.offset, d.num, d.seq = b, file, offset, line, seq
	for len(data) > 0 {
		n := bytes.IndexByte(data, '\n')
		size := n + 1
		if n < 0 {
			n, size = len(data), len(data)
		}
		d.decodeLine(data[:n], cut && size == n)
		data = data[size:]
		d.offset += int64(size)
		d.num++
		d.seq++
	}
	d.countFast()
	addCounts(&b.Counts, d.counts)
	addCounts(&b.Unknown, d.unknown)
	d.release()
}

// release forgets the block, whose memory belongs to the caller.
func (d *Decoder) release() {
	d.b, d.line = nil, nil
	d.task, d.reason, d.trouble = task{}, reason{}, trouble{}
	d.jx.ResetBytes(nil)
	d.nested.ResetBytes(nil)
}

// decodeLine reads one line. cut tells that the log ends in it.
func (d *Decoder) decodeLine(line []byte, cut bool) {
	line = trimLine(line)
	if len(line) == 0 {
		return
	}
	d.line, d.kind = line, ""
	if !d.opt.FullParse && d.fastTask() {
		return
	}
	d.trouble.reset()
	if err := d.decodeEvent(); err != nil {
		d.unreadable(err, cut)
		return
	}
	d.count()
	d.reportTrouble()
}

// decodeEvent appends the event of the line. After an error nothing of the
// line has been used.
func (d *Decoder) decodeEvent() error {
	class, err := d.findClass()
	if err != nil {
		return err
	}
	d.kind = d.strings.intern(cutText(lastSegment(class), maxInterned))
	d.jx.ResetBytes(d.line)
	if err := d.decodeKind(&d.jx); err != nil {
		return err
	}
	if d.jx.Skip() != errEOF {
		d.trouble.extra = len(d.line) - objectEnd(d.line)
	}
	return nil
}

// trimLine takes off what may stand around an object.
func trimLine(line []byte) []byte {
	line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	return bytes.Trim(line, " \t\r")
}

// lastSegment is a class's own name: what follows the last '.' or '$'.
func lastSegment(class []byte) []byte {
	return class[bytes.LastIndexAny(class, ".$")+1:]
}

// emit appends an event to the batch.
func (d *Decoder) emit(e ingest.Event) { d.b.AddOther(e) }

// at is the position of the line.
func (d *Decoder) at() ingest.At { return ingest.At{Seq: d.seq} }

// count counts the line by its kind. A line whose event could not be used for
// want of fields counts too: it was there.
func (d *Decoder) count() {
	if known(d.kind) {
		d.counts[d.kind]++
	} else if d.kind != "" {
		d.unknown[d.kind]++
	}
}

// countFast adds the lines read the fast way to the others of their kind.
func (d *Decoder) countFast() {
	if d.starts > 0 {
		d.counts[kindTaskStart] += d.starts
	}
	if d.ends > 0 {
		d.counts[kindTaskEnd] += d.ends
	}
	d.starts, d.ends = 0, 0
}

// addCounts moves counts to a batch's map.
func addCounts(to *map[string]int64, from map[string]int64) {
	if *to == nil {
		*to = make(map[string]int64, len(from))
	}
	for k, n := range from {
		(*to)[k] += n
	}
	clear(from)
}

// report appends a problem of the current line.
func (d *Decoder) report(kind problem.Kind, skipped int, detail string) {
	d.b.Problems = append(d.b.Problems, problem.Problem{
		Kind:    kind,
		Pos:     problem.Pos{File: d.file, Line: d.num, Offset: d.offset},
		Seq:     d.seq,
		Skipped: int64(skipped),
		Event:   d.kind,
		Detail:  detail,
	})
}
