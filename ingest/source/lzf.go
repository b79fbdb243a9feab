package source

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// lzfBlocks is the framing of the compress-lzf library:
//
//	"ZV" 0  raw(2)               as is, big-endian
//	"ZV" 1  stored(2)  raw(2)    LZF
//
// There is no checksum and no end mark.
type lzfBlocks struct{}

var lzfMagic = []byte("ZV")

func (lzfBlocks) name() string { return "LZF" }

func (lzfBlocks) header(src *byteSource) (chunk, error) {
	h := src.peek(7)
	if len(h) == 0 {
		return chunk{}, errEnd
	}
	if !bytes.HasPrefix(h, lzfMagic[:min(len(h), 2)]) || (len(h) > 2 && h[2] > 1) {
		return chunk{}, errors.New("no block starts here")
	}
	if len(h) < 5 || (h[2] == 1 && len(h) < 7) {
		return chunk{}, errCut
	}
	c := chunk{head: 5, stored: int(binary.BigEndian.Uint16(h[3:]))}
	c.raw = c.stored
	if h[2] == 1 {
		c.head, c.packed = 7, true
		c.raw = int(binary.BigEndian.Uint16(h[5:]))
	}
	return c, nil
}

func (lzfBlocks) decode(dst, stored []byte, c chunk) error {
	if !c.packed {
		copy(dst, stored)
		return nil
	}
	return unpackLZF(dst, stored)
}

// resume looks for a header. Two letters are a weak mark, so the block behind
// it has to decode, and another header, or the end, to follow it.
func (l lzfBlocks) resume(src *byteSource, at int64) bool {
	src.rewind(at + 1)
	var scratch [1 << 16]byte
	return src.seek(lzfMagic, func() bool {
		c, err := l.header(src)
		if err != nil {
			return false
		}
		b := src.peek(c.head + c.stored + 3)
		if len(b) < c.head+c.stored || l.decode(scratch[:c.raw], b[c.head:c.head+c.stored], c) != nil {
			return false
		}
		next := b[c.head+c.stored:]
		return bytes.HasPrefix(lzfMagic, next[:min(len(next), 2)]) && (len(next) < 3 || next[2] <= 1)
	})
}

// unpackLZF decodes one LZF block into dst, which must come out exactly full.
//
//	000nnnnn            n+1 bytes as they stand
//	nnnooooo oooooooo   copy n+2 bytes from o+1 back; n = 7 adds a byte of length
func unpackLZF(dst, src []byte) error {
	d, s := 0, 0
	for s < len(src) {
		ctrl := int(src[s])
		s++
		if ctrl < 32 {
			n := ctrl + 1
			if s+n > len(src) || d+n > len(dst) {
				return errBlock
			}
			copy(dst[d:d+n], src[s:s+n])
			s += n
			d += n
			continue
		}
		n := ctrl >> 5
		if n == 7 {
			if s >= len(src) {
				return errBlock
			}
			n += int(src[s])
			s++
		}
		if s >= len(src) {
			return errBlock
		}
		back := (ctrl&31)<<8 | int(src[s])
		s++
		from := d - back - 1
		n += 2
		if from < 0 || d+n > len(dst) {
			return errBlock
		}
		// A copy that reaches into itself repeats a pattern: it doubles what it
		// may take at each step.
		for end := d + n; d < end; {
			d += copy(dst[d:end], dst[from:d])
		}
	}
	if d != len(dst) {
		return errBlock
	}
	return nil
}
