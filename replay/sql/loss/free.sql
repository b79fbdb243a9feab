-- Purpose: while a dataset with holes is not being made again anyway: only then does a further loss bring its holes back.
-- Grain:   one row per dataset with holes and interval; the intervals of a dataset neither overlap nor touch.
-- Inputs:  loss.active, loss.shared
-- Empty if: loss.shared
-- Outputs: dataset; from_ms, to_ms (ms): the first begins and the last ends outside the run.
-- Algorithm: the gaps between the intervals in which the dataset is active, at most, with no unit lost.
CREATE OR REPLACE TABLE loss.free AS
WITH holed AS (
    SELECT DISTINCT dataset FROM loss.shared
),
due AS (
    SELECT a.dataset, a.from_ms, a.to_ms FROM loss.active a SEMI JOIN holed h ON h.dataset = a.dataset WHERE a.unit_no = 0 AND NOT a.is_low
),
gap AS (
    SELECT dataset, lag(to_ms, 1, -9223372036854775808) OVER (PARTITION BY dataset ORDER BY from_ms) AS from_ms, from_ms AS to_ms
    FROM due
    UNION ALL
    SELECT h.dataset, coalesce(max(d.to_ms), -9223372036854775808) AS from_ms, 9223372036854775807 AS to_ms
    FROM holed h LEFT JOIN due d ON d.dataset = h.dataset
    GROUP BY h.dataset
)
SELECT dataset, from_ms, to_ms
FROM gap
WHERE from_ms < to_ms;
