-- Purpose: while a unit's removal would lose at least one piece of a dataset.
-- Grain:   one row per unit, dataset, bound and interval; the intervals of a key neither overlap nor touch.
-- Inputs:  loss.lost
-- Outputs: unit_no, dataset; is_low: only pieces that count in low figures; from_ms, to_ms (ms).
-- Algorithm: intervals with one end make one interval, which leaves few; then gaps and islands.
CREATE OR REPLACE TABLE loss.lost_presence AS
WITH bounded AS (
    SELECT unit_no, dataset, false AS is_low, from_ms, to_ms FROM loss.lost
    UNION ALL
    SELECT unit_no, dataset, true AS is_low, from_ms, to_ms FROM loss.lost WHERE is_sure
),
by_end AS (
    SELECT unit_no, dataset, is_low, to_ms, min(from_ms) AS from_ms
    FROM bounded
    GROUP BY unit_no, dataset, is_low, to_ms
),
ahead AS (
    SELECT unit_no, dataset, is_low, from_ms, to_ms,
        coalesce(from_ms > max(to_ms) OVER (
            PARTITION BY unit_no, dataset, is_low ORDER BY from_ms ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), true) AS is_new
    FROM by_end
),
island AS (
    SELECT unit_no, dataset, is_low, from_ms, to_ms,
        count(*) FILTER (WHERE is_new) OVER (PARTITION BY unit_no, dataset, is_low ORDER BY from_ms ROWS UNBOUNDED PRECEDING) AS island
    FROM ahead
)
SELECT unit_no, dataset, is_low, min(from_ms) AS from_ms, max(to_ms) AS to_ms
FROM island
GROUP BY unit_no, dataset, is_low, island;
