-- Purpose: the way back through the rounds that a removal's re-runs took.
-- Grain:   one row per removal, dataset that ran again, and dataset that it was needed for.
-- Inputs:  explain.again, explain.piece_attempt, attempt, output, dataset, input
-- Parameters: $1 the application.
-- Outputs: removal, dataset, name; for_dataset: the dataset that it had to be there for again, null: for readers that had still to end;
--   pieces: distinct pieces that ran again; again_ms (slot ms); first_made_ms, last_made_ms (ms): when the first runs had been reported finished;
--   level: 0 = what readers waited for, 1 = what that was made from, ...
WITH RECURSIVE redone AS (
    SELECT
        g.removal, o.dataset, count(DISTINCT o.partition) AS pieces, sum(a.end_ms - a.start_ms)::BIGINT AS again_ms,
        min(o.made_ms) AS first_made_ms, max(o.made_ms) AS last_made_ms, bool_or(g.why = 'owed') AS is_owed
    FROM explain.again AS g
    JOIN attempt AS a ON a.app = $1 AND a.task = g.task
    JOIN output AS o ON o.app = $1 AND o.output = g.prev_output
    WHERE g.why IN ('owed', 'climb') AND g.removal IS NOT NULL
    GROUP BY g.removal, o.dataset
),
climbed AS (
    SELECT removal, dataset, NULL::BIGINT AS for_dataset, 0 AS level FROM redone WHERE is_owed
    UNION
    SELECT c.removal, i.input_dataset, c.dataset, c.level + 1
    FROM climbed AS c
    JOIN input AS i ON i.app = $1 AND i.dataset = c.dataset
    JOIN redone AS d ON d.removal = c.removal AND d.dataset = i.input_dataset AND NOT d.is_owed
)
SELECT c.removal, c.dataset, d.name, c.for_dataset, max(c.level)::BIGINT AS level, r.pieces, r.again_ms, r.first_made_ms, r.last_made_ms, d.app
FROM climbed AS c
JOIN redone AS r ON r.removal = c.removal AND r.dataset = c.dataset
JOIN dataset AS d ON d.app = $1 AND d.dataset = c.dataset
GROUP BY c.removal, c.dataset, d.app, d.name, c.for_dataset, r.pieces, r.again_ms, r.first_made_ms, r.last_made_ms
ORDER BY c.removal, level, c.dataset, c.for_dataset;
