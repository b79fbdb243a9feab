package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A log that is cut, in each codec and as a stream of batches: exit 3 where
// bytes are lost, with one problem that says where; exit 0 where it ends between
// two lines, with the note that the end is missing.
func TestCutLogs(t *testing.T) {
	for _, name := range []string{"linear-withdrawal.zstd", "stream-count-withdrawal.zstd", "codec-lz4.lz4", "codec-snappy.snappy", "codec-lzf.lzf"} {
		t.Run(name, func(t *testing.T) {
			log, err := os.ReadFile("../../sampletraces/" + name)
			if err != nil {
				t.Fatal(err)
			}
			for _, cut := range []int{len(log) / 3, len(log) * 5 / 6} {
				checkCutLog(t, log[:cut], exitProblems)
			}
		})
	}
	t.Run("plain", func(t *testing.T) {
		log := []byte(unzstd(t, "../../sampletraces/stream-count-withdrawal.zstd"))
		end := bytes.LastIndexByte(log[:len(log)*2/3], '\n') + 1
		checkCutLog(t, log[:end], exitDone)
		checkCutLog(t, log[:end-1], exitDone) // the line break alone
		checkCutLog(t, log[:end-2], exitProblems)
		checkCutLog(t, log[:end+1], exitProblems)
	})
}

// checkCutLog reads a log that is cut at its end.
func checkCutLog(t *testing.T, log []byte, want int) {
	t.Helper()
	dir := t.TempDir()
	path, trace := filepath.Join(dir, "log"), filepath.Join(dir, "t.duckdb")
	if err := os.WriteFile(path, log, 0o666); err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	code := run(t.Context(), []string{"ingest", path, "-o", trace}, nil, io.Discard, &errs)
	if code != want || !strings.Contains(errs.String(), "the log has no end") {
		t.Errorf("cut at byte %d: exit %d, want %d: %s", len(log), code, want, &errs)
		return
	}
	var out bytes.Buffer
	run(t.Context(), []string{"sql", trace, "--format", "csv", "SELECT count(*), min(byte_offset), min(byte_offset + skipped_bytes) FROM problem WHERE kind LIKE 'cut_%'"}, nil, &out, io.Discard)
	_, row, _ := strings.Cut(strings.TrimSpace(out.String()), "\n")
	got := strings.Split(row, ",")
	if want == exitDone && got[0] != "0" || want == exitProblems && (got[0] == "0" || got[1] == "" || got[1] == "0") {
		t.Errorf("cut at byte %d: problems %s", len(log), row)
	}
	if n, err := strconv.Atoi(got[2]); got[0] == "1" && (err != nil || n != len(log)) {
		t.Errorf("cut at byte %d: what is lost ends at byte %s", len(log), got[2])
	}
}
