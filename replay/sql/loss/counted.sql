-- Purpose: what a removal may add, while its dataset is active: pieces of shuffles, and cached blocks, these split by
--          whether a shuffle beside them would count their task already.
-- Grain:   one row per unit, output and interval.
-- Inputs:  loss.lost, loss.beside
-- Outputs: unit_no, dataset, output; beside: shuffle that must not be active for it to count, -1 none;
--          from_ms, to_ms (ms); made_ms, cost_ms, bytes, known, is_sure: as in loss.lost.
CREATE OR REPLACE TABLE loss.counted AS
WITH gap AS (
    SELECT unit_no, output, lost_from_ms,
        lag(to_ms, 1, lost_from_ms) OVER (PARTITION BY unit_no, output, lost_from_ms ORDER BY from_ms) AS from_ms,
        from_ms AS to_ms
    FROM loss.beside
    UNION ALL
    SELECT b.unit_no, b.output, b.lost_from_ms, max(b.to_ms) AS from_ms, any_value(l.to_ms) AS to_ms
    FROM loss.beside b
    JOIN loss.lost l ON l.unit_no = b.unit_no AND l.output = b.output AND l.from_ms = b.lost_from_ms
    GROUP BY b.unit_no, b.output, b.lost_from_ms
),
split AS (
    SELECT unit_no, output, lost_from_ms, beside, from_ms, to_ms FROM loss.beside
    UNION ALL
    SELECT unit_no, output, lost_from_ms, -1 AS beside, from_ms, to_ms FROM gap WHERE from_ms < to_ms
)
SELECT l.unit_no, l.dataset, l.output, -1 AS beside, l.from_ms, l.to_ms, l.made_ms, l.cost_ms, l.bytes, l.known, l.is_sure
FROM loss.lost l
ANTI JOIN loss.beside b ON b.unit_no = l.unit_no AND b.output = l.output AND b.lost_from_ms = l.from_ms
WHERE l.is_cache OR NOT l.is_rollback
UNION ALL
SELECT l.unit_no, l.dataset, l.output, s.beside, s.from_ms, s.to_ms, l.made_ms, l.cost_ms, l.bytes, l.known, l.is_sure
FROM split s
JOIN loss.lost l ON l.unit_no = s.unit_no AND l.output = s.output AND l.from_ms = s.lost_from_ms;
