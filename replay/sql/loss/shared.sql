-- Purpose: what an active shuffle adds whichever unit is lost: its holes; and, where a loss in part is run again in
--          whole, all of its pieces.
-- Grain:   one row per output of a shuffle and interval.
-- Inputs:  loss.hole, loss.copy, loss.crowd, loss.crowd_span, world.rules
-- Outputs: dataset, output; from_ms, to_ms (ms); task, made_ms, cost_ms, bytes, known: as in loss.hole.
CREATE OR REPLACE TABLE loss.shared AS
WITH whole AS (
    SELECT c.dataset, c.partition, c.output, least(c.made_ms, c.from_ms) AS from_ms, u.end_ms AS to_ms, c.task, c.made_ms, c.cost_ms, c.bytes,
        greatest(c.known, c.place) AS known
    FROM loss.copy c CROSS JOIN world.rules u
    WHERE c.is_rollback AND NOT c.is_cache
)
SELECT p.dataset, p.output, p.from_ms, p.to_ms, p.task, p.made_ms, p.cost_ms, p.bytes, p.known
FROM whole p ANTI JOIN loss.crowd w ON w.dataset = p.dataset AND w.partition = p.partition
UNION ALL
SELECT dataset, output, from_ms, to_ms, task, made_ms, cost_ms, bytes, greatest(known, place) AS known
FROM loss.crowd_span
WHERE is_rollback AND NOT is_cache
UNION ALL
SELECT dataset, output, from_ms, to_ms, task, made_ms, cost_ms, bytes, known
FROM loss.hole
WHERE NOT is_rollback AND NOT is_cache;
