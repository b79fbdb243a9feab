package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"tracereplay/internal/problem"
)

// decoded is what a decoder made of a file.
type decoded struct {
	text []byte
	gaps []gap
	err  error
}

// decodeAll reads a file through the decoder of a codec, n bytes at a time. It
// gives up at 16 MiB of text: a fuzzer finds bombs easily.
func decodeAll(t *testing.T, codec string, r io.Reader, n int) decoded {
	dec, err := decode(codec, r, Options{Limits: Limits{MaxWindow: 1 << 20}}.withDefaults().Limits)
	if err != nil {
		t.Fatal(err)
	}
	var d decoded
	buf := make([]byte, n)
	idle := 0
	for len(d.text) < 16<<20 {
		got, err := dec.Read(buf)
		d.text = append(d.text, buf[:got]...)
		if idle++; got > 0 || err != nil {
			idle = 0
		}
		if idle > 100 {
			t.Fatal("no progress")
		}
		var g *gap
		switch {
		case err == io.EOF:
			return d
		case errors.As(err, &g):
			d.gaps = append(d.gaps, *g)
		case err != nil:
			d.err = err
			return d
		}
	}
	return d
}

// fuzzFraming checks a decoder on any input: it ends, what it loses lies in the
// file and does not overlap, and how the file is read changes nothing.
func fuzzFraming(f *testing.F, codec string) {
	text := sample(30)
	for _, n := range []int{20, 300, 5000} {
		p := packers[codec](text, n)
		f.Add(p.data)
		f.Add(p.data[:len(p.data)*2/3])
		for seed := range 5 {
			f.Add(damage(p.data, uint64(seed)))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		a := decodeAll(t, codec, bytes.NewReader(data), 128<<10)
		end := int64(0)
		for _, g := range a.gaps {
			if g.at < end || g.skipped < 0 || g.at+g.skipped > int64(len(data)) {
				t.Fatalf("gap %v after byte %d of %d", g, end, len(data))
			}
			end = g.at + g.skipped
		}
		if a.err != nil {
			t.Fatal(a.err)
		}
		if len(a.text) >= 1<<20 {
			return
		}
		b := decodeAll(t, codec, iotest.HalfReader(bytes.NewReader(data)), 1000)
		if !bytes.Equal(a.text, b.text) || fmt.Sprint(a.gaps) != fmt.Sprint(b.gaps) {
			t.Fatalf("%d bytes and %v in large steps, %d and %v in small ones", len(a.text), a.gaps, len(b.text), b.gaps)
		}
	})
}

func FuzzGzip(f *testing.F)   { fuzzFraming(f, codecGzip) }
func FuzzZstd(f *testing.F)   { fuzzFraming(f, codecZstd) }
func FuzzLZ4(f *testing.F)    { fuzzFraming(f, codecLZ4) }
func FuzzSnappy(f *testing.F) { fuzzFraming(f, codecSnappy) }
func FuzzLZF(f *testing.F)    { fuzzFraming(f, codecLZF) }

// FuzzSplit compares blocks with a plain count of lines.
func FuzzSplit(f *testing.F) {
	f.Add([]byte("a\nbb\n\nccc"), 3, 2)
	f.Add([]byte("\xef\xbb\xbfa\nb\n"), 1, 100)
	f.Fuzz(func(t *testing.T, text []byte, size, most int) {
		size, most = 1+abs(size)%300, 1+abs(most)%300
		if bytes.HasPrefix(text, utf8BOM) || codecOf(text) != codecNone {
			return // the mark is taken off, which TestParts looks at
		}
		blocks, r := blocksOf(t, logOf("x", text), Options{BlockSize: size, Limits: Limits{MaxLine: int64(most)}})
		var want []byte
		long := 0
		for _, line := range bytes.SplitAfter(text, newline) {
			// The newline counts, also where it is missing.
			if len(bytes.TrimSuffix(line, newline))+1 > most && len(line) > 0 {
				long++
				continue
			}
			want = append(want, line...)
		}
		var got []byte
		for _, b := range blocks {
			if n := int64(1 + bytes.Count(text[:b.Offset], newline)); b.Line != n || b.Seq != n {
				t.Fatalf("block at byte %d says line %d, want %d", b.Offset, b.Line, n)
			}
			got = append(got, b.Data...)
		}
		if !bytes.Equal(got, want) || len(r.Problems()) != long {
			t.Fatalf("got %q, want %q; %v", got, want, r.Problems())
		}
	})
}

func abs(n int) int {
	if n < 0 {
		return -(n + 1)
	}
	return n
}

