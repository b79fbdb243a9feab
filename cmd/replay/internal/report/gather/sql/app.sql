-- Purpose: an application and the size of its run.
-- Grain:   one row.
-- Inputs:  app, attempt, worker, job
-- Parameters: $1 the application.
-- Outputs: what the log says of it; first_ms, last_ms (ms): its first and last time; makespan_ms (ms): from the first
--          job's start to the last one's end, null if there is none; tasks, slot_ms (slot ms): of all attempts;
--          real_workers: the coordinator not counted; unplaced_workers: those whose machine is not known.
WITH work AS (
    SELECT count(*) AS tasks, coalesce(sum(greatest(end_ms - start_ms, 0)), 0)::BIGINT AS slot_ms
    FROM attempt
    WHERE app = $1
),
workers AS (
    SELECT count(*) FILTER (NOT is_coordinator) AS real_workers,
        count(*) FILTER (NOT is_coordinator AND machine IS NULL) AS unplaced_workers
    FROM worker
    WHERE app = $1
),
jobs AS (
    SELECT max(end_ms) - min(submit_ms) AS makespan_ms
    FROM job
    WHERE app = $1
)
SELECT a.app, a.name, a.engine, a.engine_version, a.user_name, a.cluster_manager, a.coordinator_machine,
    coalesce(least(a.first_ms, a.start_ms), 0) AS first_ms, coalesce(greatest(a.last_ms, a.end_ms), 0) AS last_ms,
    a.end_ms IS NOT NULL AS is_ended, a.is_streaming, a.is_compacted,
    j.makespan_ms, w.tasks, w.slot_ms, u.real_workers, u.unplaced_workers
FROM app a, work w, workers u, jobs j
WHERE a.app = $1;
