package spark_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

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

// totals are figures of a log, worked out by a short script that shares no
// code with the decoder.
type totals struct {
	starts, ends                         int
	fetchFailed, resubmitted, workerLost int // of the ends
	removed                              int // workers
	runMs, writtenBytes, readBytes       int64
	blocks                               int // cached blocks that tasks report
	nodes                                int // of all plans
	accumulators                         int // of ended stages, the engine's own left out
}

func (s *totals) add(b *ingest.Batch) {
	s.starts += len(b.Starts)
	for i := range b.Ends {
		s.addEnd(&b.Ends[i])
	}
	for _, e := range b.Others {
		switch e := e.(type) {
		case *ingest.WorkerRemoved:
			s.removed++
		case *ingest.SQLStart:
			s.nodes += len(e.Nodes)
		case *ingest.SQLPlan:
			s.nodes += len(e.Nodes)
		case *ingest.StageCompleted:
			s.accumulators += len(e.Info.Accumulators)
		}
	}
}

func (s *totals) addEnd(e *ingest.TaskEnd) {
	s.ends++
	switch e.Status {
	case ingest.FetchFailed:
		s.fetchFailed++
	case ingest.Resubmitted:
		s.resubmitted++
	case ingest.WorkerLost:
		s.workerLost++
	}
	s.runMs += e.M.RunMs.V
	s.writtenBytes += e.M.WrittenBytes.V
	s.readBytes += e.M.LocalReadBytes.V + e.M.RemoteReadBytes.V
	s.blocks += len(e.Blocks)
}

// corpusLog is a log of the corpus and what is to be found in it.
type corpusLog struct {
	log      string
	totals   totals
	problems map[problem.Kind]int
	unknown  []string
}

func corpusLogs() []corpusLog {
	return []corpusLog{
		{log: "spark/01-rapids-exec-lost-fetchfailed.zstd", totals: totals{starts: 8580, ends: 8630, fetchFailed: 2, resubmitted: 50, workerLost: 1, removed: 2, runMs: 28326, writtenBytes: 44506, readBytes: 43528, nodes: 336, accumulators: 1289}},
		{log: "spark/02-yarn-exec-oom-x8", totals: totals{starts: 35, ends: 35, workerLost: 8, removed: 8, runMs: 15789, writtenBytes: 3021, readBytes: 3021}},
		{log: "spark/06-slim-21hosts-cached-blocks", totals: totals{starts: 209, ends: 203, removed: 18, runMs: 46683, writtenBytes: 283600, readBytes: 292300, blocks: 100}},
		{log: "spark/07-slim-skipped-stages", totals: totals{starts: 823, ends: 823, runMs: 129741, writtenBytes: 431496851, readBytes: 1213656051, accumulators: 2}},
		{log: "spark/10-exec-crashloop-47removed.zstd", totals: totals{starts: 16984, ends: 16984, removed: 47, runMs: 26492799, writtenBytes: 466122, readBytes: 466122, nodes: 334, accumulators: 1354}},
		{log: "spark/12-gpu-oom-job-failures.zstd", unknown: []string{"SparkRapidsBuildInfoEvent"}, totals: totals{starts: 12447, ends: 12416, runMs: 2924581, writtenBytes: 31314, nodes: 314, accumulators: 118}},
		{log: "spark/14-databricks-photon-142MB.zstd", totals: totals{starts: 4896, ends: 4896, removed: 1, runMs: 4292466, writtenBytes: 218614, readBytes: 402796, nodes: 3400, accumulators: 3421}},
		{log: "spark/16-nds-q86-8hosts.zstd", totals: totals{starts: 15237, ends: 15237, runMs: 4057309, writtenBytes: 8487318, readBytes: 8487318, nodes: 75, accumulators: 64}},
		{log: "spark/17-spark4.1-local-failures.zstd", totals: totals{starts: 52, ends: 52, runMs: 12302, writtenBytes: 68135778, readBytes: 68147078, nodes: 729, accumulators: 207}},
		{log: "spark/18-malformed-json.zstd", problems: map[problem.Kind]int{problem.MalformedLine: 1}, totals: totals{starts: 217, ends: 217, removed: 1, runMs: 28808, writtenBytes: 100623870, readBytes: 100623870, nodes: 28, accumulators: 49}},
		// One more removal and one more ended stage, of 13 accumulators, cannot be used.
		{log: "spark/19-corrupted-events", problems: map[problem.Kind]int{problem.MissingField: 6}, unknown: []string{"SparkListenerStageSubmittedBAD"}, totals: totals{removed: 1, accumulators: 76}},
		{log: "spark/20-truncated-midline", problems: map[problem.Kind]int{problem.MalformedLine: 1}, totals: totals{starts: 1, ends: 1, runMs: 20}},
		{log: "spark/21-crlf", totals: totals{starts: 4, ends: 4, runMs: 1226, writtenBytes: 196, readBytes: 196}},
		{log: "spark/22-trailing-brace", problems: map[problem.Kind]int{problem.MalformedLine: 26}, totals: totals{starts: 26, ends: 26, runMs: 3962}},
		{log: "spark/24-k8s-rolling-3.5.3", totals: totals{starts: 73, ends: 73, runMs: 1074508, writtenBytes: 10758167888, readBytes: 10758167888, nodes: 57, accumulators: 42}},
		{log: "spark/25-spark1.2-no-version", totals: totals{starts: 32, ends: 32, runMs: 8254, writtenBytes: 13180, blocks: 8}},
		{log: "spark/27-streaming-24sql", totals: totals{starts: 24, ends: 24, runMs: 2086, writtenBytes: 1345, readBytes: 1345, nodes: 360, accumulators: 287}},
		{log: "spark/28-task-job-failure-spec-24exec.zstd", totals: totals{starts: 3413, ends: 3411, runMs: 12512555, writtenBytes: 461792448419, readBytes: 282652062281, nodes: 41, accumulators: 189}},
		{log: "spark/db_rolled", totals: totals{starts: 2801, ends: 2801, runMs: 1401278, writtenBytes: 10078016818, readBytes: 10078016818, nodes: 28, accumulators: 43}},
		{log: "spark/eventlog_v2_local-1623876083964", totals: totals{starts: 2801, ends: 2801, runMs: 1401278, writtenBytes: 10078016818, readBytes: 10078016818, nodes: 28, accumulators: 43}},
		{log: "spark/spark1.2-directory", totals: totals{starts: 8, ends: 8, runMs: 120, accumulators: 1}},
		{log: "lab/cold-linear-exit-12.zstd", totals: totals{starts: 257, ends: 258, fetchFailed: 2, resubmitted: 1, workerLost: 2, removed: 1, runMs: 233822, writtenBytes: 16893566, readBytes: 16402262}},
		{log: "lab/dense16-diamond-withdraw-14.zstd", totals: totals{starts: 730, ends: 732, fetchFailed: 10, resubmitted: 2, workerLost: 4, removed: 2, runMs: 382581, writtenBytes: 23088954, readBytes: 26191692}},
		{log: "lab/dense16-linear-exit-12.zstd", totals: totals{starts: 649, ends: 652, fetchFailed: 8, resubmitted: 3, workerLost: 2, removed: 1, runMs: 363755, writtenBytes: 17350919, readBytes: 16848317}},
		{log: "lab/dense16-linear-withdraw-12.zstd", totals: totals{starts: 660, ends: 673, fetchFailed: 11, resubmitted: 13, removed: 2, runMs: 382932, writtenBytes: 18215821, readBytes: 17210281}},
		{log: "lab/sparse-linear-exit-12.zstd", totals: totals{starts: 626, ends: 626, workerLost: 2, removed: 1, runMs: 269155, writtenBytes: 15831946, readBytes: 15831946}},
		{log: "lab/sparse-reuse-withdraw-16.zstd", totals: totals{starts: 798, ends: 798, fetchFailed: 1, workerLost: 1, removed: 2, runMs: 475224, writtenBytes: 9907181, readBytes: 29026890}},
		{log: "streaming/streaming_eventlog.zstd", totals: totals{starts: 7, ends: 7, runMs: 5791, nodes: 2, accumulators: 1}},
	}
}

