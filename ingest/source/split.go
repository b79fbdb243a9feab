package source

import (
	"bytes"
	"errors"
	"io"

	"tracereplay/internal/problem"
)

// splitter cuts the text of one part into blocks of whole lines.
//
// Text is read a piece at a time, and newlines are counted while the piece is
// still in the cache: reading a whole block first and counting it then costs a
// second trip to memory.
type splitter struct {
	src   io.Reader
	max   int                     // bytes of the longest line
	size  int                     // bytes of a buffer
	get   func(n int) []byte      // an empty buffer with room for n bytes
	put   func([]byte)            // gives a buffer back
	emit  func(b *Block) bool     // hands a block on; false stops
	told  func(p problem.Problem) // records a problem; place is filled in here
	guard func(text int64) error  // checks the limits after each piece

	part   int
	buf    []byte
	room   int   // bytes that buf may hold: less than its capacity if it was larger before
	cut    int   // bytes of buf up to and including its last newline
	lines  int64 // newlines in buf
	offset int64 // of buf[0] in the text
	line   int64 // number of buf's first line in the part, from 1
	seq    int64 // the same over all parts

	skipping bool  // inside a line that is too long
	skipped  int64 // bytes of it so far
}

const (
	// readPiece was measured from 128 KiB to 4 MiB: the smallest is best, by a
	// fifth.
	readPiece = 128 << 10
	// firstBlock is the size of a log's first buffer: most logs are small, and
	// a consumer can start early on those that are not.
	firstBlock = 1 << 20
)

var utf8BOM = []byte{0xef, 0xbb, 0xbf}

var errStopped = errors.New("stopped")

// run reads the part to its end. io.EOF of the source is a nil error.
func (s *splitter) run() error {
	s.grab(min(s.size, firstBlock))
	for {
		if len(s.buf) == s.room {
			if err := s.makeRoom(); err != nil {
				return err
			}
		}
		n, err := s.src.Read(s.buf[len(s.buf):min(s.room, len(s.buf)+readPiece)])
		s.take(n)
		if gErr := s.guard(s.offset + int64(len(s.buf))); gErr != nil {
			return s.flushThen(gErr)
		}
		var g *gap
		switch {
		case err == nil:
		case err == io.EOF:
			defer s.release()
			return s.flush()
		case errors.As(err, &g):
			if err := s.atGap(g); err != nil {
				return err
			}
		default:
			return s.flushThen(err)
		}
	}
}

// take looks at n bytes just read behind buf.
func (s *splitter) take(n int) {
	piece := s.buf[len(s.buf) : len(s.buf)+n]
	s.buf = s.buf[:len(s.buf)+n]
	if s.skipping {
		s.skip()
		return
	}
	last := bytes.LastIndexByte(piece, '\n')
	if last < 0 {
		return
	}
	s.cut = len(s.buf) - n + last + 1
	s.lines += int64(bytes.Count(piece, newline))
}

var newline = []byte{'\n'}

// makeRoom empties a full buffer: it hands on the whole lines in it, or grows
// it if it holds not even one.
func (s *splitter) makeRoom() error {
	if s.cut > 0 {
		return s.block(s.cut, false)
	}
	if len(s.buf) >= s.max {
		s.skipping, s.skipped = true, 0
		s.skip()
		return nil
	}
	old := s.buf
	s.grab(min(2*s.room, s.max))
	s.buf = append(s.buf, old...)
	s.put(old)
	return nil
}

// grab takes an empty buffer for n bytes.
func (s *splitter) grab(n int) {
	s.buf, s.room = s.get(n), n
}

// skip drops the bytes of a line that is too long; behind its newline the
// buffer starts anew.
func (s *splitter) skip() {
	i := bytes.IndexByte(s.buf, '\n')
	if i < 0 {
		s.skipped += int64(len(s.buf))
		s.offset += int64(len(s.buf))
		s.buf = s.buf[:0]
		return
	}
	s.skipped += int64(i + 1)
	s.offset += int64(i + 1)
	s.endSkip()
	n := copy(s.buf, s.buf[i+1:])
	s.buf = s.buf[:0]
	s.take(n)
}

func (s *splitter) endSkip() {
	s.skipping = false
	s.told(problem.Problem{
		Kind:    problem.TooLong,
		Pos:     problem.Pos{Line: s.line, Offset: s.offset - s.skipped},
		Seq:     s.seq,
		Skipped: s.skipped,
		Detail:  "a line longer than the limit MaxLine was skipped",
	})
	s.line++
	s.seq++
}

// block hands on the first n bytes of buf and carries the rest over.
func (s *splitter) block(n int, cut bool) error {
	rest := s.buf[n:]
	if s.offset == 0 && bytes.HasPrefix(s.buf, utf8BOM) {
		n -= len(utf8BOM)
		s.buf, s.room, s.offset = s.buf[len(utf8BOM):], s.room-len(utf8BOM), int64(len(utf8BOM))
	}
	if n == 0 {
		return nil
	}
	b := &Block{Data: s.buf[:n], Part: s.part, Offset: s.offset, Line: s.line, Seq: s.seq, Cut: cut, put: s.put}
	if cut {
		s.lines++
	}
	s.offset += int64(n)
	s.line += s.lines
	s.seq += s.lines
	s.cut, s.lines = 0, 0
	s.grab(max(s.size, min(2*len(rest), s.max)))
	s.buf = append(s.buf, rest...)
	if !s.emit(b) {
		return errStopped
	}
	return nil
}

// flush hands on all that is left, the last line even without its newline.
func (s *splitter) flush() error {
	if s.skipping {
		s.endSkip()
	}
	if len(s.buf) == 0 {
		return nil
	}
	return s.block(len(s.buf), s.cut < len(s.buf))
}

// flushThen hands on all that is left before an error that ends the reading.
func (s *splitter) flushThen(err error) error {
	if fErr := s.flush(); fErr != nil {
		return fErr
	}
	return err
}

// atGap ends the block, because the line before the gap is not the start of
// the line behind it.
func (s *splitter) atGap(g *gap) error {
	if err := s.flush(); err != nil {
		return err
	}
	s.tell(g)
	return nil
}

// tell records a gap at the line that is read next.
func (s *splitter) tell(g *gap) {
	s.told(problem.Problem{
		Kind:    g.kind,
		Pos:     problem.Pos{Line: s.line, Offset: g.at},
		Seq:     s.seq,
		Skipped: g.skipped,
		Detail:  g.detail,
	})
}

func (s *splitter) release() {
	s.put(s.buf)
	s.buf = nil
}
