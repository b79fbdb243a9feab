package source

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// spoolError is trouble with the temporary file.
type spoolError struct {
	name string
	err  error
}

func (e *spoolError) Error() string {
	return fmt.Sprintf("%s: copying the archive to a temporary file: %v; set TMPDIR to where there is room, or unpack the archive", e.name, e.err)
}

func (e *spoolError) Unwrap() error { return e.err }

// seekable gives random access to an archive: in place where that can be done,
// else through a temporary copy, which is decompressed on the way. cut says
// where the input broke off, if it did.
func (f *finder) seekable(n *node, s *sniffed) (data io.ReaderAt, size int64, cut *gap, err error) {
	if s.codec == codecNone && n.at != nil {
		data, size, err = n.at()
		return data, size, nil, err
	}
	return f.copyOf(n)
}

// copyOf copies the text of a node to the temporary file. It has no name any
// more when it is written: whatever becomes of the process, nothing is left
// behind. The space is given back when the last log that reads from it is
// forgotten.
func (f *finder) copyOf(n *node) (io.ReaderAt, int64, *gap, error) {
	if n.begin != nil {
		n.begin()
	}
	t, err := openText(n, f.opt.Limits, nil)
	if err != nil {
		return nil, 0, nil, err
	}
	defer t.Close()
	if f.spool == nil {
		if f.spool, err = nameless(); err != nil {
			return nil, 0, nil, &spoolError{n.path, err}
		}
	}
	from := f.spooled
	cut, err := f.copyText(n, t, from)
	if err != nil {
		return nil, 0, nil, err
	}
	size := f.spooled - from
	return io.NewSectionReader(f.spool, from, size), size, cut, nil
}

func nameless() (*os.File, error) {
	file, err := os.CreateTemp("", "tracereplay-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(file.Name()); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// copyText copies until the end or the first gap: behind a gap the members are
// no longer where the archive's headers say.
func (f *finder) copyText(n *node, t *text, from int64) (*gap, error) {
	buf := make([]byte, 1<<20)
	for {
		got, err := t.Read(buf)
		if _, wErr := f.spool.WriteAt(buf[:got], f.spooled); wErr != nil {
			return nil, &spoolError{n.path, wErr}
		}
		f.spooled += int64(got)
		if err := f.spoolGuard(n, t, f.spooled-from); err != nil {
			return nil, err
		}
		var g *gap
		switch {
		case err == io.EOF:
			return t.lower(), nil
		case errors.As(err, &g):
			return g, nil
		case err != nil:
			return nil, err
		}
	}
}

func (f *finder) spoolGuard(n *node, t *text, size int64) error {
	lim := f.opt.Limits
	if f.spooled > lim.MaxSpool {
		return &LimitError{Name: n.path, Limit: "MaxSpool", Max: lim.MaxSpool, What: "the archive needs a larger temporary copy; unpack it, and name the directory"}
	}
	if !t.packed {
		return nil
	}
	return lim.expanded(n.path, t.raw.n, size)
}
