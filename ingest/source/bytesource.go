package source

import (
	"bytes"
	"io"
)

// byteSource reads a compressed file for a decoder: buffered, with the offset
// of the next byte always known, and able to step back a little, so that a
// search for the next frame can start inside a block that turned out corrupt.
type byteSource struct {
	r    io.Reader
	buf  []byte
	pos  int   // next byte to hand out
	end  int   // end of the bytes held
	base int64 // offset in the file of buf[0]
	err  error // what r returned last; sticky
}

const (
	sourceFirst  = 32 << 10 // a new buffer: most logs are small
	sourceBuffer = 512 << 10
	// sourceHistory is how far rewind reaches at least: more than the largest
	// zstd block with its header.
	sourceHistory = 192 << 10
)

func newByteSource(r io.Reader) *byteSource {
	return &byteSource{r: r, buf: make([]byte, sourceFirst)}
}

// offset is the place in the file of the next byte.
func (s *byteSource) offset() int64 { return s.base + int64(s.pos) }

// fill reads more bytes behind those held. It returns false at the end.
func (s *byteSource) fill() bool {
	if s.err != nil {
		return false
	}
	if s.end == len(s.buf) {
		s.makeRoom()
	}
	n, err := s.r.Read(s.buf[s.end:])
	for tries := 0; n == 0 && err == nil && tries < 100; tries++ {
		n, err = s.r.Read(s.buf[s.end:])
	}
	if n == 0 && err == nil {
		err = io.ErrNoProgress
	}
	s.end += n
	s.err = err
	return n > 0
}

// makeRoom frees space at the end of a full buffer: it drops the oldest bytes,
// keeping sourceHistory of those handed out, or grows.
func (s *byteSource) makeRoom() {
	drop := s.pos - sourceHistory
	if drop <= 0 || len(s.buf) < sourceBuffer {
		bigger := make([]byte, 2*len(s.buf))
		copy(bigger, s.buf[:s.end])
		s.buf = bigger
		return
	}
	copy(s.buf, s.buf[drop:s.end])
	s.pos -= drop
	s.end -= drop
	s.base += int64(drop)
}

// failed is the error of the file itself, nil if it merely ended.
func (s *byteSource) failed() error {
	if s.err == io.EOF {
		return nil
	}
	return s.err
}

func (s *byteSource) Read(p []byte) (int, error) {
	if s.pos == s.end && !s.fill() {
		return 0, s.err
	}
	n := copy(p, s.buf[s.pos:s.end])
	s.pos += n
	return n, nil
}

// peek returns the next n bytes without taking them, fewer at the end.
func (s *byteSource) peek(n int) []byte {
	for s.end-s.pos < n && s.fill() {
	}
	return s.buf[s.pos:min(s.end, s.pos+n)]
}

// skip takes n bytes that peek has shown.
func (s *byteSource) skip(n int) { s.pos += n }

// rewind makes the byte at offset off the next one, or the oldest one held.
func (s *byteSource) rewind(off int64) {
	s.pos = int(max(off-s.base, 0))
}

// atEnd reports that no byte is left.
func (s *byteSource) atEnd() bool { return s.pos == s.end && !s.fill() }

// drain reads to the end of the file.
func (s *byteSource) drain() {
	s.pos = s.end
	for s.fill() {
		s.pos = s.end
	}
}

// seek takes bytes up to the next place where magic stands and ok, called with
// it next, agrees. It returns false at the end of the file.
func (s *byteSource) seek(magic []byte, ok func() bool) bool {
	for {
		i := bytes.Index(s.buf[s.pos:s.end], magic)
		if i < 0 {
			s.pos = max(s.pos, s.end-len(magic)+1)
			if !s.fill() {
				s.pos = s.end
				return false
			}
			continue
		}
		s.pos += i
		if ok() {
			return true
		}
		s.pos++
	}
}
