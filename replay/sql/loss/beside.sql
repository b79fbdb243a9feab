-- Purpose: while a cached block that would be lost stands beside a missing piece of a shuffle that the same task made:
--          when that shuffle is active, the task is counted there.
-- Grain:   one row per unit, lost interval of a block and overlapping interval in which that piece is missing.
-- Inputs:  loss.lost, loss.shared, loss.made
-- Outputs: unit_no, output: the block; lost_from_ms (ms): the start of its lost interval; beside: the shuffle;
--          from_ms, to_ms (ms).
CREATE OR REPLACE TABLE loss.beside AS
WITH block AS (
    SELECT unit_no, output, task, from_ms, to_ms FROM loss.lost WHERE is_cache AND task IS NOT NULL
),
twin AS (
    SELECT m.output, m.dataset, m.task, m.is_rollback
    FROM loss.made m SEMI JOIN block b ON b.task = m.task
    WHERE NOT m.is_cache
),
missing AS (
    SELECT l.unit_no, t.task, t.dataset, l.from_ms, l.to_ms
    FROM twin t JOIN loss.lost l ON l.output = t.output
    WHERE NOT t.is_rollback
    UNION ALL
    SELECT NULL AS unit_no, t.task, t.dataset, s.from_ms, s.to_ms
    FROM twin t JOIN loss.shared s ON s.output = t.output
)
SELECT b.unit_no, b.output, b.from_ms AS lost_from_ms, m.dataset AS beside,
    greatest(b.from_ms, m.from_ms) AS from_ms,
    least(b.to_ms, m.to_ms) AS to_ms
FROM block b
JOIN missing m ON m.task = b.task AND m.from_ms < b.to_ms AND b.from_ms < m.to_ms
WHERE m.unit_no = b.unit_no OR m.unit_no IS NULL;
