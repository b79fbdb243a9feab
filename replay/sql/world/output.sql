-- Purpose: the outputs of a world.
-- Grain:   one row per output that came into being.
-- Inputs:  output
-- Parameters: $1 the application.
-- Outputs: as in table output.
CREATE OR REPLACE TABLE world.output AS
SELECT output, dataset, partition, task, stage, stage_attempt, worker, made_ms, cost_ms, warm_ms, bytes, is_rerun, known
FROM output
WHERE app = $1
ORDER BY output;
