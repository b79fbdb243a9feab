package lineage_test

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"tracereplay/internal/tabletest"
)

// csvRows reads a peer's csv, by column. Some end in blanks or empty lines.
func csvRows(t *testing.T, path string) []map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	all, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, rec := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			if i < len(rec) {
				row[strings.TrimSpace(name)] = rec[i]
			}
		}
		if _, err := strconv.Atoi(rec[0]); err == nil { // stack traces run over several lines
			out = append(out, row)
		}
	}
	return out
}

// TestProfilersFigures compares with another profiler's tables of three runs.
func TestProfilersFigures(t *testing.T) {
	golden := filepath.Join(corpus(t), "golden")
	for _, c := range []struct{ dir, log string }{
		{"01", "01-rapids-exec-lost-fetchfailed.zstd"},
		{"10", "10-exec-crashloop-47removed.zstd"},
		{"28", "28-task-job-failure-spec-24exec.zstd"},
	} {
		t.Run(c.dir, func(t *testing.T) {
			sink, _ := read(t, filepath.Join(corpus(t), "spark", c.log))
			sameRows(t, filepath.Join(golden, c.dir, "executors_removed_eventlog_expectation.csv"), "time", workerTimes(sink, "removed_ms"), "executorId", "executorID")
			sameRows(t, filepath.Join(golden, c.dir, "removed_blockManagers_eventlog_expectation.csv"), "time", workerTimes(sink, "store_removed_ms"), "executorId", "executorID")
			sameRows(t, filepath.Join(golden, c.dir, "jobs_failure_eventlog_expectation.csv"), "", failedJobs(sink), "jobID")
			sameRows(t, filepath.Join(golden, c.dir, "stages_failure_eventlog_expectation.csv"), "numTasks", failedStages(sink), "stageId")
			sameRows(t, filepath.Join(golden, c.dir, "tasks_failure_eventlog_expectation.csv"), "attempt", failedTasks(sink), "taskId")
		})
	}
}

// sameRows compares a peer's table, as key -> value, with ours; a table that
// the peer does not give is not compared.
func sameRows(t *testing.T, path, value string, ours map[string]string, keys ...string) {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		return
	}
	theirs := map[string]string{}
	for _, r := range csvRows(t, path) {
		for _, k := range keys {
			if r[k] != "" {
				theirs[r[k]] = strings.TrimSpace(r[value])
			}
		}
	}
	name := filepath.Base(path)
	for k, v := range theirs {
		if ours[k] != v {
			t.Errorf("%s: %s is %q, here %q", name, k, v, ours[k])
		}
	}
	for k := range ours {
		if _, ok := theirs[k]; !ok {
			t.Errorf("%s: it lacks %s", name, k)
		}
	}
}

func workerTimes(s tabletest.Sink, col string) map[string]string {
	out := map[string]string{}
	for _, w := range s["worker"] {
		if w[col] != nil {
			out[w.Text("worker")] = strconv.FormatInt(w.Int(col), 10)
		}
	}
	return out
}

func failedJobs(s tabletest.Sink) map[string]string {
	out := map[string]string{}
	for _, j := range s["job"] {
		if j.Text("outcome") == "failed" {
			out[strconv.FormatInt(j.Int("job"), 10)] = ""
		}
	}
	return out
}

func failedStages(s tabletest.Sink) map[string]string {
	out := map[string]string{}
	for _, r := range s["stage"] {
		if r["failure"] != nil {
			out[strconv.FormatInt(r.Int("stage"), 10)] = strconv.FormatInt(r.Int("tasks"), 10)
		}
	}
	return out
}

// failedTasks are the attempts that ended, and not in success. The peer lists
// no Resubmitted end either: it is no end of a task.
func failedTasks(s tabletest.Sink) map[string]string {
	out := map[string]string{}
	for _, r := range s["task"] {
		if st := r.Text("status"); st != "success" && st != "running" {
			out[strconv.FormatInt(r.Int("task"), 10)] = strconv.FormatInt(r.Int("attempt"), 10)
		}
	}
	return out
}

