-- Purpose: how many attempts of a stage attempt run, in all and on each unit, for those that may be interrupted.
-- Grain:   one row per stage attempt, unit (0 = all workers) and instant at which that changes.
-- Inputs:  loss.unit_worker, loss.interrupted, world.attempt, world.rules
-- Outputs: unit_no, stage, stage_attempt; at_ms (ms); tasks: that run from then on; start_ms: their starts added up, each
--          counted from the start of the run.
CREATE OR REPLACE TABLE loss.reader_step AS
WITH reader AS (
    SELECT a.stage, a.stage_attempt, a.worker, a.start_ms, a.end_ms
    FROM world.attempt a SEMI JOIN loss.interrupted i ON i.stage = a.stage AND i.stage_attempt = a.stage_attempt
    WHERE a.start_ms < a.end_ms
),
pair AS (
    SELECT DISTINCT i.unit_no, w.worker, i.stage, i.stage_attempt
    FROM loss.interrupted i JOIN loss.unit_worker w ON w.unit_no = i.unit_no
),
run AS (
    SELECT 0 AS unit_no, stage, stage_attempt, start_ms, end_ms FROM reader
    UNION ALL
    SELECT p.unit_no, a.stage, a.stage_attempt, a.start_ms, a.end_ms
    FROM reader a JOIN pair p ON p.worker = a.worker AND p.stage = a.stage AND p.stage_attempt = a.stage_attempt
),
event AS (
    SELECT x.unit_no, x.stage, x.stage_attempt, x.start_ms AS at_ms, 1 AS tasks, x.start_ms - r.start_ms AS start_ms
    FROM run x CROSS JOIN world.rules r
    UNION ALL
    SELECT x.unit_no, x.stage, x.stage_attempt, x.end_ms AS at_ms, -1 AS tasks, r.start_ms - x.start_ms AS start_ms
    FROM run x CROSS JOIN world.rules r
),
moment AS (
    SELECT unit_no, stage, stage_attempt, at_ms, sum(tasks) AS tasks, sum(start_ms) AS start_ms
    FROM event
    GROUP BY unit_no, stage, stage_attempt, at_ms
)
SELECT unit_no, stage, stage_attempt, at_ms,
    (sum(tasks) OVER so_far)::BIGINT AS tasks,
    (sum(start_ms) OVER so_far)::BIGINT AS start_ms
FROM moment
WINDOW so_far AS (PARTITION BY unit_no, stage, stage_attempt ORDER BY at_ms ROWS UNBOUNDED PRECEDING);
