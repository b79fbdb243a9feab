-- Purpose: the jobs of micro-batches.
-- Grain:   one row per job of a streaming query.
-- Inputs:  stream.job
-- Outputs: job, query, query_run ('' where the log does not tell), batch.
SELECT job, query, query_run, batch
FROM stream.job
ORDER BY job;
