package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"tracereplay/internal/problem"
)

// blocksOf reads a log and returns its blocks with their data copied.
func blocksOf(t testing.TB, l *Log, opt Options) ([]Block, *Reader) {
	t.Helper()
	r, err := l.Open(opt)
	if err != nil {
		t.Fatal(err)
	}
	var all []Block
	for {
		b, err := r.Next()
		if err != nil {
			if err != io.EOF {
				t.Fatal(err)
			}
			return all, r
		}
		c := *b
		c.Data = bytes.Clone(b.Data)
		all = append(all, c)
		b.Release()
	}
}

func show(blocks []Block) string {
	var s strings.Builder
	for _, b := range blocks {
		fmt.Fprintf(&s, "%d:%d line %d seq %d cut %v %q\n", b.Part, b.Offset, b.Line, b.Seq, b.Cut, b.Data)
	}
	return s.String()
}

// The example of the package's documentation.
func TestDocExample(t *testing.T) {
	got, _ := blocksOf(t, logOf("x", []byte("a\nbb\nc")), Options{BlockSize: 5})
	want := "0:0 line 1 seq 1 cut false \"a\\nbb\\n\"\n0:5 line 3 seq 3 cut true \"c\"\n"
	if show(got) != want {
		t.Errorf("got\n%swant\n%s", show(got), want)
	}
}

func TestParts(t *testing.T) {
	l := logOf("p0", []byte("\xef\xbb\xbfa\nb\n"))
	l.add(logOf("p1", nil).Parts[0].node, 0, "")
	l.add(logOf("p2", []byte("c\nd")).Parts[0].node, 0, "")
	l.add(logOf("p3", []byte("\n\ne\n")).Parts[0].node, 0, "")
	got, r := blocksOf(t, l, Options{})
	want := `0:3 line 1 seq 1 cut false "a\nb\n"
2:0 line 1 seq 3 cut true "c\nd"
3:0 line 1 seq 5 cut false "\n\ne\n"
`
	if show(got) != want {
		t.Errorf("got\n%swant\n%s", show(got), want)
	}
	if s := fmt.Sprint(r.PartStats()); s != "[{p0 none 2 7 7 false} {p1 none 0 0 0 false} {p2 none 2 3 3 false} {p3 none 3 4 4 false}]" {
		t.Error(s)
	}
	if read, total := r.Progress(); read != 14 || total != 14 {
		t.Error(read, total)
	}
}

// A file of a byte order mark alone has no line.
func TestOnlyBOM(t *testing.T) {
	got, r := blocksOf(t, logOf("x", utf8BOM), Options{})
	if len(got) > 0 || r.PartStats()[0].Lines != 0 {
		t.Error(show(got), r.PartStats())
	}
}

// Whatever the block size, the blocks are the text, and every position is that
// of a plain count.
func TestBlocks(t *testing.T) {
	for seed := range 300 {
		rnd := rand.New(rand.NewPCG(uint64(seed), 9))
		var text []byte
		for range rnd.IntN(60) {
			text = append(text, strings.Repeat("x", rnd.IntN(1+rnd.IntN(80)))...)
			text = append(text, '\n')
		}
		if rnd.IntN(2) == 0 {
			text = append(text, "tail"...)
		}
		size := 1 + rnd.IntN(100)
		blocks, r := blocksOf(t, logOf("x", text), Options{BlockSize: size})
		if why := checkBlocks(blocks, text); why != "" || len(r.Problems()) > 0 {
			t.Fatalf("seed %d, blocks of %d: %s %v", seed, size, why, r.Problems())
		}
	}
}

func checkBlocks(blocks []Block, text []byte) string {
	at := 0
	for i, b := range blocks {
		line := int64(1 + bytes.Count(text[:at], newline))
		switch {
		case b.Offset != int64(at) || b.Line != line || b.Seq != line:
			return fmt.Sprintf("block %d says byte %d line %d seq %d, want %d %d", i, b.Offset, b.Line, b.Seq, at, line)
		case len(b.Data) == 0 || !bytes.HasPrefix(text[at:], b.Data):
			return fmt.Sprintf("block %d differs", i)
		case b.Cut != (b.Data[len(b.Data)-1] != '\n') || (b.Cut && i < len(blocks)-1):
			return fmt.Sprintf("block %d: cut is %v", i, b.Cut)
		}
		at += len(b.Data)
	}
	if at != len(text) {
		return fmt.Sprintf("%d of %d bytes", at, len(text))
	}
	return ""
}

// A line is skipped exactly if it is longer than the limit, wherever it stands
// and whatever the block size.
func TestTooLong(t *testing.T) {
	for _, size := range []int{1, 3, 8, 64, 1000} {
		for seed := range 100 {
			rnd := rand.New(rand.NewPCG(uint64(seed), 3))
			const most = 40
			var text, want []byte
			var lost []string
			line := 0
			for range 30 {
				l := strings.Repeat("y", rnd.IntN(2*most)) + "\n"
				line++
				if len(l) > most {
					lost = append(lost, fmt.Sprintf("x:%d (byte %d) seq %d skipped %d", line, len(text), line, len(l)))
				} else {
					want = append(want, l...)
				}
				text = append(text, l...)
			}
			blocks, r := blocksOf(t, logOf("x", text), Options{BlockSize: size, Limits: Limits{MaxLine: most}})
			var got []byte
			for _, b := range blocks {
				if n := int64(1 + bytes.Count(text[:b.Offset], newline)); b.Line != n || b.Seq != n || !bytes.HasPrefix(text[b.Offset:], b.Data) {
					t.Fatalf("seed %d: block at byte %d says line %d, want %d", seed, b.Offset, b.Line, n)
				}
				got = append(got, b.Data...)
			}
			var told []string
			for _, p := range r.Problems() {
				told = append(told, fmt.Sprintf("%s seq %d skipped %d", p.Pos, p.Seq, p.Skipped))
				if p.Kind != problem.TooLong {
					t.Error(p)
				}
			}
			if !bytes.Equal(got, want) || fmt.Sprint(told) != fmt.Sprint(lost) {
				t.Fatalf("seed %d, blocks of %d: told %v, want %v", seed, size, told, lost)
			}
		}
	}
}

// A file that cannot be read further is an error, after what was read before.
func TestReadError(t *testing.T) {
	bad := errors.New("disk on fire")
	for _, codec := range codecs() {
		text := sample(40)
		p := packers[codec](text, 200)
		l := logOf("x", nil)
		l.Parts[0].node.open = func() (io.ReadCloser, error) {
			return io.NopCloser(io.MultiReader(bytes.NewReader(p.data[:len(p.data)-10]), failing{bad})), nil
		}
		d := drain(t, l, Options{}, true)
		if !errors.Is(d.err, bad) || !strings.HasPrefix(d.err.Error(), "x: ") {
			t.Errorf("%s: %v", codec, d.err)
		}
		if len(d.text) < len(text)/2 || !bytes.HasPrefix(text, d.text) {
			t.Errorf("%s: %d bytes before the error", codec, len(d.text))
		}
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// Closing early stops the reader's goroutine, whatever it is at.
func TestClose(t *testing.T) {
	text := bytes.Repeat([]byte("0123456789\n"), 100_000)
	for range 20 {
		r, err := logOf("x", text).Open(Options{BlockSize: 1000})
		if err != nil {
			t.Fatal(err)
		}
		b, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		b.Release()
		b.Release() // twice is harmless
		for range 2 {
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
		select {
		case <-r.ended:
		default:
			t.Error("the goroutine is still there")
		}
	}
}
