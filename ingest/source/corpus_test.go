package source

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// corpus returns the directory of published logs, or skips the test.
func corpus(t testing.TB) string {
	dir := os.Getenv("TRACEREPLAY_CORPUS")
	if dir == "" {
		dir = filepath.FromSlash("../../../shared/corpus")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the corpus of published logs is not here (%v); set TRACEREPLAY_CORPUS", err)
	}
	return dir
}

// drained reads a log to its end.
type drained struct {
	text  []byte
	lines int64
	cut   bool
	err   error
	*Reader
}

func drain(t testing.TB, l *Log, opt Options, keep bool) drained {
	t.Helper()
	r, err := l.Open(opt)
	if err != nil {
		t.Fatal(err)
	}
	d := drained{Reader: r}
	for {
		b, err := r.Next()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				d.err = err
			}
			break
		}
		if keep {
			d.text = append(d.text, b.Data...)
		}
		d.cut = b.Cut
		b.Release()
	}
	for _, s := range r.PartStats() {
		d.lines += s.Lines
	}
	return d
}

func TestCorpus(t *testing.T) {
	dir := corpus(t)
	logs, notes, err := Resolve([]string{dir + "/spark", dir + "/lab"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range notes {
		t.Log(n)
	}
	for _, l := range logs {
		d := drain(t, l, Options{}, false)
		t.Log(l.Name, len(l.Parts), l.Parts[0].Codec, l.AppID, l.AppAttempt, d.lines, d.cut, d.Problems(), d.err)
	}
}
