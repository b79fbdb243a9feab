-- Purpose: while the engine would run lost pieces of a shuffle again that nobody needs: those of a stage attempt that
--          still runs.
-- Grain:   one row per unit, shuffle and interval in which there may be such pieces.
-- Inputs:  loss.lost_presence, loss.segment, loss.stage_run, world.output
-- Outputs: unit_no, dataset; from_ms, to_ms (ms): the shuffle is not active.
CREATE OR REPLACE TABLE loss.requeued AS
WITH maker AS (
    SELECT DISTINCT o.dataset, o.stage, o.stage_attempt
    FROM world.output o SEMI JOIN (SELECT dataset FROM world.dataset WHERE kind = 'shuffle') d ON d.dataset = o.dataset
),
making AS (
    SELECT m.dataset, min(s.from_ms) AS from_ms, max(s.to_ms) AS to_ms
    FROM maker m JOIN loss.stage_run s ON s.stage = m.stage AND s.stage_attempt = m.stage_attempt
    GROUP BY m.dataset
),
span AS (
    SELECT l.unit_no, l.dataset, greatest(l.from_ms, m.from_ms) AS from_ms, least(l.to_ms, m.to_ms) AS to_ms
    FROM loss.lost_presence l
    JOIN making m ON m.dataset = l.dataset AND m.from_ms < l.to_ms AND l.from_ms < m.to_ms
    WHERE NOT l.is_low
)
SELECT p.unit_no, p.dataset, greatest(p.from_ms, s.from_ms) AS from_ms, least(p.to_ms, s.to_ms) AS to_ms
FROM span p
LEFT JOIN loss.segment s ON s.unit_no = p.unit_no AND s.dataset = p.dataset AND s.beside = -1
    AND s.from_ms < p.to_ms AND p.from_ms < s.to_ms
WHERE coalesce(s.high, 0) = 0;
