package source

import (
	"errors"
	"io"
	"sync/atomic"
)

// text is one part, opened and being decompressed.
type text struct {
	decoder
	codec  string
	packed bool   // it can expand
	head   []byte // first bytes as stored
	file   io.Closer
	raw    *meter
	under  *underlay
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

// underlay ends a file where the archive around it is damaged, and keeps the
// gap: the decoder above need not know of archives.
type underlay struct {
	r io.Reader
	g *gap
}

func (u *underlay) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	if errors.As(err, &u.g) {
		err = io.EOF
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
	t.under = &underlay{r: t.raw}
	if n.wrap != nil {
		t.under.r = n.wrap(t.raw)
	}
	head := make([]byte, headSize)
	got, err := io.ReadFull(t.under, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		file.Close()
		return nil, err
	}
	t.head = head[:got]
	t.codec = codecOf(t.head)
	t.packed = n.wrap != nil || t.codec != codecNone
	t.decoder, err = decode(t.codec, &prefixed{head: t.head, r: t.under}, lim)
	if err != nil {
		file.Close()
		return nil, err
	}
	return t, nil
}

func (t *text) Close() error { return t.file.Close() }

// lower is the damage of the archive that ended the file early, nil if none. It
// is known after io.EOF.
func (t *text) lower() *gap { return t.under.g }

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
