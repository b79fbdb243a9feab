-- Purpose: what losing a unit costs, at every instant of its life.
-- Grain:   one row per unit and interval in which nothing jumps.
-- Inputs:  loss.curve, loss.unit
-- Outputs: the columns of table curve.
SELECT u.unit_kind, u.unit, u.is_coordinator, c.instant_ms, c.until_ms, c.in_flight_tasks, c.recompute_ms, c.recompute_low_ms, c.supremum_ms
FROM loss.curve c JOIN loss.unit u ON u.unit_no = c.unit_no
ORDER BY u.unit_kind, u.unit, c.instant_ms;
