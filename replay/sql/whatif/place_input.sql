-- Purpose: what takes places of machines, in order.
-- Grain:   one row per worker that is not the coordinator; one whose machine is not known has it to itself.
-- Inputs:  world.worker, world.rules
-- Outputs: owner: the machine; name: the worker; from_ms, to_ms (ms).
SELECT coalesce(w.machine, 'worker:' || w.worker) AS owner, w.worker AS name, coalesce(w.added_ms, r.start_ms) AS from_ms,
    greatest(coalesce(w.removed_ms, r.end_ms), coalesce(w.added_ms, r.start_ms)) AS to_ms
FROM world.worker w CROSS JOIN world.rules r
WHERE NOT w.is_coordinator
ORDER BY owner, from_ms, name;
