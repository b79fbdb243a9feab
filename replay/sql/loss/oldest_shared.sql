-- Purpose: when the oldest of the pieces that an active shuffle adds for all units was made, over time.
-- Grain:   one row per dataset, way of knowing, end and instant at which an older one comes.
-- Inputs:  loss.shared_free
-- Outputs: dataset; from_ms, to_ms (ms); known; made_ms (ms): as in loss.oldest_own.
-- Algorithm: as oldest_own.
CREATE OR REPLACE TABLE loss.oldest_shared AS
WITH running AS (
    SELECT dataset, known, to_ms, from_ms, min(made_ms) OVER so_far AS made_ms, min(made_ms) OVER earlier AS last_ms
    FROM loss.shared_free
    WINDOW so_far AS (PARTITION BY dataset, known, to_ms ORDER BY from_ms ROWS UNBOUNDED PRECEDING),
        earlier AS (PARTITION BY dataset, known, to_ms ORDER BY from_ms ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
)
SELECT dataset, from_ms, to_ms, known, made_ms
FROM running
WHERE last_ms IS NULL OR made_ms < last_ms;
