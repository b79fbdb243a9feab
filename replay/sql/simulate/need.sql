-- Purpose: which stage attempt reads what.
-- Grain:   one row per dataset and stage attempt that reads it.
-- Inputs:  world.need
-- Outputs: as in table need.
SELECT dataset, stage, stage_attempt, through_cache, is_rerun, density
FROM world.need
ORDER BY dataset, stage, stage_attempt;
