package ingest

import "tracereplay/internal/table"

const noMetrics = "the log has no metrics for this attempt, or its version does not write this one"

// metric declares a column of the task table that comes from the metrics.
func metric(name, unit, source, doc string, get func(*Metrics) table.I64) table.Col[TaskRow] {
	return table.OptInt(name, unit, source, doc, noMetrics, func(r *TaskRow) table.I64 { return get(&r.M) })
}

// Tasks declares table task.
var Tasks = table.New[TaskRow](table.Meta{
	Name: "task", Layer: layer, Grain: "one row per task attempt that was launched", Key: []string{"app", "task"}, Order: []string{"app", "end_seq (null last)", "task"},
	Doc: "Every attempt, successful or not. What the log says; which partition an attempt stood for when the log does not tell, and which shuffle it wrote, is in table attempt.",
},
	table.Text("app", "", "application", func(r *TaskRow) string { return r.App }),
	table.Int("task", "", "Task ID", "unique in the application", func(r *TaskRow) int64 { return r.Task }),
	table.Int("stage", "", "Stage ID", "stage", func(r *TaskRow) int64 { return r.Stage }),
	table.Int("stage_attempt", "", "Stage Attempt ID", "attempt of the stage", func(r *TaskRow) int64 { return r.StageAttempt }),
	table.Int("task_index", "", "Index", "position in the attempt's task set; not the partition when the attempt ran a part of the stage", func(r *TaskRow) int64 { return r.Index }),
	table.Int("attempt", "", "Attempt", "attempt of the index, from 0", func(r *TaskRow) int64 { return r.Attempt }),
	table.OptInt("partition", "", "Partition ID", "partition of the stage", "before Spark 3.3", func(r *TaskRow) table.I64 { return r.Partition }),
	table.OptText("task_type", "Task Type", "ShuffleMapTask or ResultTask", "it never ended", func(r *TaskRow) table.Str { return table.NonEmpty(r.TaskType) }),
	table.Text("worker", "Executor ID", "worker", func(r *TaskRow) string { return r.Worker }),
	table.OptText("machine", "Host, or --machines", "machine", "see table worker", func(r *TaskRow) table.Str { return r.Machine }),
	table.Text("locality", "Locality", "PROCESS_LOCAL, NODE_LOCAL, NO_PREF, RACK_LOCAL or ANY", func(r *TaskRow) string { return r.Locality }),
	table.Bool("is_speculative", "Speculative", "a copy of a slow attempt", func(r *TaskRow) bool { return r.Speculative }),
	table.Int("launch_ms", "ms", "Launch Time", "launched", func(r *TaskRow) int64 { return r.LaunchMs }),
	table.OptInt("finish_ms", "ms", "Finish Time", "ended", "never ended, as far as the log goes", func(r *TaskRow) table.I64 { return r.FinishMs }),
	table.Text("status", "Task End Reason", "success, fetch_failed, worker_lost, failed, killed, commit_denied, result_lost, unknown, or running (no end in the log)", func(r *TaskRow) string { return string(r.Status) }),
	table.OptText("reason", "Task End Reason", "the failure in the log's words, first line", "success, or running", func(r *TaskRow) table.Str { return table.NonEmpty(r.Reason) }),
	table.OptBool("by_app", "Exit Caused By App", "the worker's loss counts as the task's failure", "the worker was not lost", func(r *TaskRow) table.Opt[bool] { return r.ByApp }),
	table.OptInt("start_seq", "", "", "line of the launch", "the launch is not in the log", func(r *TaskRow) table.I64 { return r.StartSeq }),
	table.OptInt("end_seq", "", "", "line of the end", "never ended", func(r *TaskRow) table.I64 { return r.EndSeq }),
	metric("deserialize_ms", "ms", "Executor Deserialize Time", "time to unpack the task", func(m *Metrics) table.I64 { return m.DeserializeMs }),
	metric("deserialize_cpu_ns", "ns", "Executor Deserialize CPU Time", "CPU time of it", func(m *Metrics) table.I64 { return m.DeserializeCPUNs }),
	metric("run_ms", "ms", "Executor Run Time", "time on the worker", func(m *Metrics) table.I64 { return m.RunMs }),
	metric("cpu_ns", "ns", "Executor CPU Time", "CPU time of it", func(m *Metrics) table.I64 { return m.CPUNs }),
	metric("result_serialize_ms", "ms", "Result Serialization Time", "time to pack the result", func(m *Metrics) table.I64 { return m.ResultSerializeMs }),
	table.OptInt("result_fetch_ms", "ms", "Getting Result Time", "time to bring a large result to the coordinator", "the result came with the end, or no end", func(r *TaskRow) table.I64 {
		if !r.GettingResultMs.OK || r.GettingResultMs.V <= 0 || !r.FinishMs.OK {
			return table.I64{}
		}
		return table.Some(r.FinishMs.V - r.GettingResultMs.V)
	}),
	table.OptInt("wait_ms", "ms", "finish - launch - run - deserialise - result - fetch of the result", "scheduling and start-up overhead", noMetrics, taskWait),
	metric("gc_ms", "ms", "JVM GC Time", "garbage collection of the worker meanwhile", func(m *Metrics) table.I64 { return m.GCMs }),
	metric("result_bytes", "bytes", "Result Size", "result", func(m *Metrics) table.I64 { return m.ResultBytes }),
	metric("peak_memory_bytes", "bytes", "Peak Execution Memory", "peak of execution memory", func(m *Metrics) table.I64 { return m.PeakMemoryBytes }),
	metric("memory_spilled_bytes", "bytes", "Memory Bytes Spilled", "spilled, size in memory", func(m *Metrics) table.I64 { return m.MemorySpilledBytes }),
	metric("disk_spilled_bytes", "bytes", "Disk Bytes Spilled", "spilled, size on disk", func(m *Metrics) table.I64 { return m.DiskSpilledBytes }),
	metric("fetch_wait_ms", "ms", "Fetch Wait Time", "waiting for shuffle blocks", func(m *Metrics) table.I64 { return m.FetchWaitMs }),
	metric("remote_blocks", "", "Remote Blocks Fetched", "shuffle blocks fetched from other workers, merged ones included", func(m *Metrics) table.I64 { return m.RemoteBlocks }),
	metric("local_blocks", "", "Local Blocks Fetched", "shuffle blocks read on the spot, merged ones included", func(m *Metrics) table.I64 { return m.LocalBlocks }),
	metric("remote_read_bytes", "bytes", "Remote Bytes Read", "shuffle bytes fetched", func(m *Metrics) table.I64 { return m.RemoteReadBytes }),
	metric("remote_disk_bytes", "bytes", "Remote Bytes Read To Disk", "of those, straight to disk", func(m *Metrics) table.I64 { return m.RemoteToDiskBytes }),
	metric("local_read_bytes", "bytes", "Local Bytes Read", "shuffle bytes read on the spot", func(m *Metrics) table.I64 { return m.LocalReadBytes }),
	metric("read_records", "", "Total Records Read", "shuffle records read", func(m *Metrics) table.I64 { return m.ReadRecords }),
	metric("written_bytes", "bytes", "Shuffle Bytes Written", "shuffle bytes written; per reader they are not in the log", func(m *Metrics) table.I64 { return m.WrittenBytes }),
	metric("write_ns", "ns", "Shuffle Write Time", "time to write them", func(m *Metrics) table.I64 { return m.WriteNs }),
	metric("written_records", "", "Shuffle Records Written", "shuffle records written", func(m *Metrics) table.I64 { return m.WrittenRecords }),
	metric("input_bytes", "bytes", "Input Metrics", "read from storage or cache", func(m *Metrics) table.I64 { return m.InputBytes }),
	metric("input_records", "", "Input Metrics", "records read", func(m *Metrics) table.I64 { return m.InputRecords }),
	metric("output_bytes", "bytes", "Output Metrics", "written to storage", func(m *Metrics) table.I64 { return m.OutputBytes }),
	metric("output_records", "", "Output Metrics", "records written", func(m *Metrics) table.I64 { return m.OutputRecords }),
)

// taskWait is the part of a task's time that its metrics do not explain.
func taskWait(r *TaskRow) table.I64 {
	m := &r.M
	if !r.FinishMs.OK || !m.RunMs.OK {
		return table.I64{}
	}
	w := r.FinishMs.V - r.LaunchMs - m.RunMs.V - m.DeserializeMs.Or(0) - m.ResultSerializeMs.Or(0)
	if g := r.GettingResultMs; g.OK && g.V > 0 {
		w -= r.FinishMs.V - g.V
	}
	return table.Some(max(w, 0))
}
