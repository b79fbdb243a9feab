-- Purpose: what an active shuffle adds whichever unit is lost, over time.
-- Grain:   one row per dataset and instant at which it changes.
-- Inputs:  loss.shared_free
-- Empty if: loss.shared_free
-- Outputs: dataset; at_ms (ms); pieces, bytes, cost_ms (slot ms): what is added at that instant;
--          before_pieces, before_bytes, before_ms: what was there just before.
CREATE OR REPLACE TABLE loss.shared_step AS
WITH event AS (
    SELECT dataset, from_ms AS at_ms, 1 AS pieces, bytes, cost_ms FROM loss.shared_free
    UNION ALL
    SELECT dataset, to_ms AS at_ms, -1 AS pieces, -bytes, -cost_ms FROM loss.shared_free
),
moment AS (
    SELECT dataset, at_ms, sum(pieces)::BIGINT AS pieces, sum(bytes)::BIGINT AS bytes, sum(cost_ms)::BIGINT AS cost_ms
    FROM event
    GROUP BY dataset, at_ms
)
SELECT dataset, at_ms, pieces, bytes, cost_ms,
    coalesce(sum(pieces) OVER earlier, 0)::BIGINT AS before_pieces,
    coalesce(sum(bytes) OVER earlier, 0)::BIGINT AS before_bytes,
    coalesce(sum(cost_ms) OVER earlier, 0)::BIGINT AS before_ms
FROM moment
WINDOW earlier AS (PARTITION BY dataset ORDER BY at_ms ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING);
