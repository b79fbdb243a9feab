-- Purpose: what an active shuffle adds whichever unit is lost: its holes; and, where a loss in part is run again in
--          whole, all that stands too.
-- Grain:   one row per output of a shuffle and interval.
-- Inputs:  loss.hole, loss.copy, loss.crowd, loss.crowd_span
-- Outputs: dataset, output; from_ms, to_ms (ms); task, made_ms, cost_ms, bytes, known: as in loss.hole.
CREATE OR REPLACE TABLE loss.shared AS
SELECT c.dataset, c.output, c.from_ms, c.to_ms, c.task, c.made_ms, c.cost_ms, c.bytes, greatest(c.known, c.place) AS known
FROM loss.copy c ANTI JOIN loss.crowd w ON w.dataset = c.dataset AND w.partition = c.partition
WHERE c.is_rollback AND NOT c.is_cache
UNION ALL
SELECT dataset, output, from_ms, to_ms, task, made_ms, cost_ms, bytes, greatest(known, place) AS known
FROM loss.crowd_span
WHERE is_rollback AND NOT is_cache AND copies > 0
UNION ALL
SELECT dataset, output, from_ms, to_ms, task, made_ms, cost_ms, bytes, known
FROM loss.hole
WHERE NOT is_cache;
