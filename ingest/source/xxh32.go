package source

import (
	"encoding/binary"
	"math/bits"
)

const (
	xxPrime1 uint32 = 2654435761
	xxPrime2 uint32 = 2246822519
	xxPrime3 uint32 = 3266489917
	xxPrime4 uint32 = 668265263
	xxPrime5 uint32 = 374761393
)

// xxh32 is the 32-bit xxHash of b. The LZ4 package has one too, but only with
// seed 0, and LZ4Block wants another.
func xxh32(b []byte, seed uint32) uint32 {
	n := uint32(len(b))
	h := seed + xxPrime5
	if len(b) >= 16 {
		v1, v2, v3, v4 := seed+xxPrime1+xxPrime2, seed+xxPrime2, seed, seed-xxPrime1
		for len(b) >= 16 {
			s := b[:16:len(b)]
			v1 = xxRound(v1, binary.LittleEndian.Uint32(s[0:4]))
			v2 = xxRound(v2, binary.LittleEndian.Uint32(s[4:8]))
			v3 = xxRound(v3, binary.LittleEndian.Uint32(s[8:12]))
			v4 = xxRound(v4, binary.LittleEndian.Uint32(s[12:16]))
			b = b[16:]
		}
		h = bits.RotateLeft32(v1, 1) + bits.RotateLeft32(v2, 7) + bits.RotateLeft32(v3, 12) + bits.RotateLeft32(v4, 18)
	}
	h += n
	for ; len(b) >= 4; b = b[4:] {
		h += binary.LittleEndian.Uint32(b) * xxPrime3
		h = bits.RotateLeft32(h, 17) * xxPrime4
	}
	for _, c := range b {
		h += uint32(c) * xxPrime5
		h = bits.RotateLeft32(h, 11) * xxPrime1
	}
	h = (h ^ h>>15) * xxPrime2
	h = (h ^ h>>13) * xxPrime3
	return h ^ h>>16
}

func xxRound(acc, lane uint32) uint32 {
	return bits.RotateLeft32(acc+lane*xxPrime2, 13) * xxPrime1
}
