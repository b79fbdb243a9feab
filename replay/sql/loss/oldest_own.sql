-- Purpose: when the oldest of a unit's own counted pieces was made, over time.
-- Grain:   one row per unit, dataset, shuffle beside it, way of knowing, end and instant at which an older one comes.
-- Inputs:  loss.counted
-- Outputs: unit_no, dataset, beside; from_ms, to_ms (ms); known; made_ms (ms). At t the oldest is the least of the rows
--          with from_ms <= t < to_ms.
-- Algorithm: among pieces that go at one time, the oldest at t is the oldest of all that came by t: a running minimum.
CREATE OR REPLACE TABLE loss.oldest_own AS
WITH running AS (
    SELECT unit_no, dataset, beside, known, to_ms, from_ms, min(made_ms) OVER so_far AS made_ms, min(made_ms) OVER earlier AS last_ms
    FROM loss.counted
    WINDOW so_far AS (PARTITION BY unit_no, dataset, beside, known, to_ms ORDER BY from_ms ROWS UNBOUNDED PRECEDING),
        earlier AS (PARTITION BY unit_no, dataset, beside, known, to_ms ORDER BY from_ms ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
)
SELECT unit_no, dataset, beside, from_ms, to_ms, known, made_ms
FROM running
WHERE last_ms IS NULL OR made_ms < last_ms;
