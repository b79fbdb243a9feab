-- Purpose: the workers whose time is told.
-- Grain:   one row per worker that is not the coordinator.
-- Inputs:  worker
-- Parameters: $1 the application.
-- Outputs: worker; from_ms, to_ms (ms): its life, null: from the run's start, until its end. As in loss/unit.
SELECT worker, added_ms AS from_ms, removed_ms AS to_ms
FROM worker
WHERE app = $1 AND NOT is_coordinator
ORDER BY worker;
