-- Purpose: the jobs, with the best name that the log has for each.
-- Grain:   one row per job whose time is known.
-- Inputs:  app, job, job_stage, stage
-- Parameters: $1 the application.
-- Outputs: job; name; from_ms, to_ms (ms); is_failed; is_cut: its end is not in the log.
WITH last_stage AS (
    SELECT js.job, max_by(s.name, s.stage) AS name
    FROM job_stage js
    JOIN stage s ON s.app = js.app AND s.stage = js.stage
    WHERE js.app = $1
    GROUP BY js.job
)
SELECT j.job, coalesce(j.description, j.job_group, l.name, '') AS name,
    j.submit_ms AS from_ms, greatest(coalesce(j.end_ms, a.last_ms, j.submit_ms), j.submit_ms) AS to_ms,
    coalesce(j.outcome = 'failed', false) AS is_failed, j.end_ms IS NULL AS is_cut
FROM job j
JOIN app a ON a.app = j.app
LEFT JOIN last_stage l ON l.job = j.job
WHERE j.app = $1 AND j.submit_ms IS NOT NULL
ORDER BY from_ms, j.job;
