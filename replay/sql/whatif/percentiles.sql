-- Purpose: how the cost of losing a unit of a kind is distributed, over units and instants equally far from each other.
-- Grain:   one row per percentile.
-- Inputs:  loss.unit, loss.curve, world.rules
-- Parameters: $1 the kind of unit; $2 how many instants.
-- Outputs: percentile: 5, 25, 50, 75, 95, 100; ms (slot ms).
WITH at AS (
    SELECT r.start_ms + ((2 * i.i + 1) * (r.end_ms - r.start_ms)) // (2 * $2::BIGINT) AS instant_ms FROM world.rules r CROSS JOIN range($2::BIGINT) i(i)
),
sample AS (
    SELECT c.recompute_ms + c.in_flight_tasks * (a.instant_ms - c.instant_ms) AS ms
    FROM loss.curve c
    JOIN loss.unit u ON u.unit_no = c.unit_no
    JOIN at a ON c.instant_ms <= a.instant_ms AND a.instant_ms < c.until_ms
    WHERE u.unit_kind = $1 AND NOT u.is_coordinator
)
SELECT p.percentile, q.ms[p.place]::BIGINT AS ms
FROM (SELECT quantile_disc(ms, [0.05, 0.25, 0.5, 0.75, 0.95, 1.0]) AS ms FROM sample) q
CROSS JOIN (VALUES (5, 1), (25, 2), (50, 3), (75, 4), (95, 5), (100, 6)) p(percentile, place)
WHERE q.ms IS NOT NULL
ORDER BY p.percentile;
