-- Purpose: how far a run was at each removal.
-- Grain:   one row per removal.
-- Inputs:  validate.cut, removal, task, attempt
-- Parameters: $1 the application.
-- Outputs: removal, unit_kind; pieces: distinct pieces of stages that had succeeded once before the cut; detected_ms (ms).
WITH pieces AS (
    SELECT p.piece_kind, p.piece_group, p.partition, min(p.end_seq) AS end_seq
    FROM explain.piece_attempt AS p
    WHERE p.status = 'success'
    GROUP BY p.piece_kind, p.piece_group, p.partition
)
SELECT c.removal, m.unit_kind, count(p.end_seq) AS pieces, m.detected_ms
FROM validate.cut AS c
JOIN removal AS m ON m.app = $1 AND m.removal = c.removal
LEFT JOIN pieces AS p ON p.end_seq < c.seq
GROUP BY c.removal, m.unit_kind, m.detected_ms
ORDER BY c.removal;
