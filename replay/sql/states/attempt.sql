-- Purpose: when tasks ran, and where.
-- Grain:   one row per task attempt.
-- Inputs:  attempt
-- Parameters: $1 the application; $2, $3 the first task attempt and the last.
-- Outputs: worker; start_ms, end_ms (ms).
SELECT worker, start_ms, end_ms
FROM attempt
WHERE app = $1 AND task BETWEEN $2 AND $3;
