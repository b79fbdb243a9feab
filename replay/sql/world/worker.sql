-- Purpose: the workers of a world.
-- Grain:   one row per worker, the coordinator's own store included.
-- Inputs:  worker
-- Parameters: $1 the application.
-- Outputs: as in table worker.
CREATE OR REPLACE TABLE world.worker AS
SELECT worker, machine, is_coordinator, slots, added_ms, removed_ms
FROM worker
WHERE app = $1
ORDER BY worker;
