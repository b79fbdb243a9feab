-- Purpose: every residence with the output that it keeps. An output that never stood anywhere was not registered by the
--          engine: it is in none of what follows.
-- Grain:   one row per residence that lasts.
-- Inputs:  world.residence, world.output, world.dataset, world.rules
-- Outputs: output, dataset, partition, task; holder; from_ms, to_ms (ms); made_ms (ms), cost_ms (slot ms), bytes (0 where
--          unknown); known, place: how output and dataset, and how the residence are known: 0 logged, 1 derived, 2 inferred,
--          3 bound; is_cache, is_rollback.
CREATE OR REPLACE TABLE loss.copy AS
SELECT o.output, o.dataset, o.partition, o.task, r.holder, r.from_ms,
    least(coalesce(r.to_ms, u.end_ms), u.end_ms) AS to_ms,
    o.made_ms, o.cost_ms, coalesce(o.bytes, 0) AS bytes,
    greatest(
        list_position(['derived', 'inferred', 'bound'], o.known),
        list_position(['derived', 'inferred', 'bound'], d.known), 0
    )::TINYINT AS known,
    coalesce(list_position(['derived', 'inferred', 'bound'], r.known), 0)::TINYINT AS place,
    d.kind = 'cache' AS is_cache, d.is_rollback
FROM world.residence r
JOIN world.output o ON o.output = r.output
JOIN world.dataset d ON d.dataset = o.dataset
CROSS JOIN world.rules u
WHERE r.from_ms < least(coalesce(r.to_ms, u.end_ms), u.end_ms);
