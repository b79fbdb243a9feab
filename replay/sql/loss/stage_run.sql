-- Purpose: while a stage attempt runs.
-- Grain:   one row per stage attempt.
-- Inputs:  world.attempt
-- Outputs: stage, stage_attempt; from_ms, to_ms (ms): first launch, last end.
CREATE OR REPLACE TABLE loss.stage_run AS
SELECT stage, stage_attempt, min(start_ms) AS from_ms, max(end_ms) AS to_ms
FROM world.attempt
GROUP BY stage, stage_attempt;
