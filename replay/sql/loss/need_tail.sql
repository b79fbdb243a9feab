-- Purpose: while a dataset is surely needed because a reader runs on the unit itself, after the last reader was launched.
-- Grain:   one row per unit, dataset and start of such readers.
-- Inputs:  loss.unit_worker, world.need, world.attempt
-- Outputs: unit_no, dataset; from_ms, to_ms (ms).
CREATE OR REPLACE TABLE loss.need_tail AS
WITH dense AS (
    SELECT dataset, stage, stage_attempt, from_ms, until_ms,
        greatest(submit_ms, last_start_ms, from_ms) AS low_until_ms
    FROM world.need
    WHERE is_dense
),
reader AS (
    SELECT w.unit_no, n.dataset, greatest(a.start_ms, n.low_until_ms) AS from_ms, least(a.end_ms, n.until_ms) AS to_ms
    FROM world.attempt a
    JOIN dense n ON n.stage = a.stage AND n.stage_attempt = a.stage_attempt AND (n.low_until_ms IS NULL OR a.end_ms > n.low_until_ms)
    JOIN loss.unit_worker w ON w.worker = a.worker
)
SELECT unit_no, dataset, from_ms, max(to_ms) AS to_ms
FROM reader
WHERE from_ms < to_ms
GROUP BY unit_no, dataset, from_ms;
