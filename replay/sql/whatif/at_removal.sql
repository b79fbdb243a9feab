-- Purpose: what losing units costs just before an instant.
-- Grain:   one row per unit that is alive then.
-- Inputs:  loss.unit, loss.curve
-- Parameters: $1 the kind of unit; $2 the units, a list in JSON; $3 the instant (ms).
-- Outputs: unit; recompute_ms, recompute_low_ms (slot ms): the limits from the left, so that the removal itself, which the log
--          has at that instant, is not in the world yet.
SELECT u.unit,
    c.recompute_ms + c.in_flight_tasks * ($3::BIGINT - c.instant_ms) AS recompute_ms,
    c.recompute_low_ms + c.in_flight_tasks * ($3::BIGINT - c.instant_ms) AS recompute_low_ms
FROM loss.unit u
JOIN loss.curve c ON c.unit_no = u.unit_no
WHERE u.unit_kind = $1
    AND u.unit IN (SELECT unnest(from_json($2::VARCHAR, '["VARCHAR"]')))
    AND c.instant_ms < $3::BIGINT AND $3::BIGINT <= c.until_ms
ORDER BY u.unit;
