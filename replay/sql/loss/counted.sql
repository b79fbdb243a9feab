-- Purpose: what a removal may add, while its dataset is active: pieces of shuffles, and cached blocks, these split by
--          whether a shuffle beside them would count their task already.
-- Grain:   one row per unit, output and interval.
-- Inputs:  loss.lost, loss.beside
-- Empty if: loss.lost
-- Outputs: unit_no, dataset, output; beside: shuffle that must not be active for it to count, -1 none;
--          from_ms, to_ms (ms); is_final, made_ms, cost_ms, bytes, known, is_sure: as in loss.lost.
CREATE OR REPLACE TABLE loss.counted AS
WITH gap AS (
    SELECT unit_no, output, lost_from_ms,
        lag(to_ms, 1, lost_from_ms) OVER (PARTITION BY unit_no, output, lost_from_ms ORDER BY from_ms) AS from_ms,
        from_ms AS to_ms
    FROM loss.beside
    UNION ALL
    SELECT unit_no, output, lost_from_ms, max(to_ms) AS from_ms, any_value(lost_to_ms) AS to_ms
    FROM loss.beside
    GROUP BY unit_no, output, lost_from_ms
),
split AS (
    SELECT unit_no, output, lost_from_ms, beside, from_ms, to_ms FROM loss.beside
    UNION ALL
    SELECT unit_no, output, lost_from_ms, -1 AS beside, from_ms, to_ms FROM gap WHERE from_ms < to_ms
),
block AS (
    SELECT unit_no, dataset, output, from_ms, to_ms, is_final, made_ms, cost_ms, bytes, known, is_sure
    FROM loss.lost
    WHERE is_cache
)
SELECT unit_no, dataset, output, -1 AS beside, from_ms, to_ms, is_final, made_ms, cost_ms, bytes, known, is_sure
FROM loss.lost
WHERE NOT is_cache AND NOT is_rollback
UNION ALL
SELECT l.unit_no, l.dataset, l.output, -1 AS beside, l.from_ms, l.to_ms, l.is_final, l.made_ms, l.cost_ms, l.bytes, l.known, l.is_sure
FROM block l
ANTI JOIN loss.beside b ON b.unit_no = l.unit_no AND b.output = l.output AND b.lost_from_ms = l.from_ms
UNION ALL
SELECT l.unit_no, l.dataset, l.output, s.beside, s.from_ms, s.to_ms, l.is_final AND s.to_ms = l.to_ms AS is_final, l.made_ms, l.cost_ms, l.bytes, l.known, l.is_sure
FROM split s
JOIN block l ON l.unit_no = s.unit_no AND l.output = s.output AND l.from_ms = s.lost_from_ms;
