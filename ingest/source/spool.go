package source

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// seekable gives random access to an archive: in place where that can be done,
// else through a temporary copy, which is decompressed on the way. cut says
// where the input broke off, if it did.
func (f *finder) seekable(n *node, s *sniffed) (data io.ReaderAt, size int64, cut *gap, err error) {
	if s.codec == codecNone && n.at != nil {
		data, size, err = n.at()
		return data, size, nil, err
	}
	return f.spool(n)
}

// spool copies the text of a node to a temporary file that has no name any
// more: whatever becomes of the process, nothing is left behind. The space is
// given back when the last log that reads from it is forgotten.
func (f *finder) spool(n *node) (io.ReaderAt, int64, *gap, error) {
	if n.begin != nil {
		n.begin()
	}
	t, err := openText(n, f.opt.Limits, nil)
	if err != nil {
		return nil, 0, nil, err
	}
	defer t.Close()
	file, err := os.CreateTemp("", "tracereplay-*")
	if err != nil {
		return nil, 0, nil, fmt.Errorf("a temporary file for the archive: %w; set TMPDIR to where there is room, or unpack the archive", err)
	}
	if err := os.Remove(file.Name()); err != nil {
		file.Close()
		return nil, 0, nil, err
	}
	size, cut, err := f.copySpool(n, file, t)
	if err != nil {
		file.Close()
		return nil, 0, nil, err
	}
	return file, size, cut, nil
}

// copySpool copies until the end or the first gap: behind a gap the members are
// no longer where the archive's headers say.
func (f *finder) copySpool(n *node, file *os.File, t *text) (int64, *gap, error) {
	buf := make([]byte, 1<<20)
	var size int64
	for {
		got, err := t.Read(buf)
		size += int64(got)
		f.spooled += int64(got)
		if _, wErr := file.Write(buf[:got]); wErr != nil {
			return size, nil, fmt.Errorf("copying the archive to a temporary file: %w; set TMPDIR to where there is room, or unpack the archive", wErr)
		}
		if err := f.spoolGuard(n, t, size); err != nil {
			return size, nil, err
		}
		var g *gap
		switch {
		case err == io.EOF:
			return size, t.lower(), nil
		case errors.As(err, &g):
			return size, g, nil
		case err != nil:
			return size, nil, err
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
