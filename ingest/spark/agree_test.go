package spark

import (
	"bufio"
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tracereplay/ingest"
	"tracereplay/internal/problem"
)

// agree fails unless the fast way gives up on a line or gives what the strict
// way gives.
func agree(t *testing.T, line []byte) {
	t.Helper()
	fast, gone := readFast(line)
	if gone == nil {
		if len(fast.Order)+len(fast.Starts)+len(fast.Ends) > 0 {
			t.Fatalf("gave up and left something behind\n%s", line)
		}
		return
	}
	strict := readStrict(line)
	if len(strict.Problems) == 1 && strict.Problems[0].Kind == problem.MalformedLine {
		// The line is broken. The fast way may not have noticed where it did not look.
		strict = readStrict(without(line, *gone))
		for i := range fast.Ends {
			fast.Ends[i].M.PeakMemoryBytes = strict.Ends[i].M.PeakMemoryBytes
		}
	}
	if diff := cmp.Diff(strict, fast); diff != "" {
		t.Fatalf("-strict +fast:\n%s\n%s", diff, line)
	}
}

// readFast reads a line the fast way. It returns what was jumped, nil if the
// fast way gave up.
func readFast(line []byte) (ingest.Batch, *jumped) {
	var b ingest.Batch
	d := NewDecoder(Options{})
	d.b, d.seq, d.line = &b, 1, trimLine(line)
	if !d.fastTask() {
		return b, nil
	}
	d.countFast()
	b.Counts, b.Unknown = d.counts, d.unknown
	return b, &d.jumped
}

func readStrict(line []byte) ingest.Batch {
	var b ingest.Batch
	NewDecoder(Options{FullParse: true}).Decode(&b, line, "log", 0, 1, 1, false)
	return b
}

// without empties what was jumped.
func without(line []byte, j jumped) []byte {
	line = slices.Clone(trimLine(line))
	if j.peaks.to > 0 {
		line = slices.Replace(line, j.peaks.from, j.peaks.to, []byte("{}")...)
	}
	if j.accumulables.to > 0 {
		line = slices.Replace(line, j.accumulables.from, j.accumulables.to, []byte("[]")...)
	}
	return line
}

// seedLines are lines of tasks: those of testdata, and some of each real log
// that lies uncompressed in the corpus.
func seedLines(tb testing.TB) [][]byte {
	files, err := filepath.Glob("testdata/golden/*.txt")
	if err != nil {
		tb.Fatal(err)
	}
	dir := os.Getenv("TRACEREPLAY_CORPUS")
	if dir == "" {
		dir = "../../../shared/corpus"
	}
	real, err := filepath.Glob(filepath.Join(dir, "spark", "*"))
	if err != nil {
		tb.Fatal(err)
	}
	var lines [][]byte
	for _, name := range append(files, real...) {
		lines = append(lines, taskLines(name, 6)...)
	}
	return lines
}

// taskLines returns up to n lines of tasks of each kind.
func taskLines(name string, n int) (lines [][]byte) {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	starts, ends := 0, 0
	s := bufio.NewScanner(f)
	s.Buffer(nil, 64<<20)
	for s.Scan() {
		switch line := s.Text(); {
		case strings.HasPrefix(line, startPrefix) && starts < n:
			starts++
		case strings.HasPrefix(line, endPrefix) && ends < n:
			ends++
		default:
			continue
		}
		lines = append(lines, bytes.Clone(s.Bytes()))
	}
	return lines
}

// mutate changes a line in a few places, more often than not where its
// structure is.
func mutate(r *rand.Rand, line []byte) []byte {
	line = slices.Clone(line)
	for range 1 + r.IntN(3) {
		if len(line) < len(endPrefix)+8 {
			break
		}
		i := len(startPrefix) + r.IntN(len(line)-len(startPrefix))
		n := r.IntN(min(12, len(line)-i))
		switch r.IntN(6) {
		case 0:
			line = slices.Delete(line, i, i+n)
		case 1:
			line[i] = alphabet[r.IntN(len(alphabet))]
		case 2:
			line = slices.Insert(line, i, []byte(pieces[r.IntN(len(pieces))])...)
		case 3:
			line = slices.Insert(line, i, line[i:i+n]...)
		case 4: // at a token's end
			if k := bytes.IndexAny(line[i:], `,:{}[]"`); k >= 0 {
				line = slices.Insert(line, i+k, []byte(pieces[r.IntN(len(pieces))])...)
			}
		case 5: // a member in place of another
			line = replaceMember(r, line, i)
		}
	}
	return line
}

