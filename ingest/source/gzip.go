package source

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"

	"tracereplay/internal/problem"
)

// gzipDecoder reads the members of a gzip file one by one. Deflate has no
// marker to resume at, so a corrupt member loses the rest of the file.
type gzipDecoder struct {
	src *byteSource
	// buf stands between src and the library, which has a fast path for this
	// very type.
	buf  *bufio.Reader
	lib  *gzip.Reader
	open bool  // inside a member
	at   int64 // where its header began
	done bool
}

func newGzip(src *byteSource) *gzipDecoder {
	return &gzipDecoder{src: src, buf: bufio.NewReaderSize(src, 64<<10)}
}

func (d *gzipDecoder) unfinished() bool { return false }

// offset is the place in the file of the next byte that the library will read.
func (d *gzipDecoder) offset() int64 { return d.src.offset() - int64(d.buf.Buffered()) }

func (d *gzipDecoder) Read(p []byte) (int, error) {
	for !d.done {
		if !d.open {
			if err := d.nextMember(); err != nil {
				return 0, err
			}
			continue
		}
		n, err := d.lib.Read(p)
		switch {
		case err == io.EOF:
			d.open = false
		case err != nil:
			return n, d.fail(err, d.offset())
		}
		if n > 0 {
			return n, nil
		}
	}
	return 0, io.EOF
}

// nextMember reads the header of a member. Zero bytes behind the last one are
// padding, as gzip itself takes them.
func (d *gzipDecoder) nextMember() error {
	head, _ := d.buf.Peek(len(gzipMagic))
	switch {
	case len(head) == 0 || (!bytes.Equal(head, gzipMagic) && d.onlyZeros()):
		d.done = true
		return d.src.failed()
	case !bytes.HasPrefix(gzipMagic, head):
		return d.fail(errTrailing, d.offset())
	}
	d.at = d.offset()
	var err error
	if d.lib == nil {
		d.lib, err = gzip.NewReader(d.buf)
	} else {
		err = d.lib.Reset(d.buf)
	}
	if err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return d.fail(err, d.at)
	}
	d.lib.Multistream(false)
	d.open = true
	return nil
}

var errTrailing = errors.New("what follows the end of the gzip data is not gzip")

// onlyZeros takes zero bytes, and reports whether they reach to the end.
func (d *gzipDecoder) onlyZeros() bool {
	for {
		b, err := d.buf.ReadByte()
		if err != nil {
			return true
		}
		if b != 0 {
			return d.buf.UnreadByte() != nil
		}
	}
}

// fail ends the file with a gap from offset at on.
func (d *gzipDecoder) fail(err error, at int64) error {
	if ioErr := d.src.failed(); ioErr != nil {
		return ioErr
	}
	g := &gap{kind: problem.CorruptFrame, at: at, detail: "gzip: " + err.Error()}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		g.kind, g.detail = problem.CutFrame, "the file ends inside a gzip member"
	case errors.Is(err, gzip.ErrChecksum):
		g.detail = "the checksum of a gzip member does not match; text that it gave before may be wrong"
	}
	d.src.drain()
	g.skipped = d.src.offset() - g.at
	d.done = true
	return g
}
