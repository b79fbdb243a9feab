package source

// zstdTrack passes a zstd file on to the library and follows its structure on
// the way: frame header, block headers, checksum. It judges nothing; it only
// knows, when the library gives up, where the block began that it gave up on.
//
//	frame:     magic(4) descriptor(1) rest of header, blocks, checksum(0 or 4)
//	block:     header(3) = last(1 bit) type(2) size(21), then size bytes (1 if RLE)
//	skippable: magic(4, 50..5f 2a 4d 18) size(4), then size bytes
type zstdTrack struct {
	src   *byteSource
	step  zstdStep
	need  int64   // bytes still to come in this step
	field [4]byte // the bytes of a short step, to be looked at when it is complete
	have  int
	desc  byte  // frame header descriptor
	last  bool  // the current block is the frame's last
	frame int64 // offset of the current frame
	unit  int64 // offset of the current frame header or block: text before it was handed out
}

type zstdStep int

const (
	zstdAtMagic zstdStep = iota
	zstdAtDescriptor
	zstdAtHeader
	zstdAtBlockHeader
	zstdAtBlock
	zstdAtChecksum
	zstdAtSkipSize
	zstdAtSkip
)

const (
	zstdMaxHeader = 18
	zstdMaxBlock  = 128 << 10
)

func (t *zstdTrack) reset() { *t = zstdTrack{src: t.src} }

// inside reports that a frame or block has begun and not ended.
func (t *zstdTrack) inside() bool { return t.step != zstdAtMagic || t.have > 0 }

func (t *zstdTrack) Read(p []byte) (int, error) {
	at := t.src.offset()
	n, err := t.src.Read(p)
	t.follow(p[:n], at)
	return n, err
}

func (t *zstdTrack) follow(p []byte, at int64) {
	for len(p) > 0 {
		n := t.take(p, at)
		p = p[n:]
		at += int64(n)
	}
}

// take follows one step as far as p reaches, and returns the bytes it took.
func (t *zstdTrack) take(p []byte, at int64) int {
	switch t.step {
	case zstdAtHeader, zstdAtBlock, zstdAtSkip:
		n := int(min(t.need, int64(len(p))))
		t.need -= int64(n)
		if t.need == 0 {
			t.afterBody()
		}
		return n
	}
	if t.have == 0 {
		t.begin(at)
	}
	n := copy(t.field[t.have:t.fieldSize()], p)
	t.have += n
	if t.have == t.fieldSize() {
		t.have = 0
		t.afterField()
	}
	return n
}

// begin notes where a frame or a block starts.
func (t *zstdTrack) begin(at int64) {
	switch t.step {
	case zstdAtMagic:
		t.frame, t.unit = at, at
	case zstdAtBlockHeader:
		t.unit = at
	}
}

func (t *zstdTrack) fieldSize() int {
	switch t.step {
	case zstdAtDescriptor:
		return 1
	case zstdAtBlockHeader:
		return 3
	}
	return 4
}

func (t *zstdTrack) afterField() {
	switch t.step {
	case zstdAtMagic:
		t.step = zstdAtDescriptor
		if isSkippable(t.field[:]) {
			t.step = zstdAtSkipSize
		}
	case zstdAtDescriptor:
		t.desc = t.field[0]
		t.body(zstdAtHeader, int64(zstdHeaderSize(t.desc)-5))
	case zstdAtBlockHeader:
		last, size, kind := zstdBlockHeader(t.field[:3])
		t.last = last
		if kind == 1 { // RLE: one byte stands for size of them
			size = 1
		}
		t.body(zstdAtBlock, int64(size))
	case zstdAtSkipSize:
		t.body(zstdAtSkip, int64(le32(t.field[:])))
	case zstdAtChecksum:
		t.step = zstdAtMagic
	}
}

// body starts a step of n bytes that are not looked at.
func (t *zstdTrack) body(step zstdStep, n int64) {
	t.step, t.need = step, n
	if n == 0 {
		t.afterBody()
	}
}

func (t *zstdTrack) afterBody() {
	switch t.step {
	case zstdAtHeader:
		t.step = zstdAtBlockHeader
	case zstdAtBlock:
		switch {
		case !t.last:
			t.step = zstdAtBlockHeader
		case t.desc&0x04 != 0:
			t.step = zstdAtChecksum
		default:
			t.step = zstdAtMagic
		}
	case zstdAtSkip:
		t.step = zstdAtMagic
	}
}

// zstdHeaderSize is the length of a frame header, magic included.
func zstdHeaderSize(desc byte) int {
	n := 5
	single := desc&0x20 != 0
	if !single {
		n++ // window descriptor
	}
	n += [4]int{0, 1, 2, 4}[desc&3] // dictionary id
	switch {
	case desc>>6 > 0:
		n += 1 << (desc >> 6)
	case single:
		n++
	}
	return n
}

func zstdBlockHeader(b []byte) (last bool, size int, kind int) {
	v := int(b[0]) | int(b[1])<<8 | int(b[2])<<16
	return v&1 != 0, v >> 3, v >> 1 & 3
}

func le32(b []byte) uint32 {
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}
