-- Purpose: what an active shuffle adds whichever unit is lost: its holes; and, where a loss in part is run again in
--          whole, all of its pieces.
-- Grain:   one row per output of a shuffle and interval.
-- Inputs:  loss.hole, loss.made, loss.copy, loss.crowd_span, world.rules
-- Outputs: dataset, output; from_ms, to_ms (ms); task, made_ms, cost_ms, bytes: as in loss.made; known: as in loss.hole.
CREATE OR REPLACE TABLE loss.shared AS
WITH plain AS (
    SELECT m.output, least(m.made_ms, r.from_ms) AS from_ms, u.end_ms AS to_ms, greatest(m.known, r.place) AS known
    FROM loss.made m
    LEFT JOIN loss.copy r ON r.output = m.output
    CROSS JOIN world.rules u
    WHERE m.is_rollback AND NOT m.is_cache AND NOT m.is_crowded
),
crowded AS (
    SELECT s.output, s.from_ms, s.to_ms, greatest(m.known, s.place) AS known
    FROM loss.crowd_span s JOIN loss.made m ON m.output = s.output
    WHERE m.is_rollback AND NOT m.is_cache
),
every AS (
    SELECT output, from_ms, to_ms, known FROM plain WHERE from_ms < to_ms
    UNION ALL
    SELECT output, from_ms, to_ms, known FROM crowded
    UNION ALL
    SELECT output, from_ms, to_ms, known FROM loss.hole WHERE NOT is_rollback AND NOT is_cache
)
SELECT m.dataset, e.output, e.from_ms, e.to_ms, m.task, m.made_ms, m.cost_ms, m.bytes, e.known
FROM every e JOIN loss.made m ON m.output = e.output;
