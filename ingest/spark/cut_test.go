package spark_test

import (
	"bytes"
	"os"
	"regexp"
	"testing"

	"github.com/klauspost/compress/zstd"

	"tracereplay/ingest"
	"tracereplay/ingest/spark"
	"tracereplay/internal/problem"
)

// eventKind is the kind of event that a line tells of.
var eventKind = regexp.MustCompile(`"Event":"([^"]*)"`)

// kinds are lines of each kind of event in logs of batches and of a stream.
func kinds(t *testing.T) (lines [][]byte) {
	t.Helper()
	seen := map[string]int{}
	for _, name := range []string{"stream-count-withdrawal", "linear-withdrawal", "sql-withdrawal", "cached-withdrawal", "decommission-migrate"} {
		data, err := os.ReadFile("../../sampletraces/" + name + ".zstd")
		if err != nil {
			t.Fatal(err)
		}
		dec, err := zstd.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if _, err := text.ReadFrom(dec); err != nil {
			t.Fatal(err)
		}
		dec.Close()
		for line := range bytes.Lines(text.Bytes()) {
			m := eventKind.FindSubmatch(line)
			if m == nil || seen[string(m[1])] >= 2 {
				continue
			}
			seen[string(m[1])]++
			lines = append(lines, line)
		}
	}
	return lines
}

// A line of each kind of event, cut at every byte (long ones at every 97th), is
// never taken for an event: it is one problem that says where and how much. A
// line of which the line break alone is missing is whole.
func TestCutLine(t *testing.T) {
	all := kinds(t)
	if len(all) < 30 {
		t.Errorf("only %d lines", len(all))
	}
	dec := spark.NewDecoder(spark.Options{})
	for _, line := range all {
		step := 1
		if len(line) > 3000 {
			step = 97
		}
		for cut := 1; cut < len(line)-1; cut += step {
			var b ingest.Batch
			dec.Decode(&b, bytes.Clone(line[:cut]), "log", 1000, 10, 100, true)
			problems, lost := b.Problems, len(bytes.TrimRight(line[:cut], " "))
			if len(problems) != 1 || problems[0].Kind != problem.CutLine || problems[0].Pos != (problem.Pos{File: "log", Line: 10, Offset: 1000}) || problems[0].Skipped != int64(lost) {
				t.Fatalf("cut at byte %d: %+v\n%.200s", cut, problems, line[:cut])
			}
			if n := len(b.Order); n != 0 {
				t.Fatalf("cut at byte %d: %d events\n%.200s", cut, n, line[:cut])
			}
		}
		var b ingest.Batch
		dec.Decode(&b, bytes.Clone(line[:len(line)-1]), "log", 1000, 10, 100, true)
		if len(b.Problems) > 0 {
			t.Errorf("without its line break: %+v\n%.200s", b.Problems, line)
		}
	}
}
