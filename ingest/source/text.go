package source

import (
	"io"
	"sync/atomic"
)

// text is one part, opened and being decompressed.
type text struct {
	decoder
	codec string
	head  []byte // first bytes as stored
	file  io.Closer
	raw   *meter
}

// meter counts the bytes as stored that were read, for Progress, for the
// statistics, and for the guard against input that expands without end.
type meter struct {
	r     io.Reader
	n     int64
	total *atomic.Int64 // of all parts; may be nil
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	m.n += int64(n)
	if m.total != nil {
		m.total.Add(int64(n))
	}
	return n, err
}

// openText opens a node, tells its codec from its first bytes, and puts the
// decoder before it.
func openText(n *node, lim Limits, total *atomic.Int64) (*text, error) {
	file, err := n.open()
	if err != nil {
		return nil, err
	}
	t := &text{file: file, raw: &meter{r: file, total: total}}
	head := make([]byte, headSize)
	got, err := io.ReadFull(t.raw, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		file.Close()
		return nil, err
	}
	t.head = head[:got]
	t.codec = codecOf(t.head)
	t.decoder, err = decode(t.codec, &prefixed{head: t.head, r: t.raw}, lim)
	if err != nil {
		file.Close()
		return nil, err
	}
	return t, nil
}

func (t *text) Close() error { return t.file.Close() }

// prefixed reads head and then r, straight into the caller's buffer.
type prefixed struct {
	head []byte
	r    io.Reader
}

func (p *prefixed) Read(b []byte) (int, error) {
	if len(p.head) > 0 {
		n := copy(b, p.head)
		p.head = p.head[n:]
		return n, nil
	}
	return p.r.Read(b)
}
