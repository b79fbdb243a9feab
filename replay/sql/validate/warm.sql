-- Purpose: the time of every attempt with the start-up of a fresh worker taken out.
-- Grain:   one row per attempt that ended in success.
-- Inputs:  attempt, worker
-- Parameters: $1 the application.
-- Outputs: task; run_ms (slot ms): as recorded; warm_ms (slot ms): for the first task on each slot of a worker, not more than the median of the
--   later tasks of its round, where there are three at least; else as recorded. is_first: such a first task.
CREATE OR REPLACE TABLE validate.warm AS
WITH placed AS (
    SELECT
        a.task, a.stage, a.end_ms - a.start_ms AS run_ms,
        row_number() OVER (PARTITION BY a.worker ORDER BY a.start_ms, a.task) <= coalesce(w.slots, 1) AS is_first
    FROM attempt AS a
    JOIN worker AS w ON w.app = a.app AND w.worker = a.worker
    WHERE a.app = $1 AND a.status = 'success'
),
later AS (
    SELECT stage, median(run_ms) AS run_ms FROM placed WHERE NOT is_first GROUP BY stage HAVING count(*) >= 3
)
SELECT
    p.task, p.run_ms, p.is_first,
    CASE WHEN p.is_first THEN least(p.run_ms, coalesce(l.run_ms, p.run_ms))::BIGINT ELSE p.run_ms END AS warm_ms
FROM placed AS p
LEFT JOIN later AS l ON l.stage = p.stage
ORDER BY p.task;
