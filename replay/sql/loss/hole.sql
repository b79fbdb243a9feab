-- Purpose: while a piece that was made before stands nowhere.
-- Grain:   one row per output (the one that was last made) and interval.
-- Inputs:  loss.copy, loss.crowd, loss.crowd_span, world.rules
-- Outputs: dataset, output; from_ms, to_ms (ms); task, made_ms, cost_ms, bytes, is_cache, is_rollback: as in loss.copy;
--          known: 0 to 3, the worst of output, dataset and residences.
CREATE OR REPLACE TABLE loss.hole AS
WITH gap AS (
    SELECT dataset, partition, output, made_ms AS from_ms, from_ms AS to_ms, task, made_ms, cost_ms, bytes, is_cache, is_rollback, known, place
    FROM loss.copy
    WHERE made_ms < from_ms
    UNION ALL
    SELECT c.dataset, c.partition, c.output, greatest(c.made_ms, c.to_ms) AS from_ms, u.end_ms AS to_ms, c.task, c.made_ms, c.cost_ms, c.bytes, c.is_cache,
        c.is_rollback, c.known, c.place
    FROM loss.copy c CROSS JOIN world.rules u
    WHERE greatest(c.made_ms, c.to_ms) < u.end_ms
)
SELECT g.dataset, g.output, g.from_ms, g.to_ms, g.task, g.made_ms, g.cost_ms, g.bytes, g.is_cache, g.is_rollback, greatest(g.known, g.place) AS known
FROM gap g ANTI JOIN loss.crowd w ON w.dataset = g.dataset AND w.partition = g.partition
UNION ALL
SELECT dataset, output, from_ms, to_ms, task, made_ms, cost_ms, bytes, is_cache, is_rollback, greatest(known, place) AS known
FROM loss.crowd_span
WHERE copies = 0;
