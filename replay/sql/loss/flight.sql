-- Purpose: which attempts run on a unit, over time.
-- Grain:   one row per unit, attempt and end of it that falls into the unit's life.
-- Inputs:  loss.unit, loss.unit_worker, world.attempt, world.rules
-- Outputs: unit_no; at_ms (ms); tasks: 1 where an attempt starts, -1 where it ends; start_ms (ms): its start, counted from
--          the start of the run, with the sign of tasks. Summed up to t, tasks * t - start_ms is the time in flight.
-- Algorithm: lives and runs are materialized: left to itself, DuckDB may pair every attempt with every unit.
CREATE OR REPLACE TABLE loss.flight AS
WITH life AS MATERIALIZED (
    SELECT w.worker, u.unit_no, u.from_ms, u.to_ms
    FROM loss.unit_worker w
    JOIN loss.unit u ON u.unit_no = w.unit_no
),
run AS MATERIALIZED (
    SELECT l.unit_no, a.start_ms - r.start_ms AS start_ms,
        greatest(a.start_ms, l.from_ms) AS from_ms,
        least(a.end_ms, l.to_ms) AS to_ms,
        a.end_ms < l.to_ms AS ends
    FROM world.attempt a
    JOIN life l ON l.worker = a.worker
    CROSS JOIN world.rules r
)
SELECT unit_no, from_ms AS at_ms, 1 AS tasks, start_ms FROM run WHERE from_ms < to_ms
UNION ALL
SELECT unit_no, to_ms AS at_ms, -1 AS tasks, -start_ms FROM run WHERE from_ms < to_ms AND ends;
