-- Purpose: parents of stages, for the log of a simulated run.
-- Grain:   one row per stage and parent.
-- Inputs:  stage_parent
-- Parameters: $1 the application.
-- Outputs: stage, parent_stage.
SELECT stage, parent_stage
FROM stage_parent
WHERE app = $1
ORDER BY stage, parent_stage;