// FuzzRolled gives any names to the logic of rolled logs: no file is forgotten,
// the order is by number, and present and missing numbers make up the range.
func FuzzRolled(f *testing.F) {
	f.Add("events_1_a\nevents_2_a.zstd\nappstatus_a\nevents_10_a", true)
	f.Add("events_3_a.compact\nevents_4_a\nevents_3_a\nevents_5_a.zstd.compact\nappstatus_a.inprogress", true)
	f.Add("eventlog\neventlog-2021-06-15--15-00.gz\nEVENT_LOG_1\nSPARK_VERSION_1.2.0\nAPPLICATION_COMPLETE", false)
	f.Add("events_999999999999999_a\nevents_1_a\nevents_01_a\nevents__a\nevents_1_\nevents_-1_a", false)
	f.Fuzz(func(t *testing.T, names string, isRolled bool) {
		var files []*node
		for i, name := range strings.Split(names, "\n") {
			files = append(files, &node{name: name, path: name, size: int64(i % 3)})
		}
		fams, rest := families(place{path: "dir", rolled: isRolled, whole: true}, files)
		seen := map[*node]int{}
		for _, n := range rest {
			seen[n]++
		}
		for _, fam := range fams {
			checkFamily(t, fam)
			for _, m := range fam.members {
				seen[m.node]++
			}
		}
		for n, times := range seen {
			if times > 1 {
				t.Errorf("%q was taken %d times", n.name, times)
			}
		}
	})
}

func checkFamily(t *testing.T, fam *family) {
	if len(fam.members) == 0 {
		t.Fatal("a family without members")
	}
	for i, m := range fam.members[1:] {
		if m.compact || (m.number <= fam.members[i].number && m.number > 0) {
			t.Errorf("%q comes after %q", m.node.name, fam.members[i].node.name)
		}
	}
	if fam.compacted != fam.members[0].compact {
		t.Errorf("compacted is %v", fam.compacted)
	}
	holes := 0
	for i, m := range fam.members[1:] {
		if m.number > fam.members[i].number+1 {
			holes++
		}
	}
	told := slices.DeleteFunc(slices.Clone(fam.found), func(p problem.Problem) bool { return p.Kind != problem.MissingPart })
	if len(told) != holes && len(told) != holes+1 {
		t.Errorf("%d holes, told %v", holes, told)
	}
}

// FuzzResolve gives any bytes as a log: the outcome is a log, whose text can be
// read to an end, or an error.
func FuzzResolve(f *testing.F) {
	a := applog("app-a", 8, true)
	for _, seed := range []string{
		a, zipped("a", a, "b/c", pack(codecGzip, a)), tarred("a", a, "z.zip", zipped("x", a)),
		pack(codecGzip, tarred("eventlog_v2_x/events_1_x", a, "eventlog_v2_x/events_2_x", a)),
		storedZip("a", a), cutZip(zipped("a", a)), pack(codecSnappy, a), "a,b\n1,2\n", "{\"Event\":1}",
	} {
		f.Add([]byte(seed))
	}
	f.Add(bytes.Repeat([]byte{0}, 1024))
	lim := Limits{MaxWindow: 1 << 20, MaxExpand: 4 << 20, MaxSpool: 4 << 20, RatioFree: 1 << 20}
	f.Fuzz(func(t *testing.T, data []byte) {
		logs, _, err := Resolve([]string{"-"}, Options{Stdin: bytes.NewReader(data), Limits: lim})
		if (err == nil) != (len(logs) > 0) {
			t.Fatal(logs, err)
		}
		for _, l := range logs {
			d := drain(t, l, Options{Limits: lim, BlockSize: 4096}, false)
			if d.err != nil && !isLimit(d.err, "MaxExpand") && !isLimit(d.err, "MaxRatio") {
				t.Fatal(d.err)
			}
		}
	})
}

// FuzzArchive gives any bytes to the indexes of zip and tar.
func FuzzArchive(f *testing.F) {
	a := applog("app-a", 8, true)
	f.Add([]byte(zipped("a", a, "../b", a)))
	f.Add([]byte(cutZip(zipped("a", a, "b", a))))
	f.Add([]byte(tarred("a", a, "b", a)))
	if b, err := os.ReadFile("testdata/genuine.lz4"); err == nil {
		f.Add([]byte(zipped("g", string(b))))
	}
	lim := Options{Limits: Limits{MaxArchiveFiles: 100, RatioFree: 1 << 20, MaxExpand: 4 << 20}}.withDefaults().Limits
	f.Fuzz(func(t *testing.T, data []byte) {
		size := int64(len(data))
		var all []entry
		for _, index := range []func(string, io.ReaderAt, int64, Limits) ([]entry, []problem.Problem, error){indexZip, indexTar, salvageZip} {
			entries, found, err := index("x", bytes.NewReader(data), size, lim)
			if err != nil && !isLimit(err, "MaxArchiveFiles") {
				t.Fatal(err)
			}
			for _, p := range found {
				if p.Pos.Offset < 0 || p.Pos.Offset > size || p.Skipped < 0 || p.Pos.Offset+p.Skipped > size {
					t.Fatal(p, p.Skipped)
				}
			}
			all = append(all, entries...)
		}
		fd := &finder{opt: Options{}.withDefaults(), skipped: map[string]int{}}
		fd.tree(&node{name: "x", path: "x"}, all)
		for _, e := range all {
			if e.why != "" || e.isDir {
				continue
			}
			r := e.open()
			if e.wrap != nil {
				r = e.wrap(r)
			}
			if _, err := io.CopyN(io.Discard, r, 1<<20); err != nil && err != io.EOF && !errors.As(err, new(*gap)) {
				t.Fatal(err)
			}
		}
	})
}
