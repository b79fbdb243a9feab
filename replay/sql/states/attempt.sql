-- Purpose: when tasks ran, and where.
-- Grain:   one row per task attempt.
-- Inputs:  attempt
-- Parameters: $1 the application; $2, $3 the first row of the table and the one behind the last.
-- Outputs: worker; start_ms, end_ms (ms).
SELECT worker, start_ms, end_ms
FROM attempt
WHERE app = $1 AND rowid >= $2 AND rowid < $3;
