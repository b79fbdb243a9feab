-- Purpose: the task attempts of a world.
-- Grain:   one row per task attempt that was launched.
-- Inputs:  attempt
-- Parameters: $1 the application.
-- Outputs: as in table attempt.
CREATE OR REPLACE TABLE world.attempt AS
SELECT task, job, stage, stage_attempt, task_index, partition, dataset, worker, machine, start_ms, end_ms, is_ended,
    status, is_speculative, is_rerun, warm_ms
FROM attempt
WHERE app = $1
ORDER BY task;
