package source

import (
	"fmt"
	"io"

	"tracereplay/internal/problem"
)

// chunks decodes the framings that Spark took from its Java libraries: a
// sequence of small blocks, each compressed by itself.
//
//  1. The framing reads a header and says how long the block is, compressed
//     and raw. Lengths that the method cannot produce are refused before any
//     memory is asked for.
//  2. The block is decoded straight into the caller's buffer if it fits.
//  3. A block that does not decode becomes a gap, up to where the framing finds
//     the next header that makes sense.
type chunks struct {
	src     *byteSource
	framing framing
	buf     []byte // a block that did not fit into the caller's buffer
	rest    []byte // what is left of it
	done    bool
	open    bool // the framing has an end mark, and it has not come
}

// framing is what differs between them.
type framing interface {
	name() string
	// header looks at the header at the source's next byte. It returns errCut
	// if the file ends inside it, errEnd at the end of the file.
	header(src *byteSource) (chunk, error)
	// decode turns the stored bytes of a block into dst, which has the raw size.
	decode(dst, stored []byte, c chunk) error
	// resume moves src from a bad header or block at offset at to the next
	// header behind it. It returns false if there is none.
	resume(src *byteSource, at int64) bool
}

// chunk is one block as its header describes it.
type chunk struct {
	head   int // bytes of the header
	stored int // bytes behind it
	raw    int // bytes of text
	packed bool
	mark   bool   // a header without a block: the start or the end of a stream
	open   bool   // an end mark is due after it
	sum    uint32 // checksum, where the framing has one
}

var (
	errEnd = fmt.Errorf("end")
	errCut = fmt.Errorf("cut")
)

func newChunks(src *byteSource, f framing) *chunks { return &chunks{src: src, framing: f} }

func (d *chunks) unfinished() bool { return d.open }

func (d *chunks) Read(p []byte) (int, error) {
	for {
		if len(d.rest) > 0 {
			n := copy(p, d.rest)
			d.rest = d.rest[n:]
			return n, nil
		}
		if d.done || len(p) == 0 {
			return 0, d.end()
		}
		if n, err := d.next(p); n > 0 || err != nil {
			return n, err
		}
	}
}

func (d *chunks) end() error {
	if d.done {
		return io.EOF
	}
	return nil
}

// next decodes one block into p or, if it is larger, into rest.
func (d *chunks) next(p []byte) (int, error) {
	at := d.src.offset()
	c, err := d.framing.header(d.src)
	if err == nil {
		stored := d.src.peek(c.head + c.stored)
		if len(stored) == c.head+c.stored {
			return d.block(p, stored[c.head:], c, at)
		}
		err = errCut
	}
	if ioErr := d.src.failed(); ioErr != nil {
		return 0, ioErr
	}
	if err == errEnd {
		d.done = true
		return 0, io.EOF
	}
	return 0, d.fail(at, err)
}

func (d *chunks) block(p, stored []byte, c chunk, at int64) (int, error) {
	d.open = c.open
	dst := p
	if c.raw > len(p) {
		if cap(d.buf) < c.raw {
			d.buf = make([]byte, c.raw)
		}
		dst = d.buf
	}
	dst = dst[:c.raw]
	if !c.mark {
		if err := d.framing.decode(dst, stored, c); err != nil {
			return 0, d.fail(at, err)
		}
	}
	d.src.skip(c.head + c.stored)
	if c.raw > len(p) {
		d.rest = dst
		return 0, nil
	}
	return c.raw, nil
}

// fail makes a gap from offset at to where reading can go on.
func (d *chunks) fail(at int64, err error) error {
	g := &gap{kind: problem.CorruptFrame, at: at, detail: fmt.Sprintf("%s: %v", d.framing.name(), err)}
	found := d.framing.resume(d.src, at)
	if ioErr := d.src.failed(); ioErr != nil {
		return ioErr
	}
	if !found {
		d.src.drain()
		d.done = true
		if err == errCut {
			g.kind = problem.CutFrame
		}
	}
	if err == errCut {
		g.detail = fmt.Sprintf("the file ends inside a block of %s", d.framing.name())
		if found {
			g.detail = d.framing.name() + ": a block claims to reach beyond the end of the file"
		}
	}
	g.skipped = d.src.offset() - at
	return g
}
