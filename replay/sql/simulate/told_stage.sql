-- Purpose: the stages by what they compute, for the log of a simulated run.
-- Grain:   one row per stage that a job lists or that ran.
-- Inputs:  stage, job_stage
-- Parameters: $1 the application.
-- Outputs: stage; name: empty if it never ran; tasks: of the whole stage; resource_profile.
WITH ran AS (
    SELECT stage, any_value(name) AS name, max(tasks) AS tasks, any_value(resource_profile) AS resource_profile
    FROM stage WHERE app = $1 GROUP BY stage
),
listed AS (
    SELECT stage, max(tasks) AS tasks FROM job_stage WHERE app = $1 GROUP BY stage
)
SELECT coalesce(r.stage, l.stage) AS stage, coalesce(r.name, '') AS name, greatest(coalesce(r.tasks, 0), coalesce(l.tasks, 0)) AS tasks,
    r.resource_profile
FROM ran r
FULL JOIN listed l ON l.stage = r.stage
ORDER BY stage;
