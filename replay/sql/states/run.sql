-- Purpose: when an application ran.
-- Grain:   one row.
-- Inputs:  app
-- Parameters: $1 the application.
-- Outputs: start_ms, end_ms (ms): as in world/rules.
SELECT coalesce(least(first_ms, start_ms), 0) AS start_ms, coalesce(greatest(last_ms, end_ms), 0) AS end_ms
FROM app
WHERE app = $1;
