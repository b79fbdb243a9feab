-- Purpose: the time and width of a run, for telling why it ended late.
-- Grain:   one row per worker that is not the coordinator.
-- Inputs:  worker, job, attempt, app
-- Parameters: $1 the application.
-- Outputs: worker, slots; from_ms, to_ms (ms): its life within the jobs' time; first_ms, last_ms (ms): first job start and last job end;
--   busy_ms (slot ms): time of all attempts on it.
WITH jobs AS (
    SELECT min(submit_ms) AS first_ms, max(coalesce(end_ms, submit_ms)) AS last_ms FROM job WHERE app = $1
),
busy AS (
    SELECT worker, sum(end_ms - start_ms)::BIGINT AS busy_ms FROM attempt WHERE app = $1 GROUP BY worker
)
SELECT
    w.worker, coalesce(w.slots, 1) AS slots,
    greatest(coalesce(w.added_ms, j.first_ms), j.first_ms) AS from_ms,
    least(coalesce(w.removed_ms, j.last_ms), j.last_ms) AS to_ms,
    j.first_ms, j.last_ms, coalesce(b.busy_ms, 0) AS busy_ms
FROM worker AS w
CROSS JOIN jobs AS j
LEFT JOIN busy AS b ON b.worker = w.worker
WHERE w.app = $1 AND NOT w.is_coordinator AND j.first_ms IS NOT NULL
ORDER BY w.worker;
