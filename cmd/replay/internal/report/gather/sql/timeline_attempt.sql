-- Purpose: the attempts that a timeline shows.
-- Grain:   one row per task attempt in the first places.
-- Inputs:  timeline_run
-- Parameters: $1 how many places.
-- Outputs: the columns of timeline_run.
SELECT place, worker, task, stage, stage_attempt, partition, from_ms, to_ms, what, why, removal, status
FROM timeline_run
WHERE rank < $1
ORDER BY rank, from_ms, task;
