-- Purpose: the workers of a world.
-- Grain:   one row per worker.
-- Inputs:  world.worker, worker
-- Parameters: $1 the application.
-- Outputs: as in table worker; a worker that only a policy made was never asked for.
SELECT w.worker, w.machine, w.is_coordinator, w.slots, t.request_ms, w.added_ms, w.removed_ms
FROM world.worker w
LEFT JOIN worker t ON t.app = $1 AND t.worker = w.worker
ORDER BY w.worker;
