-- Purpose: the holders that die with a worker alone.
-- Grain:   one row per holder.
-- Inputs:  holder
-- Parameters: $1 the application.
-- Outputs: holder; worker.
SELECT holder, worker
FROM holder
WHERE app = $1 AND dies_with = 'worker' AND worker IS NOT NULL
ORDER BY holder;
