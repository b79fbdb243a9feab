-- Purpose: what losing a unit costs, at every instant of its life.
-- Grain:   one row per unit and interval in which nothing jumps.
-- Inputs:  loss.unit, loss.flight, loss.delta_own, loss.delta_shared, world.rules
-- Outputs: unit_no; instant_ms, until_ms (ms); in_flight_tasks; in_flight_ms, owed_ms, climb_ms, cached_ms,
--          recompute_ms, recompute_low_ms (slot ms): just after instant_ms; all but those in flight stay, and these grow
--          by in_flight_tasks a ms; supremum_ms (slot ms): recompute_ms just before until_ms, if that is more.
CREATE OR REPLACE TABLE loss.curve AS
WITH change AS (
    SELECT unit_no, from_ms AS at_ms, 0 AS tasks, 0 AS start_ms, 0 AS owed_ms, 0 AS climb_ms, 0 AS cached_ms, 0 AS low_ms
    FROM loss.unit
    UNION ALL
    SELECT unit_no, at_ms, tasks, start_ms, 0, 0, 0, 0
    FROM loss.flight
    UNION ALL
    SELECT unit_no, at_ms, 0, 0,
        CASE high WHEN 1 THEN cost_ms ELSE 0 END,
        CASE high WHEN 2 THEN cost_ms ELSE 0 END,
        CASE high WHEN 3 THEN cost_ms ELSE 0 END,
        CASE WHEN low > 0 THEN low_ms ELSE 0 END
    FROM loss.delta_own
    UNION ALL
    SELECT unit_no, at_ms, 0, 0,
        CASE high WHEN 1 THEN cost_ms ELSE 0 END,
        CASE high WHEN 2 THEN cost_ms ELSE 0 END,
        0,
        CASE WHEN low > 0 THEN low_ms ELSE 0 END
    FROM loss.delta_shared
),
moment AS (
    SELECT c.unit_no, c.at_ms, sum(c.tasks)::BIGINT AS tasks, sum(c.start_ms)::BIGINT AS start_ms, sum(c.owed_ms)::BIGINT AS owed_ms,
        sum(c.climb_ms)::BIGINT AS climb_ms, sum(c.cached_ms)::BIGINT AS cached_ms, sum(c.low_ms)::BIGINT AS low_ms
    FROM change c
    GROUP BY c.unit_no, c.at_ms
),
running AS (
    SELECT unit_no, at_ms,
        lead(at_ms) OVER so_far AS next_ms,
        (sum(tasks) OVER so_far)::BIGINT AS tasks,
        (sum(start_ms) OVER so_far)::BIGINT AS start_ms,
        (sum(owed_ms) OVER so_far)::BIGINT AS owed_ms,
        (sum(climb_ms) OVER so_far)::BIGINT AS climb_ms,
        (sum(cached_ms) OVER so_far)::BIGINT AS cached_ms,
        (sum(low_ms) OVER so_far)::BIGINT AS low_ms
    FROM moment
    WINDOW so_far AS (PARTITION BY unit_no ORDER BY at_ms ROWS UNBOUNDED PRECEDING)
),
valued AS (
    SELECT x.unit_no, x.at_ms, least(coalesce(x.next_ms, u.to_ms), u.to_ms) AS until_ms, x.tasks,
        x.tasks * (x.at_ms - r.start_ms) - x.start_ms AS in_flight_ms, x.owed_ms, x.climb_ms, x.cached_ms, x.low_ms
    FROM running x JOIN loss.unit u ON u.unit_no = x.unit_no CROSS JOIN world.rules r
    WHERE x.at_ms < u.to_ms
)
SELECT unit_no, at_ms AS instant_ms, until_ms, tasks AS in_flight_tasks, in_flight_ms, owed_ms, climb_ms, cached_ms,
    in_flight_ms + owed_ms + climb_ms + cached_ms AS recompute_ms,
    in_flight_ms + low_ms AS recompute_low_ms,
    in_flight_ms + owed_ms + climb_ms + cached_ms + tasks * (until_ms - at_ms) AS supremum_ms
FROM valued
ORDER BY unit_no, instant_ms;
