-- Purpose: what takes slots of workers, in order.
-- Grain:   one row per attempt.
-- Inputs:  world.attempt
-- Outputs: owner: the worker; name: the task; from_ms, to_ms (ms).
SELECT worker AS owner, task::VARCHAR AS name, start_ms AS from_ms, end_ms AS to_ms
FROM world.attempt
ORDER BY worker, start_ms, task;
