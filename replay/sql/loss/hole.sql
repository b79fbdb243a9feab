-- Purpose: while a piece that was made before stands nowhere.
-- Grain:   one row per output (the one that was last made) and interval.
-- Inputs:  loss.made, loss.copy, loss.crowd_span, world.rules
-- Outputs: dataset, output; from_ms, to_ms (ms); is_cache, is_rollback: as in loss.made; known: 0 to 3, the worst of output,
--          dataset and residences.
CREATE OR REPLACE TABLE loss.hole AS
WITH gap AS (
    SELECT dataset, output, made_ms AS from_ms, from_ms AS to_ms, is_cache, is_rollback, greatest(known, place) AS known
    FROM loss.copy
    WHERE NOT is_crowded
    UNION ALL
    SELECT r.dataset, r.output, greatest(r.made_ms, r.to_ms) AS from_ms, u.end_ms AS to_ms, r.is_cache, r.is_rollback, greatest(r.known, r.place) AS known
    FROM loss.copy r CROSS JOIN world.rules u
    WHERE NOT r.is_crowded
    UNION ALL
    SELECT m.dataset, m.output, m.made_ms AS from_ms, u.end_ms AS to_ms, m.is_cache, m.is_rollback, m.known
    FROM loss.made m ANTI JOIN loss.copy r ON r.output = m.output CROSS JOIN world.rules u
    WHERE NOT m.is_crowded
    UNION ALL
    SELECT m.dataset, m.output, s.from_ms, s.to_ms, m.is_cache, m.is_rollback, greatest(m.known, s.place) AS known
    FROM loss.crowd_span s JOIN loss.made m ON m.output = s.output
    WHERE s.copies = 0
)
SELECT dataset, output, from_ms, to_ms, is_cache, is_rollback, known
FROM gap
WHERE from_ms < to_ms;
