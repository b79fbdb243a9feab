-- Purpose: the worst that losing a unit costs within each bin of time.
-- Grain:   one row per unit and bin in which it is alive.
-- Inputs:  loss.unit, loss.curve
-- Parameters: $1, $2 the time that the bins divide (ms); $3 how many bins; $4 the kind of units; $5 one of them, empty for all.
WITH bin AS (
    SELECT unnest(range($3)) AS bin
),
edge AS (
    SELECT bin, $1 + ($2 - $1) * bin // $3 AS from_ms, $1 + ($2 - $1) * (bin + 1) // $3 AS to_ms
    FROM bin
),
piece AS (
    SELECT c.unit_no, e.bin, greatest(c.instant_ms, e.from_ms) AS at_ms, least(c.until_ms, e.to_ms) - c.instant_ms AS into_ms,
        c.in_flight_tasks, c.in_flight_ms, c.owed_ms, c.climb_ms, c.cached_ms, c.recompute_low_ms, c.recompute_ms
    FROM loss.curve c
    JOIN edge e ON c.instant_ms < e.to_ms AND c.until_ms > e.from_ms
),
best AS (
    SELECT unit_no, bin,
        arg_max({'at_ms': at_ms, 'in_flight_ms': in_flight_ms + in_flight_tasks * into_ms, 'owed_ms': owed_ms, 'climb_ms': climb_ms,
            'cached_ms': cached_ms, 'low_ms': recompute_low_ms + in_flight_tasks * into_ms}, recompute_ms + in_flight_tasks * into_ms) AS v
    FROM piece
    GROUP BY unit_no, bin
)
SELECT u.unit, b.bin, v.at_ms, v.in_flight_ms::DOUBLE AS in_flight_ms, v.owed_ms::DOUBLE AS owed_ms, v.climb_ms::DOUBLE AS climb_ms,
    v.cached_ms::DOUBLE AS cached_ms, v.low_ms::DOUBLE AS recompute_low_ms
FROM best b
JOIN loss.unit u ON u.unit_no = b.unit_no
WHERE u.unit_kind = $4 AND (u.unit = $5 OR $5 = '') AND NOT u.is_coordinator
ORDER BY u.unit, b.bin;
