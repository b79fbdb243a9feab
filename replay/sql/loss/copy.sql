-- Purpose: every residence with the output that it keeps.
-- Grain:   one row per residence that lasts.
-- Inputs:  loss.made, world.residence, world.rules
-- Outputs: holder; from_ms, to_ms (ms); place: how the residence is known, 0 to 3; and of loss.made: output, dataset,
--          partition, task, made_ms, cost_ms, bytes, nth, known, is_cache, is_rollback, is_crowded.
CREATE OR REPLACE TABLE loss.copy AS
SELECT r.holder, r.from_ms,
    least(coalesce(r.to_ms, u.end_ms), u.end_ms) AS to_ms,
    coalesce(list_position(['derived', 'inferred', 'bound'], r.known), 0)::TINYINT AS place,
    m.output, m.dataset, m.partition, m.task, m.made_ms, m.cost_ms, m.bytes, m.nth, m.known, m.is_cache, m.is_rollback, m.is_crowded
FROM world.residence r
JOIN loss.made m ON m.output = r.output
CROSS JOIN world.rules u
WHERE r.from_ms < least(coalesce(r.to_ms, u.end_ms), u.end_ms);
