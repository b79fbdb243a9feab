-- Purpose: how the cost of a removal at a random instant is distributed.
-- Grain:   one row per kind of unit.
-- Inputs:  loss.unit, loss.curve
-- Parameters: $1, $2 the time of the run (ms).
WITH instant AS (
    SELECT $1 + (($2 - $1) * (2 * i + 1) // 2000)::BIGINT AS at_ms
    FROM (SELECT unnest(range(1000)) AS i)
),
asked AS (
    SELECT u.unit_no, u.unit_kind, i.at_ms
    FROM loss.unit u
    JOIN instant i ON i.at_ms >= u.from_ms AND i.at_ms < u.to_ms
    WHERE NOT u.is_coordinator
),
cost AS (
    SELECT a.unit_kind, (c.recompute_ms + c.in_flight_tasks * (a.at_ms - c.instant_ms))::DOUBLE AS ms
    FROM asked a
    ASOF JOIN loss.curve c ON c.unit_no = a.unit_no AND c.instant_ms <= a.at_ms
)
SELECT unit_kind, count(*) AS instants, quantile_cont(ms, [i / 100.0 FOR i IN range(101)]) AS at
FROM cost
GROUP BY unit_kind
ORDER BY unit_kind;
