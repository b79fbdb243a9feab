package source

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"tracereplay/internal/problem"
)

func isLimit(err error, name string) bool {
	var l *LimitError
	return errors.As(err, &l) && l.Limit == name
}

// bomb is a log whose text goes on with n blank lines, which compress by far
// more than any log.
func bomb(n int) []byte { return append(sample(5), bytes.Repeat(newline, n)...) }

// Input that expands beyond a limit is an error, and what came before it is
// delivered.
func TestBombs(t *testing.T) {
	text := bomb(20 << 20)
	tight := Limits{RatioFree: 1 << 20, MaxRatio: 100}
	small := Limits{MaxExpand: 3 << 20}
	for _, codec := range []string{codecGzip, codecZstd} {
		data := packers[codec](text, len(text)).data
		for name, lim := range map[string]Limits{"MaxRatio": tight, "MaxExpand": small} {
			d := drain(t, logOf("log", data), Options{Limits: lim, BlockSize: 1 << 16}, true)
			if !isLimit(d.err, name) || len(d.text) < 1<<20 || len(d.text) > 8<<20 {
				t.Errorf("%s: %d bytes, %v", codec, len(d.text), d.err)
			}
		}
		// The defaults let small files expand.
		if d := drain(t, logOf("log", data), Options{}, false); d.err != nil {
			t.Errorf("%s: %v", codec, d.err)
		}
	}
	for name, data := range map[string]string{
		"zip":    zipped("log", string(text)),
		"tar.gz": pack1(codecGzip, tarred("log", string(text))),
	} {
		path := filepath.Join(tree(t, map[string]string{"f": data}), "f")
		logs, _, err := Resolve([]string{path}, Options{Limits: tight})
		if err == nil {
			err = drain(t, logs[0], Options{Limits: tight}, false).err
		}
		if !isLimit(err, "MaxRatio") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func pack1(codec, text string) string { return string(packers[codec]([]byte(text), len(text)).data) }

func TestResolveLimits(t *testing.T) {
	a := string(sample(5))
	many := []string{}
	for i := range 20 {
		many = append(many, "f"+strconv.Itoa(i), a)
	}
	deep := strings.Repeat("d/", 20)
	for _, c := range []struct {
		name, limit string
		files       map[string]string
		lim         Limits
	}{
		{"members of a zip", "MaxArchiveFiles", map[string]string{"z": zipped(many...)}, Limits{MaxArchiveFiles: 10}},
		{"members of a tar", "MaxArchiveFiles", map[string]string{"z": tarred(many...)}, Limits{MaxArchiveFiles: 10}},
		{"a temporary copy", "MaxSpool", map[string]string{"z": pack1(codecGzip, tarred(many...))}, Limits{MaxSpool: 4000}},
		{"copies of archives in archives", "MaxSpool", map[string]string{"z": zipped("a", zipped(many...), "b", zipped(many...))}, Limits{MaxSpool: 6000}},
		{"entries of directories", "MaxFiles", map[string]string{"1": a, "2": a, "d/3": a, "d/4": a}, Limits{MaxFiles: 4}},
	} {
		_, _, err := Resolve([]string{tree(t, c.files)}, Options{Limits: c.lim})
		if !isLimit(err, c.limit) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	dir := tree(t, map[string]string{deep + "a": a, "b": a})
	got := resolved(dir, []string{"."}, Options{})
	if !strings.Contains(got, "deeper than the limit MaxDepth") || !strings.Contains(got, "log b ") {
		t.Error(got)
	}
}

// A zip whose directory is made of long names is not read into memory.
func TestZipDirectoryBudget(t *testing.T) {
	files := []string{}
	for i := range 2000 {
		files = append(files, strings.Repeat("n", 40_000)+strconv.Itoa(i), "")
	}
	path := filepath.Join(tree(t, map[string]string{"z": zipped(files...)}), "z")
	_, _, err := Resolve([]string{path}, Options{Limits: Limits{MaxArchiveFiles: 5000}})
	if !isLimit(err, "MaxArchiveFiles") {
		t.Error(err)
	}
}

// One line without end is skipped in little memory: here 200 MB of a sparse
// file.
func TestEndlessLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	head := sample(5)
	must(os.WriteFile(path, head, 0o644))
	const size = 200 << 20
	must(os.Truncate(path, size))
	logs, _, err := Resolve([]string{path}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d := drain(t, logs[0], Options{Limits: Limits{MaxLine: 4 << 20}}, true)
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 24<<20 {
		t.Errorf("%d bytes asked for", grown)
	}
	ps := d.Problems()
	if d.err != nil || !bytes.Equal(d.text, head) || len(ps) != 1 || ps[0].Kind != problem.TooLong || ps[0].Skipped != size-int64(len(head)) || ps[0].Pos.Line != 6 {
		t.Errorf("%d bytes, %v, %v", len(d.text), d.err, ps)
	}
}

// A file that is broken every few bytes does not make the list of problems
// endless, and no byte of it is forgotten.
func TestProblemsAreBounded(t *testing.T) {
	var data []byte
	const n = 3 * mostProblems
	for range n {
		data = appendLZ4(data, lz4Raw, []byte("a\n"), []byte("b\n"))
	}
	d := drain(t, logOf("log", data), Options{}, false)
	lost := int64(0)
	for _, p := range d.Problems() {
		lost += p.Skipped
	}
	if len(d.Problems()) != mostProblems || lost != int64(len(data)) {
		t.Errorf("%d problems, %d of %d bytes", len(d.Problems()), lost, len(data))
	}
	if last := d.Problems()[mostProblems-1]; !strings.Contains(last.Detail, strconv.Itoa(n-mostProblems)) {
		t.Error(last)
	}
}

// A stream without an event is given up before it fills the memory.
func TestEndlessStream(t *testing.T) {
	_, _, err := Resolve([]string{"-"}, Options{Stdin: endless{}})
	if err == nil || !strings.Contains(err.Error(), "looks like text that is not JSON") {
		t.Error(err)
	}
	skippable := io.MultiReader(strings.NewReader("\x50\x2a\x4d\x18\xff\xff\xff\xff"), endless{})
	if _, _, err := Resolve([]string{"-"}, Options{Stdin: skippable}); err == nil || !strings.Contains(err.Error(), "no event in the first") {
		t.Error(err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}
