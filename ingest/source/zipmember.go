package source

import (
	"bufio"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"

	"tracereplay/internal/problem"
)

// zipMember takes the zip's own compression off a member, and checks its sum.
// Like a decoder it returns damage as a *gap, after all that came before it.
type zipMember struct {
	in    *countedReader
	buf   *bufio.Reader
	lib   io.Reader
	want  *zipSum
	crc   uint32
	size  uint64
	ended bool
}

// zipSum is what the directory says about a member.
type zipSum struct {
	crc  uint32
	size uint64
}

// countedReader knows how far reading has come, and whether it met trouble.
type countedReader struct {
	r   io.Reader
	n   int64
	err error
}

func (c *countedReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}

func newZipMember(r io.Reader, method uint16, want *zipSum, lim Limits) *zipMember {
	m := &zipMember{in: &countedReader{r: r}, want: want}
	switch method {
	case zipDeflate:
		m.buf = bufio.NewReaderSize(m.in, 64<<10)
		m.lib = flate.NewReader(m.buf)
	case zipZstd:
		m.lib = zstd.ZipDecompressor(zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(uint64(lim.MaxWindow)))(m.in)
	default:
		m.lib = m.in
	}
	return m
}

func (m *zipMember) Read(p []byte) (int, error) {
	if m.ended {
		return 0, io.EOF
	}
	n, err := m.lib.Read(p)
	m.crc = crc32.Update(m.crc, crc32.IEEETable, p[:n])
	m.size += uint64(n)
	if err == nil {
		return n, nil
	}
	m.ended = true
	switch {
	case m.in.err != nil:
		return n, m.in.err
	case err != io.EOF:
		return n, m.fail(err)
	case m.want != nil && (m.want.crc != m.crc || m.want.size != m.size):
		return n, m.fail(fmt.Errorf("the checksum or the size of the member does not match"))
	}
	return n, io.EOF
}

// fail makes a gap from here to the end of the member.
func (m *zipMember) fail(err error) error {
	at := m.in.n
	if m.buf != nil {
		at -= int64(m.buf.Buffered())
	}
	g := &gap{kind: problem.CorruptFrame, at: at, detail: fmt.Sprintf("zip member: %v", err)}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		g.kind, g.detail = problem.CutFrame, "the zip archive ends inside this member"
	}
	rest, _ := io.Copy(io.Discard, m.in.r)
	g.skipped = m.in.n + rest - at
	return g
}
