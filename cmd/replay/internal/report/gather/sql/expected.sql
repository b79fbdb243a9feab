-- Purpose: the mean cost of a removal, over units and their lives.
-- Grain:   one row per kind of unit.
-- Inputs:  loss.unit, loss.curve
SELECT u.unit_kind, count(DISTINCT u.unit_no) AS units, sum(c.until_ms - c.instant_ms)::BIGINT AS life_ms,
    sum((c.in_flight_ms + c.in_flight_tasks * (c.until_ms - c.instant_ms) / 2.0) * (c.until_ms - c.instant_ms)) / sum(c.until_ms - c.instant_ms) AS in_flight_ms,
    sum(c.owed_ms::DOUBLE * (c.until_ms - c.instant_ms)) / sum(c.until_ms - c.instant_ms) AS owed_ms,
    sum(c.climb_ms::DOUBLE * (c.until_ms - c.instant_ms)) / sum(c.until_ms - c.instant_ms) AS climb_ms,
    sum(c.cached_ms::DOUBLE * (c.until_ms - c.instant_ms)) / sum(c.until_ms - c.instant_ms) AS cached_ms,
    sum((c.recompute_low_ms + c.in_flight_tasks * (c.until_ms - c.instant_ms) / 2.0) * (c.until_ms - c.instant_ms)) / sum(c.until_ms - c.instant_ms) AS recompute_low_ms
FROM loss.curve c
JOIN loss.unit u ON u.unit_no = c.unit_no
WHERE NOT u.is_coordinator
GROUP BY u.unit_kind
ORDER BY u.unit_kind;
