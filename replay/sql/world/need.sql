-- Purpose: who reads a dataset, and while it is needed.
-- Grain:   one row per dataset and stage attempt that reads it.
-- Inputs:  need
-- Parameters: $1 the application.
-- Outputs: as in table need.
CREATE OR REPLACE TABLE world.need AS
SELECT dataset, stage, stage_attempt, job, through_cache, from_ms, submit_ms, last_start_ms, until_ms, is_rerun, readers,
    finished_readers, blocks_fetched, blocks_possible, density, is_dense, known
FROM need
WHERE app = $1
ORDER BY dataset, stage, stage_attempt;
