-- Purpose: every residence with the output that it keeps.
-- Grain:   one row per residence that lasts.
-- Inputs:  loss.made, world.residence, world.rules
-- Outputs: output, dataset, partition, nth, is_crowded: as in loss.made; holder; from_ms, to_ms (ms);
--          known: the residence's own, 0 to 3.
CREATE OR REPLACE TABLE loss.copy AS
SELECT m.output, m.dataset, m.partition, m.nth, m.is_crowded, r.holder, r.from_ms,
    least(coalesce(r.to_ms, u.end_ms), u.end_ms) AS to_ms,
    coalesce(list_position(['derived', 'inferred', 'bound'], r.known), 0)::TINYINT AS known
FROM world.residence r
JOIN loss.made m ON m.output = r.output
CROSS JOIN world.rules u
WHERE r.from_ms < least(coalesce(r.to_ms, u.end_ms), u.end_ms);
