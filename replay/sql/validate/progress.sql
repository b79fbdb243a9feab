-- Purpose: how far a run was at each removal.
-- Grain:   one row per removal.
-- Inputs:  validate.cut, removal, attempt, task
-- Parameters: $1 the application.
-- Outputs: removal, unit_kind; pieces: distinct pieces of stages that had succeeded once before the cut; detected_ms (ms).
WITH pieces AS (
    SELECT min(t.end_seq) AS end_seq
    FROM attempt AS a
    JOIN task AS t ON t.app = a.app AND t.task = a.task
    WHERE a.app = $1 AND a.status = 'success'
    GROUP BY
        a.partition IS NULL, coalesce(a.dataset, -1 - a.stage), CASE WHEN a.partition IS NULL THEN a.stage_attempt END,
        CASE WHEN a.partition IS NULL THEN a.stage END, coalesce(a.partition, a.task_index)
)
SELECT c.removal, m.unit_kind, count(p.end_seq) AS pieces, m.detected_ms
FROM validate.cut AS c
JOIN removal AS m ON m.app = $1 AND m.removal = c.removal
LEFT JOIN pieces AS p ON p.end_seq < c.seq
GROUP BY c.removal, m.unit_kind, m.detected_ms
ORDER BY c.removal;
