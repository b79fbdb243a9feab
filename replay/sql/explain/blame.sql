-- Purpose: the removal that a failed fetch tells of
-- Grain:   one row per fetch failure
-- Inputs:  fetch_failure, removal_worker, residence, output, need
-- Parameters: $1 the application.
-- Outputs: task (the reader), stage, stage_attempt, seq, removal: of the worker that should have served; where the failure names none,
--   the latest removal before it that took an output of what the stage reads; null: no removal (a live worker, a disk, a port)
CREATE OR REPLACE TABLE explain.blame AS
WITH taken AS (
    SELECT n.stage, n.stage_attempt, r.removal, min(r.end_seq) AS seq
    FROM need AS n
    JOIN output AS o ON o.app = n.app AND o.dataset = n.dataset
    JOIN residence AS r ON r.app = o.app AND r.output = o.output
    WHERE n.app = $1 AND r.removal IS NOT NULL
    GROUP BY n.stage, n.stage_attempt, r.removal
)
SELECT
    f.task, f.stage, f.stage_attempt, f.seq,
    CASE
        WHEN f.from_worker IS NOT NULL THEN any_value(w.removal)
        ELSE max_by(k.removal, k.seq)
    END AS removal
FROM fetch_failure AS f
LEFT JOIN removal_worker AS w ON w.app = f.app AND w.worker = f.from_worker
LEFT JOIN taken AS k ON f.from_worker IS NULL AND k.stage = f.stage AND k.stage_attempt = f.stage_attempt AND k.seq < f.seq
WHERE f.app = $1
GROUP BY f.task, f.stage, f.stage_attempt, f.seq, f.from_worker
ORDER BY f.seq;
