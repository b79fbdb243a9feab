package source

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"tracereplay/internal/problem"
)

// Every file is cut at every byte: all units before the cut are delivered, and
// what is lost is told with its place to the byte.
func TestCutAtEveryByte(t *testing.T) {
	text := sample(14)
	for _, codec := range codecs() {
		t.Run(codec, func(t *testing.T) {
			p := packers[codec](text, 90)
			for cut := range len(p.data) {
				if cut < 8 && codec != codecNone {
					continue // too little left to tell the codec by
				}
				if why := checkCut(t, p, text, cut); why != "" {
					t.Fatalf("cut at byte %d of %d: %s", cut, len(p.data), why)
				}
			}
		})
	}
}

func checkCut(t *testing.T, p packed, text []byte, cut int) string {
	d := drain(t, logOf("log", p.data[:cut]), Options{BlockSize: 4096}, true)
	whole, clean := 0, cut == 0
	for _, e := range p.ends {
		if e.stored <= cut {
			whole = e.text
			clean = e.clean && e.stored == cut
		}
	}
	problems := d.Problems()
	switch {
	case d.err != nil:
		return d.err.Error()
	case len(d.text) < whole || !bytes.HasPrefix(text, d.text):
		return fmt.Sprintf("%d bytes of text, want at least %d", len(d.text), whole)
	case clean && len(problems) > 0:
		return fmt.Sprintf("a clean end, but %v", problems)
	case clean:
		return ""
	case len(problems) != 1 || problems[0].Kind != problem.CutFrame:
		return fmt.Sprintf("want one cut frame, got %v", problems)
	}
	pr := problems[0]
	if pr.Pos.Offset+pr.Skipped != int64(cut) || pr.Pos.Offset < 0 || pr.Pos.File != "log" {
		return fmt.Sprintf("%v skips %d bytes", pr, pr.Skipped)
	}
	if want := int64(bytes.Count(d.text, newline)) + 1; pr.Pos.Line != want && d.cut == false {
		return fmt.Sprintf("%v, want line %d", pr, want)
	}
	if d.cut != (len(d.text) > 0 && d.text[len(d.text)-1] != '\n') {
		return fmt.Sprintf("cut is %v", d.cut)
	}
	return ""
}

// One unit in the middle is destroyed: framings that can be resumed lose it
// alone, and the bytes lost are told.
func TestCorruptUnit(t *testing.T) {
	text := sample(60)
	for _, codec := range []string{codecZstd, codecLZ4, codecLZF, codecSnappy} {
		p := packers[codec](text, 500)
		// Units that hold text, and are not the last.
		for i := 1; i < len(p.ends)-1; i++ {
			from, to := p.ends[i-1], p.ends[i]
			if to.text == from.text {
				continue
			}
			data := slices.Clone(p.data)
			// Bytes in the middle of the unit, behind its header.
			for j := (from.stored + to.stored) / 2; j < to.stored-6; j++ {
				data[j] = 0xff
			}
			d := drain(t, logOf("log", data), Options{}, true)
			want := append(slices.Clone(text[:from.text]), text[to.text:]...)
			if codec == codecSnappy || codec == codecLZF {
				// Without a checksum, damage can also come out as wrong text.
				if !bytes.HasPrefix(d.text, text[:from.text]) || !bytes.HasSuffix(d.text, text[to.text:]) {
					t.Errorf("%s: unit %d: what stands before and behind was not read; %v", codec, i, d.Problems())
				}
				continue
			}
			if !bytes.Equal(d.text, want) {
				// A frame without a checksum may decode to something.
				if codec == codecZstd && bytes.HasSuffix(d.text, text[to.text:]) && bytes.HasPrefix(d.text, text[:from.text]) {
					continue
				}
				t.Errorf("%s: unit %d: %d bytes, want %d; %v", codec, i, len(d.text), len(want), d.Problems())
				continue
			}
			ps := d.Problems()
			if len(ps) != 1 || ps[0].Kind != problem.CorruptFrame {
				t.Errorf("%s: unit %d: %v", codec, i, ps)
				continue
			}
			// A zstd frame is lost from its bad block on, which stands behind
			// the frame's header.
			at, end := ps[0].Pos.Offset, ps[0].Pos.Offset+ps[0].Skipped
			late := at - int64(from.stored)
			if next := p.ends[i+1]; next.text == to.text && codec == codecZstd {
				to = next // a skippable frame has nothing to resume for
			}
			if end != int64(to.stored) || late < 0 || late > 18 || (late > 0 && codec != codecZstd) {
				t.Errorf("%s: unit %d at %d..%d: told as %d..%d", codec, i, from.stored, to.stored, at, end)
			}
		}
	}
}

