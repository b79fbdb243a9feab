-- Purpose: how far the run was, and how much of that no single loss could undo.
-- Grain:   one row per edge of a bin.
-- Inputs:  attempt, loss.unit, loss.curve
-- Parameters: $1 the application; $2, $3 the time that the bins divide (ms); $4 how many bins; $5 the kind of units.
-- Outputs: at_ms (ms); reported, safe: shares of the run's work, that is of the slot time of first successes.
-- Algorithm: what one loss could undo is what had been reported finished of its cost: all but what is in flight.
WITH edge AS (
    SELECT $2 + ($3 - $2) * i // $4 AS at_ms
    FROM (SELECT unnest(range($4 + 1)) AS i)
),
finished AS (
    SELECT end_ms, (end_ms - start_ms)::DOUBLE AS slot_ms
    FROM attempt
    WHERE app = $1 AND status = 'success' AND NOT is_rerun AND end_ms > start_ms
),
done AS (
    SELECT end_ms, sum(sum(slot_ms)) OVER (ORDER BY end_ms) AS done_ms
    FROM finished
    GROUP BY end_ms
),
total AS (
    SELECT sum(slot_ms) AS total_ms
    FROM finished
),
asked AS (
    SELECT u.unit_no, e.at_ms
    FROM loss.unit u
    JOIN edge e ON e.at_ms >= u.from_ms AND e.at_ms < u.to_ms
    WHERE u.unit_kind = $5 AND NOT u.is_coordinator
),
risk AS (
    SELECT a.at_ms, max(c.owed_ms + c.climb_ms + c.cached_ms) AS risk_ms
    FROM asked a
    ASOF JOIN loss.curve c ON c.unit_no = a.unit_no AND c.instant_ms <= a.at_ms
    GROUP BY a.at_ms
)
SELECT e.at_ms, coalesce(d.done_ms, 0) / t.total_ms AS reported,
    greatest(coalesce(d.done_ms, 0) - coalesce(r.risk_ms, 0), 0) / t.total_ms AS safe
FROM edge e
ASOF LEFT JOIN done d ON d.end_ms <= e.at_ms
LEFT JOIN risk r ON r.at_ms = e.at_ms
CROSS JOIN total t
WHERE t.total_ms > 0
ORDER BY e.at_ms;
