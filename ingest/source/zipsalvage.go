package source

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"strings"

	"github.com/klauspost/compress/flate"

	"tracereplay/internal/problem"
)

// salvageZip lists the members of a zip file without a directory, by the header
// that stands before each. A member whose size is not in its header (Java
// writes them so) has to be inflated to find where it ends.
func salvageZip(path string, data io.ReaderAt, size int64, lim Limits) ([]entry, []problem.Problem, error) {
	var entries []entry
	at := int64(0)
	for int64(len(entries)) < lim.MaxArchiveFiles {
		e, next, ok := salvageEntry(path, data, at, size, lim)
		if !ok {
			break
		}
		entries = append(entries, e)
		at = next
	}
	return entries, []problem.Problem{{
		Kind:    problem.CutFrame,
		Pos:     problem.Pos{File: path, Offset: at},
		Skipped: max(size-at, 0),
		Detail:  "the zip archive is cut: its directory is missing, members may be lost",
	}}, nil
}

const zipLocalHeader = 30

// localHeader is what stands before a member.
type localHeader struct {
	name   string
	flags  uint16
	method uint16
	sum    zipSum
	stored int64
	begin  int64 // offset of the member's data
}

func readLocalHeader(data io.ReaderAt, at int64) (localHeader, bool) {
	b := make([]byte, zipLocalHeader)
	if n, _ := data.ReadAt(b, at); n < len(b) || !bytes.HasPrefix(b, zipMagic) {
		return localHeader{}, false
	}
	le := binary.LittleEndian
	nameLen, extraLen := int(le.Uint16(b[26:])), int(le.Uint16(b[28:]))
	tail := make([]byte, nameLen+extraLen)
	if n, _ := data.ReadAt(tail, at+zipLocalHeader); n < len(tail) {
		return localHeader{}, false
	}
	h := localHeader{
		name:   string(tail[:nameLen]),
		flags:  le.Uint16(b[6:]),
		method: le.Uint16(b[8:]),
		sum:    zipSum{crc: le.Uint32(b[14:]), size: uint64(le.Uint32(b[22:]))},
		stored: int64(le.Uint32(b[18:])),
		begin:  at + int64(zipLocalHeader+nameLen+extraLen),
	}
	if h.stored == 0xffffffff {
		h.sum.size, h.stored = zip64Sizes(tail[nameLen:])
	}
	return h, true
}

// salvageEntry reads the member whose header stands at offset at, and returns
// where the next one should.
func salvageEntry(path string, data io.ReaderAt, at, size int64, lim Limits) (e entry, next int64, ok bool) {
	h, ok := readLocalHeader(data, at)
	if !ok {
		return e, 0, false
	}
	e.name, e.isDir = h.name, strings.HasSuffix(h.name, "/")
	e.why = zipWhyNot(h.method, h.flags)
	want := &h.sum
	end := h.begin + h.stored
	next = end
	if h.flags&zipStreamed != 0 {
		want = nil
		if h.method != zipDeflate {
			e.why = "where it ends is not known, because the archive is cut"
			end = size
		} else {
			end = h.begin + deflatedSize(data, h.begin, size, lim)
		}
		next = afterDescriptor(data, end)
	}
	if end < h.begin || end > size {
		want, end, next = nil, size, size
		e.found = []problem.Problem{{
			Kind:   problem.CutFrame,
			Pos:    problem.Pos{File: memberPath(path, elements(h.name)), Offset: end - h.begin},
			Detail: "the zip archive ends inside this member",
		}}
	}
	e.size = end - h.begin
	e.section(data, h.begin, h.method, want, lim)
	return e, min(next, size), true
}

// zip64Sizes finds the sizes in the extra field of a large member.
func zip64Sizes(extra []byte) (size uint64, stored int64) {
	for len(extra) >= 4 {
		id, n := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		extra = extra[4:]
		if n > len(extra) {
			break
		}
		if id == 1 && n >= 16 {
			return binary.LittleEndian.Uint64(extra), int64(binary.LittleEndian.Uint64(extra[8:]))
		}
		extra = extra[n:]
	}
	return 0, -1
}

// deflatedSize inflates from offset at to find how many bytes the member takes.
func deflatedSize(data io.ReaderAt, at, size int64, lim Limits) int64 {
	in := &countedReader{r: io.NewSectionReader(data, at, size-at)}
	buf := bufio.NewReaderSize(in, 64<<10)
	most := min(lim.MaxExpand, lim.RatioFree+lim.MaxRatio*(size-at))
	if _, err := io.CopyN(io.Discard, flate.NewReader(buf), most); err != io.EOF {
		return size - at
	}
	return in.n - int64(buf.Buffered())
}

// afterDescriptor skips the sizes that follow a streamed member: with or
// without a mark, of 4 or 8 bytes each; what follows tells which.
func afterDescriptor(data io.ReaderAt, at int64) int64 {
	b := make([]byte, 28)
	n, _ := data.ReadAt(b, at)
	b = b[:n]
	for _, skip := range []int{16, 12, 24, 20} {
		if len(b) >= skip+4 && (bytes.Equal(b[skip:skip+4], zipMagic) || bytes.Equal(b[skip:skip+4], []byte("PK\x01\x02"))) {
			return at + int64(skip)
		}
	}
	return at + int64(min(len(b), 16))
}
