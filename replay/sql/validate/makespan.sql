-- Purpose: how long a run took: last job end minus first job start.
-- Grain:   one row.
-- Inputs:  job
-- Parameters: $1 the application.
-- Outputs: makespan_ms (ms), null without a job that ended.
SELECT max(end_ms) - min(submit_ms) AS makespan_ms FROM job WHERE app = $1;
