-- Purpose: workers whose machine is not known.
-- Grain:   one row.
-- Inputs:  worker
-- Parameters: $1 the application.
-- Outputs: workers: how many, the coordinator not counted.
SELECT count(*) AS workers
FROM worker
WHERE app = $1 AND NOT is_coordinator AND machine IS NULL;
