-- Purpose: whether streaming queries ran.
-- Grain:   one row.
-- Inputs:  job
-- Parameters: $1 the application.
-- Outputs: queries: that ran a job.
SELECT count(DISTINCT query) AS queries
FROM job
WHERE app = $1 AND query IS NOT NULL;