// TestCorpus reads each real log the fast way and the strict way.
func TestCorpus(t *testing.T) {
	dir := corpusDir(t)
	for _, c := range corpusLogs() {
		t.Run(filepath.Base(c.log), func(t *testing.T) { testLog(t, dir, c) })
	}
}

func testLog(t *testing.T, dir string, c corpusLog) {
	fast, strict := spark.NewDecoder(spark.Options{}), spark.NewDecoder(spark.Options{FullParse: true})
	plain, counts, unknown := map[string]int64{}, map[string]int64{}, map[string]int64{}
	var got totals
	problems := map[problem.Kind]int{}
	opt := source.Options{BlockSize: 4 << 20}
	readBlocks(t, filepath.Join(dir, c.log), opt, func(log *source.Log, b *source.Block) {
		var one, other ingest.Batch
		fast.Decode(&one, b.Data, log.Parts[b.Part].Name, b.Offset, b.Line, b.Seq, b.Cut)
		strict.Decode(&other, b.Data, log.Parts[b.Part].Name, b.Offset, b.Line, b.Seq, b.Cut)
		if !reflect.DeepEqual(other, one) { // much faster than a diff
			t.Errorf("block at line %d (-strict +fast):\n%s", b.Line, cmp.Diff(other, one))
		}
		got.add(&one)
		addTo(counts, one.Counts)
		addTo(unknown, one.Unknown)
		for _, p := range one.Problems {
			problems[p.Kind]++
		}
		plainCount(b.Data, plain)
	})
	if got != c.totals {
		t.Errorf("totals\n%+v, want\n%+v", got, c.totals)
	}
	if diff := cmp.Diff(c.problems, problems, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("problems by kind (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(c.unknown, slices.Sorted(maps.Keys(unknown)), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("unknown kinds (-want +got):\n%s", diff)
	}
	addTo(counts, unknown)
	if diff := cmp.Diff(plain, counts); diff != "" {
		t.Errorf("counts by kind (-plain +decoder):\n%s", diff)
	}
}

func addTo(to, from map[string]int64) {
	for k, n := range from {
		to[k] += n
	}
}
