package source

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
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

// corpusLogs has what a plain line count (zstd -dc or zcat, then awk's NR) says
// of each log: lines and bytes of text.
func corpusLogs() map[string][2]int64 {
	return map[string][2]int64{
		"spark/01-rapids-exec-lost-fetchfailed.zstd": {17717, 36555789},
		"spark/02-yarn-exec-oom-x8":                  {190, 343598},
		"spark/06-slim-21hosts-cached-blocks":        {500, 332758},
		"spark/07-slim-skipped-stages":               {1686, 1162431},
		"spark/10-exec-crashloop-47removed.zstd":     {34601, 66651697},
		"spark/12-gpu-oom-job-failures.zstd":         {25084, 35511711},
		"spark/14-databricks-photon-142MB.zstd":      {10141, 142361502},
		"spark/16-nds-q86-8hosts.zstd":               {30711, 45354033},
		"spark/17-spark4.1-local-failures.zstd":      {274, 1454388},
		"spark/18-malformed-json.zstd":               {477, 1763951},
		"spark/19-corrupted-events":                  {50, 266481},
		"spark/20-truncated-midline":                 {15, 89797},
		"spark/21-crlf":                              {21, 56207},
		"spark/22-trailing-brace":                    {75, 130495},
		"spark/24-k8s-rolling-3.5.3":                 {200, 664629},
		"spark/25-spark1.2-no-version":               {82, 68182},
		"spark/27-streaming-24sql":                   {160, 693297},
		"spark/28-task-job-failure-spec-24exec.zstd": {6894, 32909100},
		"spark/db_rolled":                            {5621, 0},
		"spark/eventlog_v2_local-1623876083964":      {5621, 0},
		"spark/spark1.2-directory":                   {24, 17496},
		"lab/cold-linear-exit-12.zstd":               {662, 1536630},
		"lab/dense16-diamond-withdraw-14.zstd":       {1752, 4088918},
		"lab/dense16-linear-exit-12.zstd":            {1517, 3578295},
		"lab/dense16-linear-withdraw-12.zstd":        {1525, 3665003},
		"lab/sparse-linear-exit-12.zstd":             {1423, 3402987},
		"lab/sparse-reuse-withdraw-16.zstd":          {1863, 4377846},
		"streaming/streaming_eventlog.zstd":          {36, 126804},
	}
}

// Every published log opens, alone, with all its lines and nothing wrong.
func TestCorpus(t *testing.T) {
	dir := corpus(t)
	for name, want := range corpusLogs() {
		logs, notes, err := Resolve([]string{dir + "/" + name}, Options{})
		if err != nil || len(logs) != 1 || len(notes) > 0 {
			t.Errorf("%s: %d logs, notes %v, %v", name, len(logs), notes, err)
			continue
		}
		l := logs[0]
		d := drain(t, l, Options{}, false)
		bytes := int64(0)
		for _, s := range d.PartStats() {
			bytes += s.TextBytes
		}
		if d.err != nil || len(d.Problems()) > 0 || d.lines != want[0] || (bytes != want[1] && want[1] > 0) {
			t.Errorf("%s: %d lines, %d bytes, want %v; %v %v", name, d.lines, bytes, want, d.err, d.Problems())
		}
		// These two break off; the other texts end with a newline or a whole line.
		if d.cut && name != "spark/19-corrupted-events" && name != "spark/20-truncated-midline" {
			t.Errorf("%s: the last line has no newline", name)
		}
		if l.AppID == "" {
			t.Errorf("%s: no application id", name)
		}
	}
}

// The corpus as one directory: every log is found, of one application given
// twice one is kept, and what is no log is named.
func TestCorpusWalk(t *testing.T) {
	dir := corpus(t)
	logs, notes, err := Resolve([]string{dir}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := len(corpusLogs()) - 1; len(logs) != want {
		t.Errorf("%d logs, want %d", len(logs), want)
	}
	looks := map[string]int{}
	for _, n := range notes {
		for _, kind := range []string{"jhist", "Flink", "CSV", "Hadoop configuration", "JSON", "same application attempt", "text", "is empty"} {
			if strings.Contains(n.Text, kind) {
				looks[kind]++
				break
			}
		}
	}
	for kind, want := range map[string]int{"jhist": 6, "Flink": 3, "Hadoop configuration": 1, "same application attempt": 1} {
		if looks[kind] != want {
			t.Errorf("%d notes say %s, want %d", looks[kind], kind, want)
		}
	}
	if n := len(notes); n != looks["jhist"]+looks["Flink"]+looks["CSV"]+looks["Hadoop configuration"]+looks["JSON"]+looks["text"]+looks["same application attempt"] {
		t.Errorf("%d notes, not all of a known kind: %v", n, notes)
	}
}
