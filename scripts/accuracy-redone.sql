-- Purpose: the slot time of a lab run's main phase, for scripts/accuracy-redone.
-- Grain:   totals and redone one row; first one row per piece.
-- Inputs:  attempt, worker, removal, removal_cost, rerun_cause
-- Parameters: {main} (ms): when the main phase began; {warm}: the query of replay/sql/validate/warm.sql.
-- Outputs: raw_ms, warm_ms (slot ms): all attempts; redone_ms, redone_warm_ms (slot ms): what explain says; part: when and where the first success of a
--   piece ran: before (launched before the first loss was noticed), fresh (on a worker that came after it), after (elsewhere).

-- query: totals
WITH warm AS ({warm})
SELECT sum(a.end_ms - a.start_ms)::BIGINT AS raw_ms, sum(coalesce(w.warm_ms, a.end_ms - a.start_ms))::BIGINT AS warm_ms, count(*) AS attempts
FROM attempt AS a
LEFT JOIN warm AS w ON w.task = a.task
WHERE a.start_ms >= {main}

-- query: redone
WITH warm AS ({warm})
SELECT
    (SELECT coalesce(sum(rerun_ms), 0) FROM removal_cost) AS redone_ms,
    (SELECT coalesce(sum(in_flight_ms), 0) FROM removal_cost) AS in_flight_ms,
    (SELECT coalesce(sum(interrupted_ms), 0) FROM removal_cost) AS interrupted_ms,
    (SELECT coalesce(sum(rerun_ms), 0) FROM removal_cost) - coalesce(sum(w.run_ms - w.warm_ms), 0) AS redone_warm_ms
FROM rerun_cause AS r
JOIN warm AS w ON w.task = r.rerun_task
WHERE r.why IN ('owed', 'climb', 'unneeded', 'duplicate', 'rollback')

-- query: first
WITH lost AS (
    SELECT min(detected_ms) AS ms FROM removal
)
SELECT
    CASE WHEN a.dataset IS NULL THEN 'result' ELSE 'map' END AS kind, coalesce(a.dataset, a.stage) AS of, a.partition, a.end_ms - a.start_ms AS raw_ms,
    CASE WHEN lost.ms IS NULL OR a.start_ms < lost.ms THEN 'before' WHEN w.added_ms >= lost.ms - 1000 THEN 'fresh' ELSE 'after' END AS part
FROM attempt AS a
JOIN worker AS w ON w.app = a.app AND w.worker = a.worker
CROSS JOIN lost
WHERE a.start_ms >= {main} AND a.status = 'success'
QUALIFY row_number() OVER (PARTITION BY kind, of, a.partition ORDER BY a.end_ms, a.task) = 1
