-- Purpose: while a piece that was made before stands nowhere.
-- Grain:   one row per output (the one that was last made) and interval.
-- Inputs:  loss.made, loss.copy, loss.crowd_span, world.rules
-- Outputs: dataset, output; from_ms, to_ms (ms); task, made_ms, cost_ms, bytes, is_rollback: as in loss.made;
--          known: 0 to 3, the worst of output, dataset and residences.
CREATE OR REPLACE TABLE loss.hole AS
WITH plain AS (
    SELECT m.output, m.made_ms, u.end_ms, r.from_ms, r.to_ms, coalesce(r.known, 0) AS known
    FROM loss.made m
    LEFT JOIN loss.copy r ON r.output = m.output
    CROSS JOIN world.rules u
    WHERE NOT m.is_crowded
),
gap AS (
    SELECT output, made_ms AS from_ms, coalesce(from_ms, end_ms) AS to_ms, known FROM plain
    UNION ALL
    SELECT output, greatest(made_ms, to_ms) AS from_ms, end_ms AS to_ms, known FROM plain WHERE to_ms IS NOT NULL
    UNION ALL
    SELECT output, from_ms, to_ms, known FROM loss.crowd_span WHERE copies = 0
)
SELECT m.dataset, g.output, g.from_ms, g.to_ms, m.task, m.made_ms, m.cost_ms, m.bytes, m.is_rollback,
    greatest(m.known, g.known) AS known
FROM gap g JOIN loss.made m ON m.output = g.output
WHERE g.from_ms < g.to_ms;
