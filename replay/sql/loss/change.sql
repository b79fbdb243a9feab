-- Purpose: everything that makes the cost of losing a unit jump.
-- Grain:   one row per jump; several at one instant; all within the unit's life. A view: a table of it would be the largest.
-- Inputs:  loss.unit, loss.flight, loss.delta_own, loss.delta_shared
-- Outputs: unit_no; at_ms (ms); tasks, start_ms: as in loss.flight; owed_ms, climb_ms, cached_ms, low_ms (slot ms): what
--          is added at most, by kind, and at least.
CREATE OR REPLACE VIEW loss.change AS
WITH banked AS (
    SELECT unit_no, at_ms, high, low, cost_ms, low_ms FROM loss.delta_own
    UNION ALL
    SELECT unit_no, at_ms, high, low, cost_ms, low_ms FROM loss.delta_shared
)
SELECT unit_no, at_ms, tasks, start_ms, 0 AS owed_ms, 0 AS climb_ms, 0 AS cached_ms, 0 AS low_ms
FROM loss.flight
UNION ALL
SELECT b.unit_no, b.at_ms, 0 AS tasks, 0 AS start_ms,
    CASE b.high WHEN 1 THEN b.cost_ms ELSE 0 END AS owed_ms,
    CASE b.high WHEN 2 THEN b.cost_ms ELSE 0 END AS climb_ms,
    CASE b.high WHEN 3 THEN b.cost_ms ELSE 0 END AS cached_ms,
    CASE WHEN b.low > 0 THEN b.low_ms ELSE 0 END AS low_ms
FROM banked b JOIN loss.unit u ON u.unit_no = b.unit_no
WHERE b.at_ms < u.to_ms;
