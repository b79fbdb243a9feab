package source

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
)

// stdinNode is "-", which is called as the user says.
func stdinNode(r io.Reader, called string) *node {
	n := &node{name: "-", path: "standard input", kind: nodeStream, size: -1, named: true}
	if called != "" {
		n.name, n.path = filepath.Base(called), printable(called)
	}
	n.open = func() (io.ReadCloser, error) {
		if r == nil {
			return nil, errors.New("there is no standard input")
		}
		return io.NopCloser(r), nil
	}
	return streamOf(n)
}

// streamOf wraps a node that can be opened once, so that its first bytes can be
// looked at and read again.
func streamOf(n *node) *node {
	s := &replay{name: n.path, source: n.open}
	wrapped := *n
	wrapped.named = true
	wrapped.open = s.open
	wrapped.begin = s.begin
	return &wrapped
}

// replay keeps what is read of a stream until begin is called.
type replay struct {
	name   string
	source func() (io.ReadCloser, error)
	file   io.ReadCloser
	err    error // what the stream returned while it was kept
	kept   []byte
	begun  bool
	spent  bool
}

// replayMost bounds the memory that looking at a stream may take.
const replayMost = 16 << 20

// begin ends the looking: the next open is the last.
func (s *replay) begin() { s.begun = true }

func (s *replay) open() (io.ReadCloser, error) {
	if s.spent {
		return nil, fmt.Errorf("%s can be read only once", s.name)
	}
	if s.file == nil {
		file, err := s.source()
		if err != nil {
			return nil, err
		}
		s.file = file
	}
	if s.begun {
		s.spent = true
		return &replayed{prefixed{head: s.kept, r: s.file}, s.file}, nil
	}
	return &recorded{s: s}, nil
}

type replayed struct {
	prefixed
	io.Closer
}

// recorded reads the stream from its first byte and keeps what it reads.
type recorded struct {
	s   *replay
	pos int
}

func (r *recorded) Close() error { return nil }

func (r *recorded) Read(p []byte) (int, error) {
	s := r.s
	if r.pos < len(s.kept) {
		n := copy(p, s.kept[r.pos:])
		r.pos += n
		return n, nil
	}
	if s.err != nil {
		return 0, s.err
	}
	if len(s.kept) > replayMost {
		return 0, fmt.Errorf("no event in the first %d bytes", replayMost)
	}
	n, err := s.file.Read(p)
	s.kept = append(s.kept, p[:n]...)
	s.err = err
	r.pos += n
	return n, err
}

// stream makes a log of a stream that was named.
func (f *finder) stream(n *node) {
	f.file("", n)
	n.begin()
}
