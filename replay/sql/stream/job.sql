-- Purpose: which batch of which run of a streaming query each job belongs to.
-- Grain:   one row per job of a streaming query.
-- Inputs:  job, streaming_query
-- Parameters: $1 the application.
-- Outputs: job, query; query_run: '' where the log does not tell; batch; submit_ms (ms).
-- Algorithm: the engine names the job group after the run. Where a program changed the group, the run is the last one that had started.
CREATE OR REPLACE TABLE stream.job AS
SELECT
    j.job, any_value(j.query) AS query, any_value(j.batch) AS batch, any_value(j.submit_ms) AS submit_ms,
    coalesce(
        any_value(j.query_run),
        any_value(q.query_run) FILTER (WHERE q.query_run = j.job_group),
        arg_max(q.query_run, q.seq) FILTER (WHERE q.start_ms <= j.submit_ms),
        arg_min(q.query_run, q.seq),
        ''
    ) AS query_run
FROM job AS j
LEFT JOIN streaming_query AS q ON q.app = j.app AND q.query = j.query
WHERE j.app = $1 AND j.query IS NOT NULL AND j.batch IS NOT NULL
GROUP BY j.job
ORDER BY j.job;