// readJSON reads a peer's answer.
func readJSON[T any](t *testing.T, path string) T {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var v T
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestHistoryStoresFigures compares sums with another history store's dump.
func TestHistoryStoresFigures(t *testing.T) {
	golden := filepath.Join(corpus(t), "golden", "07")
	sink, _ := read(t, filepath.Join(corpus(t), "spark", "07-slim-skipped-stages"))
	type counts struct{ Num, Succeeded int64 }
	type attempt struct {
		StageID           int64 `json:"stageId"`
		ID                int64 `json:"id"`
		Started           bool
		TaskCounts        counts
		TotalTaskDuration int64
		Metrics           struct {
			ExecutorRunTime, ExecutorDeserializeTime, JVMGCTime, ResultSize int64
			InputMetrics                                                    struct{ BytesRead, RecordsRead int64 }
			ShuffleWriteMetrics                                             struct{ ShuffleBytesWritten, ShuffleRecordsWritten, ShuffleWriteTime int64 }
			ShuffleReadMetrics                                              struct{ LocalBytesRead, LocalBlocksFetched, FetchWaitTime, TotalRecordsRead int64 }
		}
	}
	ran := 0
	for _, want := range readJSON[[]attempt](t, filepath.Join(golden, "stage_attempts.json")) {
		if !want.Started {
			continue
		}
		ran++
		got := map[string]int64{}
		for _, r := range sink["task"] {
			if r.Int("stage") != want.StageID || r.Int("stage_attempt") != want.ID {
				continue
			}
			got["tasks"]++
			got["duration"] += r.Int("finish_ms") - r.Int("launch_ms")
			for _, col := range []string{
				"run_ms", "deserialize_ms", "gc_ms", "result_bytes", "input_bytes", "input_records", "written_bytes", "written_records", "write_ns",
				"local_read_bytes", "local_blocks", "fetch_wait_ms", "read_records",
			} {
				got[col] += r.Int(col)
			}
		}
		m := &want.Metrics
		for name, v := range map[string]int64{
			"tasks": want.TaskCounts.Num, "duration": want.TotalTaskDuration, "run_ms": m.ExecutorRunTime, "deserialize_ms": m.ExecutorDeserializeTime,
			"gc_ms": m.JVMGCTime, "result_bytes": m.ResultSize, "input_bytes": m.InputMetrics.BytesRead, "input_records": m.InputMetrics.RecordsRead,
			"written_bytes": m.ShuffleWriteMetrics.ShuffleBytesWritten, "written_records": m.ShuffleWriteMetrics.ShuffleRecordsWritten,
			"write_ns": m.ShuffleWriteMetrics.ShuffleWriteTime, "local_read_bytes": m.ShuffleReadMetrics.LocalBytesRead,
			"local_blocks": m.ShuffleReadMetrics.LocalBlocksFetched, "fetch_wait_ms": m.ShuffleReadMetrics.FetchWaitTime,
			"read_records": m.ShuffleReadMetrics.TotalRecordsRead,
		} {
			if got[name] != v {
				t.Errorf("stage %d: sum of %s is %d, there %d", want.StageID, name, got[name], v)
			}
		}
	}
	if ran != len(sink["stage"]) {
		t.Errorf("%d stage attempts ran, here %d", ran, len(sink["stage"]))
	}
	type rdd struct {
		ID            int64 `json:"id"`
		Name          string
		NumPartitions int64
	}
	here := map[int64]tabletest.Row{}
	for _, r := range sink["rdd"] {
		here[r.Int("rdd")] = r
	}
	for _, want := range readJSON[[]rdd](t, filepath.Join(golden, "rdds.json")) {
		if r := here[want.ID]; r.Text("name") != want.Name || r.Int("partitions") != want.NumPartitions {
			t.Errorf("rdd %d: %s with %d partitions, there %s with %d", want.ID, r.Text("name"), r.Int("partitions"), want.Name, want.NumPartitions)
		}
	}
	// Skipped stages' shuffles are keyed to the stage that made them.
	for _, d := range sink["dataset"] {
		if d.Text("kind") == "shuffle" && d["first_stage"] == nil {
			t.Errorf("shuffle %d was never made: a skipped stage's shuffle stands apart from the one that made it", d.Int("dataset"))
		}
	}
}

// TestHistoryServersAnswers compares with the REST answers of Spark's own
// history server. It counts a Resubmitted end as failed; there is none here.
func TestHistoryServersAnswers(t *testing.T) {
	golden := filepath.Join(corpus(t), "golden", "25")
	sink, _ := read(t, filepath.Join(corpus(t), "spark", "25-spark1.2-no-version"))
	type stage struct {
		StageID                       int64 `json:"stageId"`
		AttemptID                     int64 `json:"attemptId"`
		NumTasks, NumFailedTasks      int64
		NumCompleteTasks              int64
		ExecutorRunTime               int64
		InputBytes, ShuffleWriteBytes int64
		Status                        string
	}
	for _, want := range readJSON[[]stage](t, filepath.Join(golden, "stage_list_json_expectation.json")) {
		var done, failed, run, input, written int64
		for _, r := range sink["task"] {
			if r.Int("stage") != want.StageID || r.Int("stage_attempt") != want.AttemptID {
				continue
			}
			if r.Text("status") == "success" {
				done++
			} else {
				failed++
			}
			run, input, written = run+r.Int("run_ms"), input+r.Int("input_bytes"), written+r.Int("written_bytes")
		}
		got := stage{want.StageID, want.AttemptID, want.NumTasks, failed, done, run, input, written, want.Status}
		if got != want {
			t.Errorf("stage %d: %+v, there %+v", want.StageID, got, want)
		}
	}
	type job struct {
		JobID    int64 `json:"jobId"`
		NumTasks int64
		Status   string
	}
	outcomes := map[int64]string{}
	for _, r := range sink["job"] {
		outcomes[r.Int("job")] = strings.ToUpper(r.Text("outcome"))
	}
	for _, want := range readJSON[[]job](t, filepath.Join(golden, "job_list_json_expectation.json")) {
		if outcomes[want.JobID] != want.Status {
			t.Errorf("job %d %s, there %s", want.JobID, outcomes[want.JobID], want.Status)
		}
	}
}
