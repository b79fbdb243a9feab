-- Purpose: what losing a unit costs, at every instant of its life.
-- Grain:   one row per unit and interval in which nothing jumps.
-- Inputs:  loss.unit, loss.flight, loss.delta_own, loss.delta_shared, world.rules
-- Outputs: unit_no; instant_ms, until_ms (ms); in_flight_tasks; recompute_ms, recompute_low_ms (slot ms): just after
--          instant_ms, from where they grow by in_flight_tasks a ms; supremum_ms (slot ms): recompute_ms just before until_ms.
-- Algorithm: with n attempts in flight, of which each costs t - start, the cost at t is n * t and a sum that only jumps.
CREATE OR REPLACE TABLE loss.curve AS
WITH change AS (
    SELECT unit_no, from_ms AS at_ms, 0 AS tasks, 0 AS high_ms, 0 AS low_ms
    FROM loss.unit
    UNION ALL
    SELECT unit_no, at_ms, tasks, -start_ms AS high_ms, -start_ms AS low_ms
    FROM loss.flight
    UNION ALL
    SELECT unit_no, at_ms, 0 AS tasks, CASE WHEN high > 0 THEN cost_ms ELSE 0 END AS high_ms, CASE WHEN low > 0 THEN low_ms ELSE 0 END AS low_ms
    FROM loss.delta_own
    UNION ALL
    SELECT unit_no, at_ms, 0 AS tasks, CASE WHEN high > 0 THEN cost_ms ELSE 0 END AS high_ms, CASE WHEN low > 0 THEN low_ms ELSE 0 END AS low_ms
    FROM loss.delta_shared
),
moment AS (
    SELECT unit_no, at_ms, sum(tasks)::BIGINT AS tasks, sum(high_ms)::BIGINT AS high_ms, sum(low_ms)::BIGINT AS low_ms
    FROM change
    GROUP BY unit_no, at_ms
),
running AS (
    SELECT unit_no, at_ms,
        lead(at_ms) OVER so_far AS next_ms,
        (sum(tasks) OVER so_far)::BIGINT AS tasks,
        (sum(high_ms) OVER so_far)::BIGINT AS high_ms,
        (sum(low_ms) OVER so_far)::BIGINT AS low_ms
    FROM moment
    WINDOW so_far AS (PARTITION BY unit_no ORDER BY at_ms ROWS UNBOUNDED PRECEDING)
)
SELECT x.unit_no, x.at_ms AS instant_ms,
    least(coalesce(x.next_ms, u.to_ms), u.to_ms) AS until_ms,
    x.tasks AS in_flight_tasks,
    x.tasks * (x.at_ms - r.start_ms) + x.high_ms AS recompute_ms,
    x.tasks * (x.at_ms - r.start_ms) + x.low_ms AS recompute_low_ms,
    x.tasks * (least(coalesce(x.next_ms, u.to_ms), u.to_ms) - r.start_ms) + x.high_ms AS supremum_ms
FROM running x
JOIN loss.unit u ON u.unit_no = x.unit_no
CROSS JOIN world.rules r
WHERE x.at_ms < u.to_ms;
