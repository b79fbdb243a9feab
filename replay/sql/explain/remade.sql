-- Purpose: whether a piece that ran again was made again before the log ends.
-- Grain:   one row per attempt of explain.again.
-- Inputs:  explain.again, explain.piece_attempt
-- Outputs: task; is_made: it, or a later attempt of its piece, succeeded.
CREATE OR REPLACE TABLE explain.remade AS
WITH success AS (
    SELECT piece_kind, piece_group, partition, max(start_seq) AS last_seq
    FROM explain.piece_attempt
    WHERE status = 'success'
    GROUP BY piece_kind, piece_group, partition
)
SELECT g.task, coalesce(s.last_seq >= p.start_seq, FALSE) AS is_made
FROM explain.again AS g
JOIN explain.piece_attempt AS p ON p.task = g.task
LEFT JOIN success AS s ON s.piece_kind = p.piece_kind AND s.piece_group = p.piece_group AND s.partition = p.partition
ORDER BY g.task;
