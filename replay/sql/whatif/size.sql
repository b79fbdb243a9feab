-- Purpose: how wide the cluster was.
-- Grain:   one row.
-- Inputs:  world.worker, world.machine, world.rules
-- Outputs: machine_ms (ms): how long its machines were there, added up; slot_ms (ms): the same of their slots. The coordinator's
--          machine, and workers whose machine is not known, are in neither.
WITH life AS (
    SELECT w.machine, coalesce(w.slots, 1) AS slots, coalesce(w.added_ms, r.start_ms) AS from_ms,
        greatest(least(coalesce(w.removed_ms, r.end_ms), r.end_ms), coalesce(w.added_ms, r.start_ms)) AS to_ms
    FROM world.worker w
    JOIN world.machine m ON m.machine = w.machine
    CROSS JOIN world.rules r
    WHERE NOT w.is_coordinator AND NOT m.is_coordinator
),
machine AS (
    SELECT machine, max(to_ms) - min(from_ms) AS life_ms, sum(slots * (to_ms - from_ms)) AS slot_ms FROM life GROUP BY machine
)
SELECT coalesce(sum(life_ms), 0)::BIGINT AS machine_ms, coalesce(sum(slot_ms), 0)::BIGINT AS slot_ms FROM machine;
