-- Purpose: what the average unit and the worst would lose, over time, by kind of loss.
-- Grain:   one row per instant asked for at which a unit is alive.
-- Inputs:  loss.sum_at, loss.unit, world.rules
-- Outputs: the columns of table banked.
WITH part AS (
    SELECT s.at_ms, u.unit, s.tasks * (s.at_ms - r.start_ms) - s.start_ms AS in_flight_ms, s.owed_ms, s.climb_ms, s.cached_ms,
        s.owed_low_ms + s.climb_low_ms + s.cached_low_ms AS banked_low_ms
    FROM loss.sum_at s
    JOIN loss.unit u ON u.unit_no = s.unit_no
    CROSS JOIN world.rules r
    WHERE NOT u.is_coordinator
),
ranked AS (
    SELECT at_ms, unit, in_flight_ms, owed_ms, climb_ms, cached_ms, banked_low_ms,
        row_number() OVER (PARTITION BY at_ms ORDER BY in_flight_ms + owed_ms + climb_ms + cached_ms DESC, unit) AS place
    FROM part
)
SELECT at_ms AS instant_ms, count(*) AS units,
    avg(in_flight_ms) AS mean_in_flight_ms, avg(owed_ms) AS mean_owed_ms, avg(climb_ms) AS mean_climb_ms, avg(cached_ms) AS mean_cached_ms,
    avg(in_flight_ms + banked_low_ms) AS mean_recompute_low_ms,
    max(unit) FILTER (WHERE place = 1) AS worst_unit,
    max(in_flight_ms) FILTER (WHERE place = 1) AS worst_in_flight_ms,
    max(owed_ms) FILTER (WHERE place = 1) AS worst_owed_ms,
    max(climb_ms) FILTER (WHERE place = 1) AS worst_climb_ms,
    max(cached_ms) FILTER (WHERE place = 1) AS worst_cached_ms
FROM ranked
GROUP BY at_ms
ORDER BY at_ms;
