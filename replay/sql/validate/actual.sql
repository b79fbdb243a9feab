-- Purpose: the pieces that did run again, each given to one removal.
-- Grain:   one row per output that was replaced by a second run.
-- Inputs:  validate.cut, validate.predicted, explain.again, output, attempt
-- Parameters: $1 the application.
-- Outputs: removal, output (the copy that was missing), dataset, partition; again_ms (slot ms): of its second runs, those that were cut off themselves left out.
-- Algorithm: a piece belongs to the removal that destroyed it, if that was predicted to bring it back; else to the first later removal, before
--   the second run, that was: holes of earlier, until then harmless losses; else to the one that destroyed it.
CREATE OR REPLACE TABLE validate.actual AS
WITH again AS (
    SELECT g.prev_output AS output, any_value(g.removal) AS destroyed_by, min(p.start_seq) AS start_seq
    FROM explain.again AS g
    JOIN explain.piece_attempt AS p ON p.task = g.task
    WHERE g.why IN ('owed', 'climb', 'unneeded', 'rollback') AND g.prev_output IS NOT NULL AND g.removal IS NOT NULL
    GROUP BY g.prev_output
),
redone AS (
    SELECT g.redo_output AS output, sum(a.end_ms - a.start_ms)::BIGINT AS again_ms
    FROM explain.again AS g
    JOIN attempt AS a ON a.app = $1 AND a.task = g.task
    WHERE g.redo_output IS NOT NULL
    GROUP BY g.redo_output
),
expected AS (
    SELECT g.output, min(c.ordinal) AS ordinal
    FROM again AS g
    JOIN validate.predicted AS p ON p.output = g.output
    JOIN validate.cut AS c ON c.removal = p.removal AND c.seq <= g.start_seq
    GROUP BY g.output
)
SELECT coalesce(c.removal, g.destroyed_by) AS removal, g.output, o.dataset, o.partition, coalesce(d.again_ms, 0)::BIGINT AS again_ms
FROM again AS g
JOIN output AS o ON o.app = $1 AND o.output = g.output
LEFT JOIN redone AS d ON d.output = g.output
LEFT JOIN expected AS e ON e.output = g.output
LEFT JOIN validate.cut AS c ON c.ordinal = e.ordinal
ORDER BY removal, o.dataset, o.partition;
