-- Purpose: how the cost of losing a unit of a kind is distributed, over units and instants equally far from each other.
-- Grain:   one row per percentile.
-- Inputs:  loss.unit, loss.curve, world.rules
-- Parameters: $1 the kind of unit; $2 how many instants.
-- Outputs: percentile: 5, 25, 50, 75, 95, 100; ms (slot ms).
-- Algorithm: instant j of n is at start + (2 j + 1) length / 2 n. An interval of the curve takes part with those that it holds, from the
--          first that is not before it to the last that is before its end: most hold none.
WITH run AS (
    SELECT start_ms, greatest(end_ms - start_ms, 1) AS length_ms FROM world.rules
),
hit AS (
    SELECT c.recompute_ms, c.in_flight_tasks, c.instant_ms, r.start_ms, r.length_ms,
        (greatest(2 * $2::BIGINT * (c.instant_ms - r.start_ms) - r.length_ms, 0) + 2 * r.length_ms - 1) // (2 * r.length_ms) AS first,
        least((greatest(2 * $2::BIGINT * (c.until_ms - r.start_ms) - r.length_ms, 0) + 2 * r.length_ms - 1) // (2 * r.length_ms), $2::BIGINT) AS next
    FROM loss.curve c
    JOIN loss.unit u ON u.unit_no = c.unit_no
    CROSS JOIN run r
    WHERE u.unit_kind = $1 AND NOT u.is_coordinator
),
placed AS (
    SELECT recompute_ms, in_flight_tasks, instant_ms, start_ms, length_ms, unnest(range(first, next)) AS nth FROM hit WHERE first < next
),
sample AS (
    SELECT start_ms + ((2 * nth + 1) * length_ms) // (2 * $2::BIGINT) AS at_ms, recompute_ms, in_flight_tasks, instant_ms AS from_ms FROM placed
)
SELECT p.percentile, q.ms[p.place]::BIGINT AS ms
FROM (SELECT quantile_disc(recompute_ms + in_flight_tasks * (at_ms - from_ms), [0.05, 0.25, 0.5, 0.75, 0.95, 1.0]) AS ms FROM sample) q
CROSS JOIN (VALUES (5, 1), (25, 2), (50, 3), (75, 4), (95, 5), (100, 6)) p(percentile, place)
WHERE q.ms IS NOT NULL
ORDER BY p.percentile;
