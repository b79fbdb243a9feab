-- Purpose: the workers that each removal took.
-- Grain:   one row per removal and worker.
-- Inputs:  removal_worker
-- Parameters: $1 the application.
-- Outputs: removal, worker.
CREATE OR REPLACE TABLE world.taken AS
SELECT removal, worker FROM removal_worker WHERE app = $1 ORDER BY removal, worker;
