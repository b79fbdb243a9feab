-- Purpose: while a cached block that would be lost stands beside a missing piece of a shuffle that the same task made:
--          when that shuffle is active, the task is counted there.
-- Grain:   one row per unit, lost interval of a block and overlapping interval in which that piece is missing.
-- Inputs:  loss.lost, loss.shared
-- Empty if: loss.lost
-- Outputs: unit_no, dataset, output: the block; lost_from_ms, lost_to_ms (ms): its lost interval; beside: the shuffle;
--          from_ms, to_ms (ms).
CREATE OR REPLACE TABLE loss.beside AS
WITH block AS (
    SELECT unit_no, dataset, output, task, from_ms, to_ms FROM loss.lost WHERE is_cache AND task IS NOT NULL
),
missing AS (
    SELECT unit_no, task, dataset, from_ms, to_ms
    FROM loss.lost
    WHERE NOT is_cache AND NOT is_rollback AND task IS NOT NULL
    UNION ALL
    SELECT NULL AS unit_no, task, dataset, from_ms, to_ms
    FROM loss.shared
    WHERE task IS NOT NULL
)
SELECT b.unit_no, b.dataset, b.output, b.from_ms AS lost_from_ms, b.to_ms AS lost_to_ms, m.dataset AS beside,
    greatest(b.from_ms, m.from_ms) AS from_ms,
    least(b.to_ms, m.to_ms) AS to_ms
FROM block b
JOIN missing m ON m.task = b.task AND m.from_ms < b.to_ms AND b.from_ms < m.to_ms
WHERE m.unit_no = b.unit_no OR m.unit_no IS NULL;
