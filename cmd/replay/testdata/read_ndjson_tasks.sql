-- Purpose: what DuckDB itself takes to read the task ends of an event log into a table: the same columns as table task,
--          by its own JSON reader. $1 is the log, plain.
CREATE OR REPLACE TABLE ndjson AS
SELECT
    "Task Info"."Task ID" AS task, "Stage ID" AS stage, "Stage Attempt ID" AS stage_attempt, "Task Info"."Index" AS task_index,
    "Task Info"."Attempt" AS attempt, "Task Info"."Partition ID" AS "partition", "Task Type" AS task_type,
    "Task Info"."Executor ID" AS worker, "Task Info"."Host" AS machine, "Task Info"."Locality" AS locality,
    "Task Info"."Speculative" AS is_speculative, "Task Info"."Launch Time" AS launch_ms, "Task Info"."Finish Time" AS finish_ms,
    "Task Info"."Getting Result Time" AS getting_result_ms, "Task End Reason"."Reason" AS status,
    "Task Metrics"."Executor Deserialize Time" AS deserialize_ms, "Task Metrics"."Executor Deserialize CPU Time" AS deserialize_cpu_ns,
    "Task Metrics"."Executor Run Time" AS run_ms, "Task Metrics"."Executor CPU Time" AS cpu_ns,
    "Task Metrics"."Result Serialization Time" AS result_serialize_ms, "Task Metrics"."JVM GC Time" AS gc_ms,
    "Task Metrics"."Result Size" AS result_bytes, "Task Metrics"."Peak Execution Memory" AS peak_memory_bytes,
    "Task Metrics"."Memory Bytes Spilled" AS memory_spilled_bytes, "Task Metrics"."Disk Bytes Spilled" AS disk_spilled_bytes,
    "Task Metrics"."Shuffle Read Metrics"."Fetch Wait Time" AS fetch_wait_ms,
    "Task Metrics"."Shuffle Read Metrics"."Remote Blocks Fetched" AS remote_blocks,
    "Task Metrics"."Shuffle Read Metrics"."Local Blocks Fetched" AS local_blocks,
    "Task Metrics"."Shuffle Read Metrics"."Remote Bytes Read" AS remote_read_bytes,
    "Task Metrics"."Shuffle Read Metrics"."Remote Bytes Read To Disk" AS remote_disk_bytes,
    "Task Metrics"."Shuffle Read Metrics"."Local Bytes Read" AS local_read_bytes,
    "Task Metrics"."Shuffle Read Metrics"."Total Records Read" AS read_records,
    "Task Metrics"."Shuffle Write Metrics"."Shuffle Bytes Written" AS written_bytes,
    "Task Metrics"."Shuffle Write Metrics"."Shuffle Write Time" AS write_ns,
    "Task Metrics"."Shuffle Write Metrics"."Shuffle Records Written" AS written_records,
    "Task Metrics"."Input Metrics"."Bytes Read" AS input_bytes, "Task Metrics"."Input Metrics"."Records Read" AS input_records,
    "Task Metrics"."Output Metrics"."Bytes Written" AS output_bytes, "Task Metrics"."Output Metrics"."Records Written" AS output_records
FROM read_ndjson($1, ignore_errors = true, columns = {
    'Event': 'VARCHAR', 'Stage ID': 'BIGINT', 'Stage Attempt ID': 'BIGINT', 'Task Type': 'VARCHAR',
    'Task End Reason': 'STRUCT("Reason" VARCHAR)',
    'Task Info': 'STRUCT("Task ID" BIGINT, "Index" BIGINT, "Attempt" BIGINT, "Partition ID" BIGINT, "Executor ID" VARCHAR, "Host" VARCHAR, "Locality" VARCHAR, "Speculative" BOOLEAN, "Launch Time" BIGINT, "Finish Time" BIGINT, "Getting Result Time" BIGINT)',
    'Task Metrics': 'STRUCT("Executor Deserialize Time" BIGINT, "Executor Deserialize CPU Time" BIGINT, "Executor Run Time" BIGINT, "Executor CPU Time" BIGINT, "Result Serialization Time" BIGINT, "JVM GC Time" BIGINT, "Result Size" BIGINT, "Peak Execution Memory" BIGINT, "Memory Bytes Spilled" BIGINT, "Disk Bytes Spilled" BIGINT, "Shuffle Read Metrics" STRUCT("Fetch Wait Time" BIGINT, "Remote Blocks Fetched" BIGINT, "Local Blocks Fetched" BIGINT, "Remote Bytes Read" BIGINT, "Remote Bytes Read To Disk" BIGINT, "Local Bytes Read" BIGINT, "Total Records Read" BIGINT), "Shuffle Write Metrics" STRUCT("Shuffle Bytes Written" BIGINT, "Shuffle Write Time" BIGINT, "Shuffle Records Written" BIGINT), "Input Metrics" STRUCT("Bytes Read" BIGINT, "Records Read" BIGINT), "Output Metrics" STRUCT("Bytes Written" BIGINT, "Records Written" BIGINT))'
})
WHERE Event = 'SparkListenerTaskEnd';
