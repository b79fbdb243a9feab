package source

import (
	"bytes"
	"encoding/binary"
	"errors"

	"github.com/klauspost/compress/s2"
)

// xerialBlocks is the framing of snappy-java's SnappyOutputStream, which is not
// the framed Snappy format:
//
//	82 "SNAPPY" 00  version(4)  oldest reader's version(4)     big-endian
//	(length(4)  Snappy block)*
//
// A length that reads as the first four bytes of the magic starts another
// stream. There is no checksum and no end mark.
type xerialBlocks struct {
	max int64 // bytes that a block may claim
}

var xerialMagic = []byte("\x82SNAPPY\x00")

const (
	xerialHeader    = 16
	snappyBestRatio = 22 // a copy of 64 bytes takes 3
)

func (xerialBlocks) name() string { return "snappy-java" }

func (x xerialBlocks) header(src *byteSource) (chunk, error) {
	h := src.peek(xerialHeader)
	if len(h) == 0 {
		return chunk{}, errEnd
	}
	if bytes.HasPrefix(h, xerialMagic) {
		if len(h) < xerialHeader {
			return chunk{}, errCut
		}
		return chunk{head: xerialHeader, mark: true}, nil
	}
	if len(h) < 4 || (len(h) < len(xerialMagic) && bytes.HasPrefix(xerialMagic, h)) {
		return chunk{}, errCut
	}
	return x.block(src, int64(binary.BigEndian.Uint32(h)))
}

// block checks the length of a block against what it says of its text.
func (x xerialBlocks) block(src *byteSource, stored int64) (chunk, error) {
	if stored == 0 || stored > x.max {
		return chunk{}, errors.New("the length of a block makes no sense")
	}
	h := src.peek(4 + int(min(stored, binary.MaxVarintLen32)))
	raw, n := binary.Uvarint(h[4:])
	switch {
	case n == 0 && len(h)-4 < int(min(stored, binary.MaxVarintLen32)):
		return chunk{}, errCut
	case n <= 0 || int64(raw) > x.max || int64(raw) < 0 || int64(raw)/snappyBestRatio > stored:
		return chunk{}, errBlock
	}
	return chunk{head: 4, stored: int(stored), raw: int(raw), packed: true}, nil
}

var errBlock = errors.New("a block does not decode")

func (xerialBlocks) decode(dst, stored []byte, _ chunk) error {
	out, err := s2.Decode(dst, stored)
	if err != nil || len(out) != len(dst) {
		return errBlock
	}
	return nil
}

// resume trusts the length of the bad block if what stands behind it looks like
// another block; otherwise only the start of another stream will do.
func (x xerialBlocks) resume(src *byteSource, at int64) bool {
	src.rewind(at)
	h := src.peek(4)
	if len(h) == 4 {
		stored := int64(binary.BigEndian.Uint32(h))
		if stored > 0 && stored <= x.max && len(src.peek(4+int(stored))) == 4+int(stored) {
			src.skip(4 + int(stored))
			if _, err := x.header(src); err == nil || err == errEnd {
				return true
			}
		}
	}
	src.rewind(at + 1)
	return src.seek(xerialMagic, func() bool { return len(src.peek(xerialHeader)) == xerialHeader })
}
