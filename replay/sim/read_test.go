package sim

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"tracereplay/ingest"
	"tracereplay/ingest/source"
	"tracereplay/ingest/spark"
	"tracereplay/internal/table"
	"tracereplay/internal/tabletest"
	"tracereplay/lineage"
)

// corpus is where the public logs are, or skips the test.
func corpus(t testing.TB) string {
	dir := os.Getenv("TRACEREPLAY_CORPUS")
	if dir == "" {
		dir = "../../../shared/corpus"
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no corpus at %s: set TRACEREPLAY_CORPUS to the folder with the public logs", dir)
	}
	return dir
}

// readTables runs a log through ingest and lineage.
func readTables(t testing.TB, path string) tabletest.Sink {
	t.Helper()
	logs, _, err := source.Resolve([]string{path}, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sink := tabletest.Sink{}
	for i, log := range logs {
		rec := ingest.NewRecorder(ingest.RecorderOptions{
			Log: int64(i), LogName: log.Name, AppID: log.AppID, AppAttempt: log.AppAttempt, Sink: sink, Listener: lineage.NewBuilder(sink),
		})
		r, err := log.Open(source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		dec := spark.NewDecoder(spark.Options{})
		for {
			b, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			var batch ingest.Batch
			dec.Decode(&batch, b.Data, log.Parts[b.Part].Name, b.Offset, b.Line, b.Seq, b.Cut)
			if err := rec.Batch(&batch); err != nil {
				t.Fatal(err)
			}
		}
		if _, err = rec.Finish(nil, r.Problems()); err != nil {
			t.Fatal(err)
		}
		r.Close()
	}
	return sink
}

// ints and texts read a column that may be null.
func optInt(r tabletest.Row, col string) table.I64 {
	n, ok := r[col].(int64)
	return table.I64{V: n, OK: ok}
}

func optText(r tabletest.Row, col string) table.Str {
	s, ok := r[col].(string)
	return table.Str{V: s, OK: ok}
}

func flag(r tabletest.Row, col string) bool {
	b, _ := r[col].(bool)
	return b
}

// logsOf picks the applications out of the rows of a log.
func logsOf(sink tabletest.Sink) []*Log {
	var out []*Log
	for _, r := range sink["app"] {
		l := &Log{
			App: r.Text("app"), Engine: r.Text("engine"), Version: r.Text("engine_version"), Settings: map[string]string{},
			Streaming: flag(r, "is_streaming"), Compacted: flag(r, "is_compacted"),
			StartMs: optInt(r, "start_ms"), EndMs: optInt(r, "end_ms"), LastMs: optInt(r, "last_ms"), Problems: int64(len(sink["problem"])),
		}
		fill(l, sink)
		out = append(out, l)
	}
	return out
}

// fill copies the rows of l.App.
func fill(l *Log, sink tabletest.Sink) {
	each := func(name string, f func(r tabletest.Row)) {
		for _, r := range sink[name] {
			if r.Text("app") == l.App {
				f(r)
			}
		}
	}
	each("setting", func(r tabletest.Row) {
		if r.Text("scope") == "spark" {
			l.Settings[r.Text("name")] = r.Text("value")
		}
	})
	each("worker", func(r tabletest.Row) {
		l.Workers = append(l.Workers, LogWorker{
			Worker: r.Text("worker"), Machine: optText(r, "machine"), Coordinator: flag(r, "is_coordinator"), Slots: optInt(r, "slots"),
			RequestMs: optInt(r, "request_ms"), AddedMs: optInt(r, "added_ms"), RemovedMs: optInt(r, "removed_ms"),
		})
	})
	each("job", func(r tabletest.Row) {
		l.Jobs = append(l.Jobs, LogJob{
			Job: r.Int("job"), SubmitMs: optInt(r, "submit_ms"), EndMs: optInt(r, "end_ms"), SubmitSeq: optInt(r, "submit_seq"), EndSeq: optInt(r, "end_seq"),
			Outcome: optText(r, "outcome"), Execution: optInt(r, "sql_execution"), RootExec: optInt(r, "root_execution"), Pool: optText(r, "pool"),
		})
	})
	each("job_stage", func(r tabletest.Row) {
		l.Listed = append(l.Listed, LogListed{Job: r.Int("job"), Stage: r.Int("stage"), Tasks: r.Int("tasks"), RDD: optInt(r, "rdd")})
	})
	each("stage", func(r tabletest.Row) {
		l.Stages = append(l.Stages, LogStage{
			Stage: r.Int("stage"), Attempt: r.Int("stage_attempt"), Job: optInt(r, "job"), Kind: optText(r, "kind"), Tasks: r.Int("tasks"),
			Partitions: optInt(r, "partitions"), SubmitMs: optInt(r, "submit_ms"), CompleteMs: optInt(r, "complete_ms"), Failure: optText(r, "failure"),
		})
	})
	fillTasks(l, each)
	fillData(l, each)
}

func fillTasks(l *Log, each func(string, func(tabletest.Row))) {
	more := map[int64]tabletest.Row{}
	each("task", func(r tabletest.Row) { more[r.Int("task")] = r })
	each("attempt", func(r tabletest.Row) {
		t := LogTask{
			Task: r.Int("task"), Stage: r.Int("stage"), Attempt: r.Int("stage_attempt"), Index: r.Int("task_index"), Partition: optInt(r, "partition"),
			Dataset: optInt(r, "dataset"), Worker: r.Text("worker"), StartMs: r.Int("start_ms"), EndMs: r.Int("end_ms"), Ended: flag(r, "is_ended"),
			Status: r.Text("status"), Speculative: flag(r, "is_speculative"), FetchWaitMs: optInt(more[r.Int("task")], "fetch_wait_ms"), WrittenBytes: optInt(more[r.Int("task")], "written_bytes"), DeserializeMs: optInt(more[r.Int("task")], "deserialize_ms"), UnpackCPUNs: optInt(more[r.Int("task")], "deserialize_cpu_ns"),
		}
		if cpu := optInt(more[r.Int("task")], "cpu_ns"); cpu.OK {
			t.CPUNs = table.Some(cpu.V + optInt(more[r.Int("task")], "deserialize_cpu_ns").V)
		}
		if by, ok := more[t.Task]["by_app"].(bool); ok {
			t.ByApp = table.Some(by)
		}
		l.Tasks = append(l.Tasks, t)
	})
}

func fillData(l *Log, each func(string, func(tabletest.Row))) {
	caches := map[int64]bool{}
	each("dataset", func(r tabletest.Row) {
		caches[r.Int("dataset")] = r.Text("kind") == "cache"
		l.Datasets = append(l.Datasets, LogDataset{
			Dataset: r.Int("dataset"), Kind: r.Text("kind"), RDD: r.Int("rdd"), Partitions: optInt(r, "partitions"),
			Replication: r.Int("replication"), Rollback: flag(r, "is_rollback"),
		})
	})
	each("input", func(r tabletest.Row) {
		l.Inputs = append(l.Inputs, LogInput{r.Int("dataset"), r.Int("input_dataset")})
	})
	each("need", func(r tabletest.Row) {
		n := LogNeed{Dataset: r.Int("dataset"), Stage: r.Int("stage"), Attempt: r.Int("stage_attempt"), ThroughCache: optInt(r, "through_cache"), IsRerun: flag(r, "is_rerun")}
		if d, ok := r["density"].(float64); ok {
			n.Density = table.Some(d)
		}
		l.Needs = append(l.Needs, n)
	})
	each("output", func(r tabletest.Row) {
		if caches[r.Int("dataset")] {
			l.Blocks = append(l.Blocks, LogBlock{r.Int("dataset"), r.Int("partition"), optInt(r, "task"), r.Int("made_ms"), r.Int("cost_ms")})
		}
	})
	each("fetch_failure", func(r tabletest.Row) {
		l.Failures = append(l.Failures, LogFailure{r.Int("task"), optText(r, "from_worker")})
	})
	workers := map[int64][]string{}
	each("removal_worker", func(r tabletest.Row) {
		workers[r.Int("removal")] = append(workers[r.Int("removal")], r.Text("worker"))
	})
	each("removal", func(r tabletest.Row) {
		l.Removals = append(l.Removals, LogRemoval{
			Removal: r.Int("removal"), Kind: r.Text("kind"), UnitKind: r.Text("unit_kind"), Unit: r.Text("unit"), GoneLowMs: optInt(r, "gone_low_ms"),
			GoneHighMs: optInt(r, "gone_high_ms"), DetectedMs: r.Int("detected_ms"), Reason: r.Text("reason"), Cause: r.Text("cause"), Workers: workers[r.Int("removal")],
		})
	})
}

// paths lists logs: files and directories, one level down.
func paths(t testing.TB, dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, filepath.Join(dir, e.Name()))
	}
	return out
}
