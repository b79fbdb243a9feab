-- Purpose: while a dataset has at least one hole.
-- Grain:   one row per dataset and interval; the intervals of a dataset neither overlap nor touch.
-- Inputs:  loss.hole
-- Empty if: loss.hole
-- Outputs: dataset; from_ms, to_ms (ms).
-- Algorithm: as lost_presence.
CREATE OR REPLACE TABLE loss.hole_presence AS
WITH by_end AS (
    SELECT dataset, to_ms, min(from_ms) AS from_ms FROM loss.hole GROUP BY dataset, to_ms
),
ahead AS (
    SELECT dataset, from_ms, to_ms,
        coalesce(from_ms > max(to_ms) OVER (
            PARTITION BY dataset ORDER BY from_ms ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), true) AS is_new
    FROM by_end
),
island AS (
    SELECT dataset, from_ms, to_ms,
        count(*) FILTER (WHERE is_new) OVER (PARTITION BY dataset ORDER BY from_ms ROWS UNBOUNDED PRECEDING) AS island
    FROM ahead
)
SELECT dataset, min(from_ms) AS from_ms, max(to_ms) AS to_ms
FROM island
GROUP BY dataset, island;
