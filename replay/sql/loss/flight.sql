-- Purpose: which attempts run on a unit, over time.
-- Grain:   one row per unit and instant at which an attempt starts or ends on it.
-- Inputs:  loss.unit, loss.unit_worker, world.attempt, world.rules
-- Outputs: unit_no; at_ms (ms); tasks: attempts that start, less those that end; start_ms: their starts added up, each
--          counted from the start of the run. At t, tasks * t - start_ms, summed up to t, is the time in flight.
CREATE OR REPLACE TABLE loss.flight AS
WITH run AS (
    SELECT u.unit_no, a.start_ms - r.start_ms AS start_ms,
        greatest(a.start_ms, u.from_ms) AS from_ms,
        least(a.end_ms, u.to_ms) AS to_ms
    FROM world.attempt a
    JOIN loss.unit_worker w ON w.worker = a.worker
    JOIN loss.unit u ON u.unit_no = w.unit_no
    CROSS JOIN world.rules r
),
event AS (
    SELECT unit_no, from_ms AS at_ms, 1 AS tasks, start_ms FROM run WHERE from_ms < to_ms
    UNION ALL
    SELECT unit_no, to_ms AS at_ms, -1 AS tasks, -start_ms FROM run WHERE from_ms < to_ms
)
SELECT unit_no, at_ms, sum(tasks)::BIGINT AS tasks, sum(start_ms)::BIGINT AS start_ms
FROM event
GROUP BY unit_no, at_ms;