// replaceMember copies a stretch between two commas to another comma.
func replaceMember(r *rand.Rand, line []byte, i int) []byte {
	from := bytes.IndexByte(line[i:], ',')
	if from < 0 {
		return line
	}
	from += i
	to := bytes.IndexByte(line[from+1:], ',')
	if to < 0 {
		return line
	}
	member := slices.Clone(line[from : from+1+to])
	at := bytes.IndexByte(line[len(startPrefix)+r.IntN(len(line)-len(startPrefix)):], ',')
	if at < 0 {
		return line
	}
	return slices.Insert(line, at, member...)
}

const alphabet = "{}[]\",:\\ 019-.eEtfn\x00\x1f\x7f\x80\xff"

var pieces = []string{
	`]},"Task Metrics":{`, `]},"Task Executor Metrics":{`, `},"Task Metrics":{`, `"Accumulables":[`, `"Accumulables":[]`,
	`,"Stage ID":null`, `,"Task Metrics":{}`, `,"Updated Blocks":[]`, `"x":`, `null`, `true`, `-1`, `0`, `1.0`, `1e3`,
	`99999999999999999999`, `{}`, `[]`, `[1]`, ` `, `\n`, `\u0041`, `\ud800`, `,`, `}`, `]`, `"`,
	`"internal.metrics.peakExecutionMemory"`, `,"Input Metrics":{"Bytes Read":1}`, `{"Reason":"Success"}`,
}

func TestWaysAgree(t *testing.T) {
	seeds := seedLines(t)
	if len(seeds) == 0 {
		t.Fatal("no lines")
	}
	for _, line := range seeds {
		agree(t, line)
	}
	each := 20_000 / len(seeds)
	if !testing.Short() {
		each = 200_000 / len(seeds)
	}
	r := rand.New(rand.NewPCG(1, 2))
	taken := 0
	for _, line := range seeds {
		for range each {
			m := mutate(r, line)
			agree(t, m)
			if _, gone := readFast(m); gone != nil {
				taken++
			}
		}
	}
	if share := float64(taken) / float64(each*len(seeds)); share < 0.05 {
		t.Errorf("the fast way took only %.3f of the lines: the test shows little", share)
	}
}

// FuzzTask looks for lines on which the fast way and the strict way differ.
func FuzzTask(f *testing.F) {
	for _, line := range seedLines(f) {
		if len(line) < 8<<10 {
			f.Add(line)
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.IndexByte(line, '\n') >= 0 {
			return // no line has one inside, and behind one the strict way reads on
		}
		agree(t, line)
	})
}

// FuzzDecode looks for blocks that make the decoder panic or lose count.
func FuzzDecode(f *testing.F) {
	files, err := filepath.Glob("testdata/golden/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			f.Add(line, false)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, cut bool) {
		var b ingest.Batch
		NewDecoder(Options{}).Decode(&b, data, "log", 0, 1, 1, cut)
		lines := int64(bytes.Count(data, []byte("\n")) + 1)
		counted := int64(0)
		for _, n := range b.Counts {
			counted += n
		}
		for _, n := range b.Unknown {
			counted += n
		}
		if counted > lines || int64(len(b.Order)) > counted {
			t.Fatalf("%d lines, %d counted, %d events", lines, counted, len(b.Order))
		}
		if len(b.Order) != len(b.Starts)+len(b.Ends)+len(b.Others) {
			t.Fatalf("order has %d of %d events", len(b.Order), len(b.Starts)+len(b.Ends)+len(b.Others))
		}
	})
}
