-- Purpose: the shuffles and cached RDDs of a world.
-- Grain:   one row per dataset.
-- Inputs:  world.dataset
-- Outputs: as in table dataset.
SELECT dataset, kind, rdd, partitions, replication, is_rollback
FROM world.dataset
ORDER BY dataset;
