-- Purpose: the shuffles and cached RDDs of a world.
-- Grain:   one row per dataset.
-- Inputs:  dataset
-- Parameters: $1 the application.
-- Outputs: as in table dataset.
CREATE OR REPLACE TABLE world.dataset AS
SELECT dataset, kind, rdd, reading_rdd, ordinal, partitions, name, first_stage, replication, is_rollback, last_read_ms, known
FROM dataset
WHERE app = $1
ORDER BY dataset;
