-- Purpose: each unit's worst instant within each batch.
-- Grain:   one row per unit and such instant; table stream.worst has one per query, run, batch and unit.
-- Inputs:  loss.curve, loss.unit, stream.batch
-- Outputs: loss.asked: unit_no, at_ms (ms). stream.worst: query, query_run, batch, unit_no, at_ms (ms): where the interval with the highest
--   supremum starts, not before the batch; the first one of equals; until_ms (ms): where it ends; supremum_ms (slot ms): just before that.
CREATE OR REPLACE TABLE stream.worst AS
SELECT
    b.query, b.query_run, b.batch, c.unit_no,
    greatest(c.instant_ms, b.start_ms) AS at_ms,
    least(c.until_ms, b.until_ms) AS until_ms,
    c.recompute_ms + c.in_flight_tasks * (least(c.until_ms, b.until_ms) - c.instant_ms) AS supremum_ms
FROM stream.batch AS b
JOIN loss.curve AS c ON c.instant_ms < b.until_ms AND b.start_ms < c.until_ms
QUALIFY row_number() OVER (
    PARTITION BY b.query, b.query_run, b.batch, c.unit_no ORDER BY supremum_ms DESC, c.instant_ms
) = 1
ORDER BY b.query, b.start_ms, b.batch, c.unit_no;
CREATE OR REPLACE TABLE loss.asked AS
SELECT DISTINCT unit_no, at_ms FROM stream.worst ORDER BY unit_no, at_ms;
