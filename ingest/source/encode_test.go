package source

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// sample is a small event log of n lines.
func sample(n int) []byte {
	rnd := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	b.WriteString(`{"Event":"SparkListenerLogStart","Spark Version":"3.5.5"}` + "\n")
	b.WriteString(`{"Event":"SparkListenerApplicationStart","App Name":"x","App ID":"app-1","App Attempt ID":"2"}` + "\n")
	for i := 2; i < n-1; i++ {
		fmt.Fprintf(&b, `{"Event":"SparkListenerTaskEnd","Stage ID":%d,"Host":"h%d","Pad":"%x"}`+"\n", i/10, rnd.IntN(3), rnd.Uint64())
	}
	b.WriteString(`{"Event":"SparkListenerApplicationEnd","Timestamp":1}` + "\n")
	return b.Bytes()
}

// packed is a compressed text with the places where a unit of its framing ends:
// all text up to there can be read if the file reaches that far.
type packed struct {
	codec string
	data  []byte
	ends  []unitEnd
}

type unitEnd struct {
	stored, text int
	clean        bool // a file may end here without anything being wrong
}

// pieces cuts text into units of n bytes.
func pieces(text []byte, n int) [][]byte {
	var out [][]byte
	for len(text) > n {
		out = append(out, text[:n])
		text = text[n:]
	}
	return append(out, text)
}

// packers has an encoder for each codec; n is the text in one unit.
var packers = map[string]func(text []byte, n int) packed{
	codecNone:   packNone,
	codecGzip:   packGzip,
	codecZstd:   packZstd,
	codecLZ4:    packLZ4,
	codecSnappy: packXerial,
	codecLZF:    packLZF,
}

func packNone(text []byte, _ int) packed {
	p := packed{codec: codecNone, data: text}
	for i := range text {
		p.ends = append(p.ends, unitEnd{i + 1, i + 1, true})
	}
	return p
}

// packGzip flushes after each unit; every fourth unit starts a new member.
func packGzip(text []byte, n int) packed {
	p := packed{codec: codecGzip}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	done := 0
	for i, piece := range pieces(text, n) {
		if i > 0 && i%4 == 0 {
			must(w.Close())
			p.ends = append(p.ends, unitEnd{b.Len(), done, true})
			w.Reset(&b)
		}
		_, err := w.Write(piece)
		must(err)
		must(w.Flush())
		done += len(piece)
		p.ends = append(p.ends, unitEnd{b.Len(), done, false})
	}
	must(w.Close())
	p.ends = append(p.ends, unitEnd{b.Len(), done, true})
	p.data = b.Bytes()
	return p
}

// packZstd makes one frame of each unit, with and without a checksum, and puts
// a skippable frame between two of them.
func packZstd(text []byte, n int) packed {
	p := packed{codec: codecZstd}
	with, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	must(err)
	without, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	must(err)
	done := 0
	for i, piece := range pieces(text, n) {
		if i == 2 {
			p.data = append(p.data, 0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'x', 'y', 'z')
			p.ends = append(p.ends, unitEnd{len(p.data), done, true})
		}
		w := with
		if i%2 == 1 {
			w = without
		}
		p.data = w.EncodeAll(piece, p.data)
		done += len(piece)
		p.ends = append(p.ends, unitEnd{len(p.data), done, true})
	}
	return p
}

// packLZ4 writes what lz4-java's LZ4BlockOutputStream writes; every third block
// is stored as it is, and half way the stream ends and another begins.
func packLZ4(text []byte, n int) packed {
	p := packed{codec: codecLZ4}
	done := 0
	all := pieces(text, n)
	for i, piece := range all {
		method, stored := byte(lz4Packed), make([]byte, lz4.CompressBlockBound(len(piece)))
		size, err := lz4.CompressBlock(piece, stored, nil)
		must(err)
		stored = stored[:size]
		if i%3 == 2 || size == 0 || size >= len(piece) {
			method, stored = lz4Raw, piece
		}
		p.data = appendLZ4(p.data, method, stored, piece)
		done += len(piece)
		p.ends = append(p.ends, unitEnd{len(p.data), done, true})
		if i == len(all)/2 || i == len(all)-1 {
			p.data = appendLZ4(p.data, lz4Raw, nil, nil)
			p.ends = append(p.ends, unitEnd{len(p.data), done, true})
		}
	}
	return p
}

