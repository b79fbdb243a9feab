-- Purpose: the live slots after each line at which a worker came or went.
-- Grain:   one row per line and worker.
-- Inputs:  worker
-- Parameters: $1 the application.
-- Outputs: step (from 1, in the order of lines; on one line those that came first), worker, seq, at_ms; slots: that came, or, below zero, that went;
--   start_up_ms (ms): from being asked for to being there, null: not known; live (slots).
CREATE OR REPLACE TABLE explain.level AS
WITH step AS (
    SELECT worker, added_seq AS seq, added_ms AS at_ms, coalesce(slots, 1) AS slots, added_ms - request_ms AS start_up_ms
    FROM worker
    WHERE app = $1 AND NOT is_coordinator AND added_seq IS NOT NULL AND added_ms IS NOT NULL
    UNION ALL
    SELECT worker, removed_seq, removed_ms, -coalesce(slots, 1), NULL
    FROM worker
    WHERE app = $1 AND NOT is_coordinator AND added_seq IS NOT NULL AND removed_seq IS NOT NULL
)
SELECT
    row_number() OVER (ORDER BY seq, slots DESC, worker) AS step, worker, seq, at_ms, slots, start_up_ms,
    (sum(slots) OVER (ORDER BY seq, slots DESC, worker ROWS UNBOUNDED PRECEDING))::BIGINT AS live
FROM step
ORDER BY step;
