package spark_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tracereplay/ingest"
	"tracereplay/ingest/source"
	"tracereplay/ingest/spark"
	"tracereplay/internal/problem"
)

// corpusDir is where real logs lie; they are not part of the project.
func corpusDir(tb testing.TB) string {
	tb.Helper()
	dir := os.Getenv("TRACEREPLAY_CORPUS")
	if dir == "" {
		dir = "../../../shared/corpus"
	}
	if _, err := os.Stat(dir); err != nil {
		tb.Skipf("no corpus of real logs at %s; TRACEREPLAY_CORPUS names one", dir)
	}
	return dir
}

// readBlocks hands the blocks of a log to f.
func readBlocks(tb testing.TB, path string, opt source.Options, f func(log *source.Log, b *source.Block)) {
	tb.Helper()
	logs, _, err := source.Resolve([]string{path}, opt)
	if err != nil {
		tb.Fatal(err)
	}
	for _, log := range logs {
		r, err := log.Open(opt)
		if err != nil {
			tb.Fatal(err)
		}
		for {
			b, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				tb.Fatal(err)
			}
			f(log, b)
			b.Release()
		}
	}
}

// plainCount counts the events of a block with encoding/json alone.
func plainCount(data []byte, counts map[string]int64) {
	for line := range bytes.Lines(data) {
		var e struct{ Event string }
		if json.NewDecoder(bytes.NewReader(line)).Decode(&e) == nil && e.Event != "" {
			counts[e.Event[strings.LastIndexAny(e.Event, ".$")+1:]]++
		}
	}
}

func TestCorpus(t *testing.T) {
	dir := corpusDir(t)
	for _, c := range []struct {
		log      string
		ends     int // task ends of tasks, as the corpus's own figures have them
		problems map[problem.Kind]int
		unknown  []string
	}{
		{log: "spark/01-rapids-exec-lost-fetchfailed.zstd"},
		{log: "spark/02-yarn-exec-oom-x8"},
		{log: "spark/06-slim-21hosts-cached-blocks"},
		{log: "spark/07-slim-skipped-stages"},
		{log: "spark/10-exec-crashloop-47removed.zstd"},
		{log: "spark/12-gpu-oom-job-failures.zstd"},
		{log: "spark/14-databricks-photon-142MB.zstd"},
		{log: "spark/16-nds-q86-8hosts.zstd"},
		{log: "spark/17-spark4.1-local-failures.zstd"},
		{log: "spark/18-malformed-json.zstd"},
		{log: "spark/19-corrupted-events"},
		{log: "spark/20-truncated-midline"},
		{log: "spark/21-crlf"},
		{log: "spark/22-trailing-brace"},
		{log: "spark/24-k8s-rolling-3.5.3"},
		{log: "spark/25-spark1.2-no-version"},
		{log: "spark/27-streaming-24sql"},
		{log: "spark/28-task-job-failure-spec-24exec.zstd"},
		{log: "spark/db_rolled"},
		{log: "spark/eventlog_v2_local-1623876083964"},
		{log: "spark/spark1.2-directory"},
		{log: "lab/cold-linear-exit-12.zstd"},
		{log: "lab/dense16-diamond-withdraw-14.zstd"},
		{log: "lab/dense16-linear-exit-12.zstd"},
		{log: "lab/dense16-linear-withdraw-12.zstd"},
		{log: "lab/sparse-linear-exit-12.zstd"},
		{log: "lab/sparse-reuse-withdraw-16.zstd"},
		{log: "streaming/streaming_eventlog.zstd"},
	} {
		t.Run(filepath.Base(c.log), func(t *testing.T) {
			d := spark.NewDecoder(spark.Options{})
			want := map[string]int64{}
			var all ingest.Batch
			readBlocks(t, filepath.Join(dir, c.log), source.Options{}, func(log *source.Log, b *source.Block) {
				plainCount(b.Data, want)
				d.Decode(&all, b.Data, log.Parts[b.Part].Name, b.Offset, b.Line, b.Seq, b.Cut)
			})
			got := maps.Clone(all.Counts)
			maps.Copy(got, all.Unknown)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("counts by kind (-plain +decoder):\n%s", diff)
			}
			t.Log(len(all.Ends), all.Problems, slices.Collect(maps.Keys(all.Unknown)))
		})
	}
}