func appendLZ4(b []byte, method byte, stored, raw []byte) []byte {
	log := byte(0)
	for 1<<(log+10) < len(raw) {
		log++
	}
	b = append(b, lz4Magic...)
	b = append(b, method|log)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(stored)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(raw)))
	sum := uint32(0)
	if len(raw) > 0 {
		sum = xxh32(raw, lz4Seed) & lz4SumMask
	}
	b = binary.LittleEndian.AppendUint32(b, sum)
	return append(b, stored...)
}

// packXerial writes what snappy-java's SnappyOutputStream writes, as two
// streams.
func packXerial(text []byte, n int) packed {
	p := packed{codec: codecSnappy}
	done := 0
	all := pieces(text, n)
	for i, piece := range all {
		if i == 0 || i == len(all)/2 {
			p.data = append(p.data, xerialMagic...)
			p.data = append(p.data, 0, 0, 0, 1, 0, 0, 0, 1)
			p.ends = append(p.ends, unitEnd{len(p.data), done, true})
		}
		stored := s2.EncodeSnappy(nil, piece)
		p.data = binary.BigEndian.AppendUint32(p.data, uint32(len(stored)))
		p.data = append(p.data, stored...)
		done += len(piece)
		p.ends = append(p.ends, unitEnd{len(p.data), done, true})
	}
	return p
}

// packLZF writes what compress-lzf's LZFOutputStream writes.
func packLZF(text []byte, n int) packed {
	p := packed{codec: codecLZF}
	done := 0
	for i, piece := range pieces(text, min(n, 0xffff)) {
		stored := compressLZF(piece)
		if i%3 == 2 || len(stored) >= len(piece) {
			p.data = append(p.data, 'Z', 'V', 0)
			p.data = binary.BigEndian.AppendUint16(p.data, uint16(len(piece)))
			p.data = append(p.data, piece...)
		} else {
			p.data = append(p.data, 'Z', 'V', 1)
			p.data = binary.BigEndian.AppendUint16(p.data, uint16(len(stored)))
			p.data = binary.BigEndian.AppendUint16(p.data, uint16(len(piece)))
			p.data = append(p.data, stored...)
		}
		done += len(piece)
		p.ends = append(p.ends, unitEnd{len(p.data), done, true})
	}
	return p
}

// compressLZF is a plain greedy LZF encoder.
func compressLZF(src []byte) []byte {
	var out []byte
	var table [1 << 13]int
	start := 0 // first byte not yet written
	literals := func(end int) {
		for start < end {
			n := min(end-start, 32)
			out = append(out, byte(n-1))
			out = append(out, src[start:start+n]...)
			start += n
		}
	}
	for i := 0; i+3 <= len(src); {
		h := (uint32(src[i])<<16 | uint32(src[i+1])<<8 | uint32(src[i+2])) * 2654435761 >> 19
		at := table[h] - 1
		table[h] = i + 1
		if at < 0 || i-at > 1<<13 || !bytes.Equal(src[at:at+3], src[i:i+3]) {
			i++
			continue
		}
		n := 3
		for i+n < len(src) && n < 264 && src[at+n] == src[i+n] {
			n++
		}
		literals(i)
		back := i - at - 1
		if n-2 < 7 {
			out = append(out, byte((n-2)<<5|back>>8), byte(back))
		} else {
			out = append(out, byte(7<<5|back>>8), byte(n-2-7), byte(back))
		}
		i += n
		start = i
	}
	literals(len(src))
	return out
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// logOf is a log of one part that stands in memory.
func logOf(name string, data []byte) *Log {
	n := &node{name: name, path: name, kind: nodeFile, size: int64(len(data))}
	n.open = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
	l := &Log{Name: name}
	l.add(n, 0, "")
	return l
}

func codecs() []string { return sortedKeys(packers) }

func TestRoundTrip(t *testing.T) {
	for _, codec := range codecs() {
		for _, n := range []int{1, 7, 100, 1000, 40000} {
			text := sample(max(4, n/8))
			p := packers[codec](text, n)
			d := drain(t, logOf(codec, p.data), Options{}, true)
			if d.err != nil || len(d.Problems()) > 0 || !bytes.Equal(d.text, text) {
				t.Errorf("%s in units of %d: %d of %d bytes, err %v, problems %v", codec, n, len(d.text), len(text), d.err, d.Problems())
			}
			s := d.PartStats()[0]
			if s.Codec != codec || s.DiskBytes != int64(len(p.data)) || s.TextBytes != int64(len(text)) || s.Lines != int64(bytes.Count(text, newline)) || s.Unfinished {
				t.Errorf("%s in units of %d: statistics %+v", codec, n, s)
			}
		}
	}
}
