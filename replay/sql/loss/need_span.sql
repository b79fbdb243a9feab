-- Purpose: while a dataset is needed, whatever is lost.
-- Grain:   one row per dataset, bound and interval; the intervals of a key neither overlap nor touch.
-- Inputs:  world.need, world.rules
-- Outputs: dataset; is_low: surely needed, apart from what need_tail adds; from_ms, to_ms (ms).
-- Algorithm: each need gives an interval for each bound; then gaps and islands.
CREATE OR REPLACE TABLE loss.need_span AS
WITH bounded AS (
    SELECT n.dataset, false AS is_low, coalesce(n.from_ms, r.start_ms) AS from_ms, n.until_ms AS to_ms
    FROM world.need n CROSS JOIN world.rules r
    UNION ALL
    SELECT n.dataset, true AS is_low, coalesce(n.from_ms, r.start_ms) AS from_ms,
        least(n.until_ms, greatest(n.submit_ms, CASE WHEN n.is_dense THEN n.last_start_ms END)) AS to_ms
    FROM world.need n CROSS JOIN world.rules r
    WHERE n.submit_ms IS NOT NULL OR (n.is_dense AND n.last_start_ms IS NOT NULL)
),
by_start AS (
    SELECT dataset, is_low, from_ms, max(to_ms) AS to_ms
    FROM bounded
    WHERE from_ms < to_ms
    GROUP BY dataset, is_low, from_ms
),
ahead AS (
    SELECT dataset, is_low, from_ms, to_ms,
        coalesce(from_ms > max(to_ms) OVER (
            PARTITION BY dataset, is_low ORDER BY from_ms ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), true) AS is_new
    FROM by_start
),
island AS (
    SELECT dataset, is_low, from_ms, to_ms,
        count(*) FILTER (WHERE is_new) OVER (PARTITION BY dataset, is_low ORDER BY from_ms ROWS UNBOUNDED PRECEDING) AS island
    FROM ahead
)
SELECT dataset, is_low, min(from_ms) AS from_ms, max(to_ms) AS to_ms
FROM island
GROUP BY dataset, is_low, island;
