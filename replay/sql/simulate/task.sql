-- Purpose: the task attempts of a world with what the simulator asks of them.
-- Grain:   one row per task attempt that was launched.
-- Inputs:  world.attempt, task
-- Parameters: $1 the application.
-- Outputs: as in tables attempt and task; cpu_ns (ns): unpacking and running; unpack_cpu_ns (ns): unpacking alone.
SELECT a.task, a.stage, a.stage_attempt, a.task_index, a.partition, a.dataset, a.worker, a.start_ms, a.end_ms, a.is_ended,
    a.status, a.is_speculative, t.deserialize_ms, t.cpu_ns + coalesce(t.deserialize_cpu_ns, 0) AS cpu_ns, t.fetch_wait_ms,
    t.written_bytes, t.by_app, t.deserialize_cpu_ns AS unpack_cpu_ns
FROM world.attempt a
LEFT JOIN task t ON t.app = $1 AND t.task = a.task
ORDER BY a.task;
