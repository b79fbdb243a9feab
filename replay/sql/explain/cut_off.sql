-- Purpose: the attempts that ran on what a removal took when it went.
-- Grain:   one row per removal and attempt.
-- Inputs:  attempt, removal_worker
-- Parameters: $1 the application.
-- Outputs: removal, task; wasted_ms (slot ms): how long it had run, as far as the log shows: until the engine noticed.
CREATE OR REPLACE TABLE explain.cut_off AS
SELECT w.removal, a.task, greatest(a.end_ms - a.start_ms, 0) AS wasted_ms
FROM removal_worker AS w
JOIN attempt AS a ON a.app = w.app AND a.worker = w.worker
WHERE w.app = $1 AND a.start_ms <= w.removed_ms AND (a.status = 'worker_lost' OR NOT a.is_ended)
ORDER BY w.removal, a.task;
