-- Purpose: the mean cost of losing a unit of each kind within each bin of time.
-- Grain:   one row per kind of unit and bin in which one is alive.
-- Inputs:  loss.unit, loss.curve
-- Parameters: $1, $2 the time that the bins divide (ms); $3 how many bins.
WITH bin AS (
    SELECT unnest(range($3)) AS bin
),
edge AS (
    SELECT bin, $1 + ($2 - $1) * bin // $3 AS from_ms, $1 + ($2 - $1) * (bin + 1) // $3 AS to_ms
    FROM bin
),
piece AS (
    SELECT u.unit_kind, e.bin, (e.to_ms - e.from_ms)::DOUBLE AS bin_ms,
        (least(c.until_ms, e.to_ms) - greatest(c.instant_ms, e.from_ms))::DOUBLE AS ms,
        c.in_flight_ms + c.in_flight_tasks * ((least(c.until_ms, e.to_ms) + greatest(c.instant_ms, e.from_ms)) / 2.0 - c.instant_ms) AS in_flight_ms,
        c.owed_ms, c.climb_ms, c.cached_ms
    FROM loss.curve c
    JOIN loss.unit u ON u.unit_no = c.unit_no
    JOIN edge e ON c.instant_ms < e.to_ms AND c.until_ms > e.from_ms
    WHERE NOT u.is_coordinator
)
SELECT unit_kind, bin, sum(ms) / any_value(bin_ms) AS units, sum(in_flight_ms * ms) / sum(ms) AS in_flight_ms,
    sum(owed_ms * ms) / sum(ms) AS owed_ms, sum(climb_ms * ms) / sum(ms) AS climb_ms, sum(cached_ms * ms) / sum(ms) AS cached_ms
FROM piece
GROUP BY unit_kind, bin
ORDER BY unit_kind, bin;
