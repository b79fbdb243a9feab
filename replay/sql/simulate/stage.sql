-- Purpose: the stage attempts that were submitted.
-- Grain:   one row per stage attempt.
-- Inputs:  stage
-- Parameters: $1 the application.
-- Outputs: as in table stage.
SELECT stage, stage_attempt, job, kind, tasks, partitions, submit_ms, complete_ms, failure
FROM stage
WHERE app = $1
ORDER BY stage, stage_attempt;
