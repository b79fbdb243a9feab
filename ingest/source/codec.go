package source

import (
	"bytes"
	"io"
)

// Codec names, as Part.Codec has them.
const (
	codecNone   = "none"
	codecGzip   = "gzip"
	codecZstd   = "zstd"
	codecLZ4    = "lz4"
	codecSnappy = "snappy"
	codecLZF    = "lzf"
)

// headSize is how many bytes of a file tell its kind: a tar header has its
// magic at 257.
const headSize = 512

var (
	gzipMagic = []byte{0x1f, 0x8b, 0x08}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// isSkippable recognises the magic of a zstd frame that carries no text.
func isSkippable(b []byte) bool {
	return len(b) >= 4 && b[0]&0xf0 == 0x50 && b[1] == 0x2a && b[2] == 0x4d && b[3] == 0x18
}

// codecOf tells from the first bytes of a file how it is compressed.
func codecOf(head []byte) string {
	switch {
	case bytes.HasPrefix(head, gzipMagic):
		return codecGzip
	case bytes.HasPrefix(head, zstdMagic), isSkippable(head):
		return codecZstd
	case bytes.HasPrefix(head, lz4Magic):
		return codecLZ4
	case bytes.HasPrefix(head, xerialMagic):
		return codecSnappy
	case bytes.HasPrefix(head, lzfMagic) && len(head) > 4 && head[2] <= 1:
		return codecLZF
	}
	return codecNone
}

// decode puts the decoder for codec before r.
func decode(codec string, r io.Reader, lim Limits) (decoder, error) {
	switch codec {
	case codecGzip:
		return newGzip(newByteSource(r)), nil
	case codecZstd:
		return newZstd(newByteSource(r), lim.MaxWindow)
	case codecLZ4:
		return newChunks(newByteSource(r), lz4Blocks{}), nil
	case codecSnappy:
		return newChunks(newByteSource(r), xerialBlocks{max: lim.MaxWindow}), nil
	case codecLZF:
		return newChunks(newByteSource(r), lzfBlocks{}), nil
	}
	return plain{r}, nil
}

// plain is text as it stands.
type plain struct{ io.Reader }

func (plain) unfinished() bool { return false }
