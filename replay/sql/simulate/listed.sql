-- Purpose: the stages that jobs may need.
-- Grain:   one row per job and stage.
-- Inputs:  job_stage
-- Parameters: $1 the application.
-- Outputs: as in table job_stage.
SELECT job, stage, tasks, rdd
FROM job_stage
WHERE app = $1
ORDER BY job, stage;
