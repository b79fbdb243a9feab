-- Purpose: what losing a unit of a kind costs on average, at instants equally far from each other.
-- Grain:   one row per instant at which such a unit is alive.
-- Inputs:  loss.unit, loss.curve, world.rules
-- Parameters: $1 the kind of unit; $2 how many instants.
-- Outputs: instant_ms (ms); units: alive then; mean_ms (slot ms).
WITH at AS (
    SELECT r.start_ms + ((2 * i.i + 1) * (r.end_ms - r.start_ms)) // (2 * $2::BIGINT) AS instant_ms FROM world.rules r CROSS JOIN range($2::BIGINT) i(i)
)
SELECT a.instant_ms, count(*) AS units, avg(c.recompute_ms + c.in_flight_tasks * (a.instant_ms - c.instant_ms)) AS mean_ms
FROM loss.curve c
JOIN loss.unit u ON u.unit_no = c.unit_no
JOIN at a ON c.instant_ms <= a.instant_ms AND a.instant_ms < c.until_ms
WHERE u.unit_kind = $1 AND NOT u.is_coordinator
GROUP BY a.instant_ms
ORDER BY a.instant_ms;