// Bytes are flipped, removed and inserted at random places; the seeds are
// fixed. Nothing may panic or hang, memory stays bounded, and the gaps told lie
// in the file and do not overlap.
func TestFlips(t *testing.T) {
	rounds := 10_000
	if testing.Short() {
		rounds = 500
	}
	text := sample(20)
	for _, codec := range codecs() {
		t.Run(codec, func(t *testing.T) {
			t.Parallel()
			p := packers[codec](text, 200)
			for seed := range rounds {
				data := damage(p.data, uint64(seed))
				d := drain(t, logOf("log", data), Options{BlockSize: 4096}, true)
				if why := checkGaps(d, len(data)); why != "" {
					t.Fatalf("seed %d: %s", seed, why)
				}
			}
		})
	}
}

func damage(data []byte, seed uint64) []byte {
	rnd := rand.New(rand.NewPCG(seed, 0))
	data = slices.Clone(data)
	for range 1 + rnd.IntN(3) {
		at := rnd.IntN(len(data))
		switch rnd.IntN(5) {
		case 0:
			data = slices.Delete(data, at, min(len(data), at+1+rnd.IntN(20)))
		case 1:
			data = slices.Insert(data, at, byte(rnd.Uint32()), byte(rnd.Uint32()))
		case 2:
			data[at] = 0xff
		default:
			data[at] ^= 1 << rnd.IntN(8)
		}
		if len(data) == 0 {
			return data
		}
	}
	return data
}

func checkGaps(d drained, size int) string {
	if d.err != nil {
		return d.err.Error()
	}
	end := int64(0)
	for _, p := range d.Problems() {
		if p.Kind != problem.CutFrame && p.Kind != problem.CorruptFrame && p.Kind != problem.TooLong {
			return fmt.Sprintf("unexpected %v", p)
		}
		if p.Kind == problem.TooLong {
			continue
		}
		if p.Pos.Offset < end || p.Skipped < 0 || p.Pos.Offset+p.Skipped > int64(size) {
			return fmt.Sprintf("%v skips %d of %d bytes after byte %d", p, p.Skipped, size, end)
		}
		end = p.Pos.Offset + p.Skipped
	}
	s := d.PartStats()[0]
	if s.TextBytes > int64(len(d.text))+3 && len(d.Problems()) == 0 {
		return fmt.Sprintf("statistics say %d bytes, %d were delivered", s.TextBytes, len(d.text))
	}
	return ""
}

// A header that claims much must not be believed before the bytes are there.
func TestClaimsTakeNoMemory(t *testing.T) {
	var before, after runtime.MemStats
	huge := map[string][]byte{
		codecZstd:   {0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0xff, 0xff, 0xff, 0x07, 1, 0, 0},
		codecLZ4:    append(append([]byte{}, lz4Magic...), lz4Packed|15, 0xff, 0xff, 0xff, 1, 0, 0, 0, 2, 0, 0, 0, 0),
		codecSnappy: append(append([]byte{}, xerialMagic...), 0, 0, 0, 1, 0, 0, 0, 1, 0x07, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x3f, 0, 0),
	}
	for codec, data := range huge {
		runtime.ReadMemStats(&before)
		d := drain(t, logOf("log", data), Options{BlockSize: 4096, Limits: Limits{MaxWindow: 1 << 20}}, true)
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 4<<20 {
			t.Errorf("%s: %d bytes asked for; %v", codec, grown, d.Problems())
		}
		if d.err != nil || len(d.Problems()) != 1 {
			t.Errorf("%s: %v %v", codec, d.err, d.Problems())
		}
	}
}
