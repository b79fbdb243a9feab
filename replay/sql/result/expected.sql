-- Purpose: what the removal of a unit at a random instant of its life costs, exactly, and what that makes of a run.
-- Grain:   one row per kind of unit.
-- Inputs:  loss.unit, loss.curve, loss.change
-- Outputs: the columns of table expected.
-- Algorithm: over an interval of length l, with n attempts in flight and the cost c at its start, the cost has the integral
--            c l + n l^2 / 2 and its square c^2 l + c n l^2 + n^2 l^3 / 3. What jumps by v at t adds v (end - t).
WITH counted AS (
    SELECT unit_no, unit_kind, from_ms, to_ms FROM loss.unit WHERE NOT is_coordinator
),
life AS (
    SELECT unit_kind, count(*) AS units, sum(to_ms - from_ms) AS life_ms FROM counted GROUP BY unit_kind
),
total AS (
    SELECT u.unit_kind,
        sum(2 * c.recompute_ms::HUGEINT * (c.until_ms - c.instant_ms) + c.in_flight_tasks::HUGEINT * (c.until_ms - c.instant_ms) * (c.until_ms - c.instant_ms))::DOUBLE / 2 AS high,
        sum(2 * c.recompute_low_ms::HUGEINT * (c.until_ms - c.instant_ms) + c.in_flight_tasks::HUGEINT * (c.until_ms - c.instant_ms) * (c.until_ms - c.instant_ms))::DOUBLE / 2 AS low,
        sum(
            c.recompute_ms::DOUBLE * c.recompute_ms * (c.until_ms - c.instant_ms)
            + c.recompute_ms::DOUBLE * c.in_flight_tasks * (c.until_ms - c.instant_ms) * (c.until_ms - c.instant_ms)
            + c.in_flight_tasks::DOUBLE * c.in_flight_tasks * (c.until_ms - c.instant_ms) * (c.until_ms - c.instant_ms) * (c.until_ms - c.instant_ms) / 3
        ) AS square,
        max(c.supremum_ms) AS worst_ms
    FROM loss.curve c JOIN counted u ON u.unit_no = c.unit_no
    GROUP BY u.unit_kind
),
part AS (
    SELECT u.unit_kind,
        sum(c.owed_ms::HUGEINT * (u.to_ms - c.at_ms))::DOUBLE AS owed,
        sum(c.climb_ms::HUGEINT * (u.to_ms - c.at_ms))::DOUBLE AS climb,
        sum(c.cached_ms::HUGEINT * (u.to_ms - c.at_ms))::DOUBLE AS cached
    FROM loss.change c JOIN counted u ON u.unit_no = c.unit_no
    GROUP BY u.unit_kind
)
SELECT l.unit_kind, l.units, l.life_ms::BIGINT AS life_ms,
    t.high / l.life_ms AS recompute_ms,
    t.low / l.life_ms AS recompute_low_ms,
    sqrt(greatest(t.square / l.life_ms - (t.high / l.life_ms) ** 2, 0)) AS sd_recompute_ms,
    (t.high - coalesce(p.owed, 0) - coalesce(p.climb, 0) - coalesce(p.cached, 0)) / l.life_ms AS in_flight_ms,
    coalesce(p.owed, 0) / l.life_ms AS owed_ms,
    coalesce(p.climb, 0) / l.life_ms AS climb_ms,
    coalesce(p.cached, 0) / l.life_ms AS cached_ms,
    t.worst_ms,
    t.high / 3600000 AS run_recompute_ms,
    t.low / 3600000 AS run_recompute_low_ms,
    t.square / 3600000 AS run_variance_ms2
FROM life l
JOIN total t ON t.unit_kind = l.unit_kind
LEFT JOIN part p ON p.unit_kind = l.unit_kind
ORDER BY l.unit_kind;
