package source

import (
	"bytes"
	"encoding/binary"
	"errors"

	"github.com/pierrec/lz4/v4"
)

// lz4Blocks is the framing of lz4-java's LZ4BlockOutputStream, which is not the
// LZ4 frame format:
//
//	"LZ4Block"  token(1)  stored(4)  raw(4)  checksum(4)   little-endian
//
// The token's high nibble is the method (1 stored as is, 2 LZ4), its low nibble
// the logarithm of the writer's block size, less 10. The checksum is 28 bits of
// XXH32 over the text. A header with both lengths 0 ends a stream; another
// stream may follow.
type lz4Blocks struct{}

var lz4Magic = []byte("LZ4Block")

const (
	lz4Header    = 21
	lz4Raw       = 0x10
	lz4Packed    = 0x20
	lz4Seed      = 0x9747b28c
	lz4SumMask   = 0x0fffffff
	lz4BestRatio = 255 // no LZ4 block expands more
)

func (lz4Blocks) name() string { return "LZ4Block" }

func (lz4Blocks) header(src *byteSource) (chunk, error) {
	h := src.peek(lz4Header)
	switch {
	case len(h) == 0:
		return chunk{}, errEnd
	case !bytes.HasPrefix(h, lz4Magic[:min(len(h), len(lz4Magic))]):
		return chunk{}, errors.New("no block starts here")
	case len(h) < lz4Header:
		return chunk{}, errCut
	}
	c, ok := parseLZ4(h)
	if !ok {
		return c, errors.New("the header of a block makes no sense")
	}
	return c, nil
}

func parseLZ4(h []byte) (chunk, bool) {
	method, log := h[8]&0xf0, h[8]&0x0f+10
	stored := binary.LittleEndian.Uint32(h[9:])
	raw := binary.LittleEndian.Uint32(h[13:])
	c := chunk{head: lz4Header, stored: int(stored), raw: int(raw), packed: method == lz4Packed, open: true, sum: binary.LittleEndian.Uint32(h[17:])}
	switch {
	case method != lz4Raw && method != lz4Packed, raw > 1<<log:
		return c, false
	case stored == 0 && raw == 0:
		c.mark, c.open = true, false
		return c, method == lz4Raw && c.sum == 0
	case stored == 0 || raw == 0:
		return c, false
	case method == lz4Raw:
		return c, stored == raw
	}
	// A block that LZ4 makes larger than it was; lz4-java stores those raw.
	return c, stored <= raw+raw/lz4BestRatio+16 && raw/lz4BestRatio <= stored
}

func (lz4Blocks) decode(dst, stored []byte, c chunk) error {
	if !c.packed {
		copy(dst, stored)
	} else if n, err := lz4.UncompressBlock(stored, dst); err != nil || n != len(dst) {
		return errors.New("a block does not decode")
	}
	if xxh32(dst, lz4Seed)&lz4SumMask != c.sum {
		return errors.New("the checksum of a block does not match")
	}
	return nil
}

func (lz4Blocks) resume(src *byteSource, at int64) bool {
	src.rewind(at + 1)
	return src.seek(lz4Magic, func() bool {
		h := src.peek(lz4Header)
		if len(h) < lz4Header {
			return false
		}
		_, ok := parseLZ4(h)
		return ok
	})
}
