-- Purpose: what ties jobs to other things, for the log of a simulated run.
-- Grain:   one row per job.
-- Inputs:  job
-- Parameters: $1 the application.
-- Outputs: as in table job.
SELECT job, sql_execution, root_execution, pool, job_group, description
FROM job
WHERE app = $1
ORDER BY job;
