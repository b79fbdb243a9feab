package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

// logProgress is a progress report as the log's JSON has it.
type logProgress struct {
	BatchID     int64            `json:"batchId"`
	Timestamp   time.Time        `json:"timestamp"`
	NumRows     *int64           `json:"numInputRows"`
	DurationMs  map[string]int64 `json:"durationMs"`
	StateOpRows []struct {
		RowsTotal *int64           `json:"numRowsTotal"`
		Memory    *int64           `json:"memoryUsedBytes"`
		Custom    map[string]int64 `json:"customMetrics"`
	} `json:"stateOperators"`
	Sources []struct {
		NumRows int64 `json:"numInputRows"`
	} `json:"sources"`
}

// progressOf reads the reports of batches straight from a log.
func progressOf(t *testing.T, path string) []logProgress {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewReader(f)
	var r io.Reader = in
	if magic, _ := in.Peek(4); bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}) {
		z, err := zstd.NewReader(in)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		r = z
	}
	var out []logProgress
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		if !bytes.Contains(lines.Bytes(), []byte("QueryProgressEvent")) {
			continue
		}
		var e struct{ Progress logProgress }
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		if _, ok := e.Progress.DurationMs["addBatch"]; ok {
			out = append(out, e.Progress)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// streamingLogs are the public streaming logs, and those among the samples.
func streamingLogs(t *testing.T) []string {
	t.Helper()
	samples, err := filepath.Glob("../../sampletraces/stream-*.zstd")
	if err != nil {
		t.Fatal(err)
	}
	dir := corpus(t)
	return append([]string{filepath.Join(dir, "spark/27-streaming-24sql"), filepath.Join(dir, "streaming/streaming_eventlog.zstd")}, samples...)
}

// traceOf reads a log once, for tests that ask several questions.
func traceOf(t *testing.T, log string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.duckdb")
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"ingest", log, "-o", path}, nil, &out, &errs); code != exitDone {
		t.Fatalf("ingest %s: exit %d: %s", log, code, &errs)
	}
	return path
}

// The batches are those of the progress reports, figure by figure.
func TestBatchesAreTheLogsOwn(t *testing.T) {
	for _, log := range streamingLogs(t) {
		want := progressOf(t, log)
		got := csvOf(t, "stream", log, "--rows", "batch")
		byBatch := map[string]map[string]string{}
		for _, row := range got {
			if row["commit_ms"] != "" {
				byBatch[row["batch"]] = row
			}
		}
		if len(byBatch) != len(want) || len(want) == 0 {
			t.Errorf("%s: %d batches, the log reports %d", log, len(byBatch), len(want))
		}
		for _, p := range want {
			row := byBatch[strconv.FormatInt(p.BatchID, 10)]
			start, took := p.Timestamp.UnixMilli(), p.DurationMs["triggerExecution"]
			same(t, log, p.BatchID, row, map[string]*int64{
				"start_ms": &start, "trigger_ms": &took, "input_rows": rowsOf(p), "restart_rows": rowsOf(p), "state_rows": sumOf(p, false), "state_bytes": sumOf(p, true),
			})
		}
	}
}

func same(t *testing.T, log string, batch int64, row map[string]string, want map[string]*int64) {
	t.Helper()
	for name, v := range want {
		text := ""
		if v != nil {
			text = strconv.FormatInt(*v, 10)
		}
		if row[name] != text {
			t.Errorf("%s, batch %d: %s is %q, the log says %q", log, batch, name, row[name], text)
		}
	}
}

// rowsOf are the rows of a report: its own number, else the sum over sources.
func rowsOf(p logProgress) *int64 {
	if p.NumRows != nil {
		return p.NumRows
	}
	var n int64
	for _, s := range p.Sources {
		n += s.NumRows
	}
	return &n
}

// sumOf are the keys or the bytes of all operators; nil without state.
func sumOf(p logProgress, isBytes bool) *int64 {
	if len(p.StateOpRows) == 0 {
		return nil
	}
	var n int64
	for _, o := range p.StateOpRows {
		switch current, ok := o.Custom["stateOnCurrentVersionSizeBytes"]; {
		case !isBytes:
			n += *o.RowsTotal
		case o.Custom["rocksdbSstFileSize"] > 0:
			n += o.Custom["rocksdbSstFileSize"]
		case ok:
			n += current
		default:
			n += *o.Memory
		}
	}
	return &n
}

// Of a machine or worker that was taken, the state that is said to have stood
// there just before is what moves to other workers after.
func TestLostStateMoves(t *testing.T) {
	samples, err := filepath.Glob("../../sampletraces/stream-*.zstd")
	if err != nil {
		t.Fatal(err)
	}
	looked := 0
	for _, log := range samples {
		trace := traceOf(t, log)
		for _, r := range csvOf(t, "explain", trace) {
			gone, err := strconv.ParseInt(r["gone_low_ms"], 10, 64)
			if err != nil || r["kind"] == "release" {
				continue
			}
			looked++
			stood := 0
			at := strconv.FormatInt(gone-1, 10)
			for _, s := range csvOf(t, "stream", trace, "--rows", "state", "--at", at, "--unit", r["unit_kind"]+":"+r["unit"]) {
				n, err := strconv.Atoi(s["state_partitions"])
				if err != nil {
					t.Fatal(err)
				}
				stood += n
			}
			moved := 0
			for _, b := range csvOf(t, "stream", trace, "--rows", "batch") {
				until, err := strconv.ParseInt(b["until_ms"], 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				if until <= gone {
					continue
				}
				n, err := strconv.Atoi(b["moved_partitions"])
				if err != nil {
					t.Fatal(err)
				}
				moved += n
			}
			if stood > moved {
				t.Errorf("%s: %d partitions stood on %s, %d moved after it was gone", filepath.Base(log), stood, r["unit"], moved)
			}
		}
	}
	if looked == 0 {
		t.Skip("no sample of a streaming query with a loss")
	}
}

// What a lost machine costs a batch never reaches back beyond the batch.
func TestNothingOfEarlierBatches(t *testing.T) {
	for _, log := range streamingLogs(t) {
		start, trace := map[string]int64{}, traceOf(t, log)
		for _, b := range csvOf(t, "stream", trace, "--rows", "batch") {
			ms, err := strconv.ParseInt(b["start_ms"], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			start[b["query_run"]+" "+b["batch"]] = ms
		}
		for _, l := range csvOf(t, "stream", trace) {
			if l["oldest_lost_age_ms"] == "" {
				continue
			}
			at, err := strconv.ParseInt(l["instant_ms"], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			age, err := strconv.ParseInt(l["oldest_lost_age_ms"], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			if at-age < start[l["query_run"]+" "+l["batch"]] {
				t.Errorf("%s: losing %s in batch %s takes what was made %d ms before", log, l["unit"], l["batch"], age)
			}
		}
	}
}

func TestRateFlag(t *testing.T) {
	for text, want := range map[string]rateFlag{
		"1000": 1000, "1000B": 1000, "40MiB": 40 << 20, "1GB/s": 1e9, "1Gbit": 125e6, "8kbit": 1000, "1.5KiB": 1536,
	} {
		var r rateFlag
		if err := r.Set(text); err != nil || r != want {
			t.Errorf("%s: %d, %v", text, r, err)
		}
	}
	for _, text := range []string{"", "0", "-5MB", "fast", "NaN", "1e30GB", "Gbit"} {
		var r rateFlag
		if err := r.Set(text); err == nil || !strings.Contains(err.Error(), "40MiB") {
			t.Errorf("%q: %d, %v", text, r, err)
		}
	}
}
