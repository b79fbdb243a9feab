-- Purpose: the jobs.
-- Grain:   one row per job.
-- Inputs:  job
-- Parameters: $1 the application.
-- Outputs: as in table job.
SELECT job, submit_ms, end_ms, submit_seq, end_seq, outcome, sql_execution, root_execution, pool
FROM job
WHERE app = $1
ORDER BY job;
