-- Purpose: which attempts run on a unit, over time.
-- Grain:   one row per unit, attempt and end of it that falls into the unit's life.
-- Inputs:  loss.unit, loss.unit_worker, world.attempt, world.rules
-- Outputs: unit_no; at_ms (ms); tasks: 1 where an attempt starts, -1 where it ends; start_ms (ms): its start, counted from
--          the start of the run, with the sign of tasks. Summed up to t, tasks * t - start_ms is the time in flight.
CREATE OR REPLACE TABLE loss.flight AS
WITH run AS (
    SELECT u.unit_no, a.start_ms - r.start_ms AS start_ms,
        greatest(a.start_ms, u.from_ms) AS from_ms,
        least(a.end_ms, u.to_ms) AS to_ms,
        a.end_ms < u.to_ms AS ends
    FROM world.attempt a
    JOIN loss.unit_worker w ON w.worker = a.worker
    JOIN loss.unit u ON u.unit_no = w.unit_no
    CROSS JOIN world.rules r
)
SELECT unit_no, from_ms AS at_ms, 1 AS tasks, start_ms FROM run WHERE from_ms < to_ms
UNION ALL
SELECT unit_no, to_ms AS at_ms, -1 AS tasks, -start_ms FROM run WHERE from_ms < to_ms AND ends;
