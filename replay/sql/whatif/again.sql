-- Purpose: attempts that ran a piece again, and why.
-- Grain:   one row per such attempt.
-- Inputs:  explain.again, explain.piece_attempt
-- Parameters: $1 the application: not used, the explanation is of one.
-- Outputs: task; why: as in explain.again; removal: to blame, null none is; prev_task: the attempt of the piece before it.
CREATE OR REPLACE TABLE world.again AS
SELECT g.task, g.why, g.removal, p.prev_task
FROM explain.again g JOIN explain.piece_attempt p ON p.task = g.task
WHERE $1::VARCHAR IS NOT NULL
ORDER BY g.task;
