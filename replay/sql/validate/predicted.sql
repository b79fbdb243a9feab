-- Purpose: the pieces that must run again after a removal, predicted from what the log had said before it.
-- Grain:   one row per removal and piece of a shuffle.
-- Inputs:  validate.made, validate.need, validate.piece, input
-- Parameters: $1 the application.
-- Outputs: removal, output (the copy that is missing), dataset, partition, cost_ms (slot ms); is_low: surely.
-- Algorithm: start from needed datasets with missing pieces (a repair that is under way goes on); whatever these are made from is active too where it has missing pieces; then every
--   missing piece of every active shuffle.
CREATE OR REPLACE TABLE validate.predicted AS
WITH RECURSIVE active AS (
    SELECT m.removal, m.dataset, b.is_low
    FROM validate.made AS m
    JOIN validate.need AS n ON n.removal = m.removal AND n.dataset = m.dataset
    JOIN (VALUES (FALSE), (TRUE)) AS b (is_low) ON n.is_low OR NOT b.is_low
    WHERE m.lost + m.holes > 0
    UNION
    SELECT a.removal, i.input_dataset, a.is_low
    FROM active AS a
    JOIN input AS i ON i.app = $1 AND i.dataset = a.dataset
    JOIN validate.made AS m ON m.removal = a.removal AND m.dataset = i.input_dataset
    WHERE m.lost + m.holes > 0
),
bounds AS (
    SELECT removal, dataset, bool_or(is_low) AS is_low FROM active GROUP BY removal, dataset
)
SELECT b.removal, p.output, p.dataset, p.partition, p.cost_ms, b.is_low
FROM bounds AS b
JOIN validate.made AS m ON m.removal = b.removal AND m.dataset = b.dataset
JOIN validate.piece AS p ON p.removal = b.removal AND p.dataset = b.dataset AND NOT p.is_cache AND (p.is_lost OR p.is_hole OR m.is_rollback)
ORDER BY b.removal, p.dataset, p.partition;
