-- Purpose: what losing each of a block of units costs, at every instant of its life. Sorting the jumps of all units at once
--          would take most of the memory that a heat map does.
-- Grain:   one row per unit and interval in which nothing jumps.
-- Inputs:  loss.unit, loss.change, world.rules
-- Parameters: $1, $2 the first and the last unit of a block.
-- Outputs: appended to loss.curve.
-- Algorithm: in the order of units and time, sums over all rows so far: the sum before a row is what holds from the row
--            before it until its own time. A row at the end of each unit's life takes all of the unit back, so that the
--            next begins with 0. Windows without PARTITION BY and ORDER BY stream over the sorted rows, which takes a
--            third of the time of partitioned ones; DuckDB keeps the order of rows (preserve_insertion_order).
INSERT INTO loss.curve
WITH jump AS (
    SELECT unit_no, at_ms, tasks, start_ms, owed_ms + climb_ms + cached_ms AS banked_ms, low_ms FROM loss.change WHERE unit_no BETWEEN $1 AND $2
),
total AS (
    SELECT unit_no, sum(tasks)::BIGINT AS tasks, sum(start_ms)::BIGINT AS start_ms, sum(banked_ms)::BIGINT AS banked_ms, sum(low_ms)::BIGINT AS low_ms
    FROM jump
    GROUP BY unit_no
),
edged AS (
    SELECT unit_no, at_ms, tasks, start_ms, banked_ms, low_ms FROM jump
    UNION ALL
    SELECT unit_no, from_ms AS at_ms, 0, 0, 0, 0 FROM loss.unit WHERE unit_no BETWEEN $1 AND $2
    UNION ALL
    SELECT u.unit_no, u.to_ms AS at_ms, coalesce(-t.tasks, 0), coalesce(-t.start_ms, 0), coalesce(-t.banked_ms, 0), coalesce(-t.low_ms, 0)
    FROM loss.unit u LEFT JOIN total t ON t.unit_no = u.unit_no
    WHERE u.unit_no BETWEEN $1 AND $2
),
sorted AS (
    SELECT unit_no, at_ms, tasks, start_ms, banked_ms, low_ms FROM edged ORDER BY unit_no, at_ms
),
before AS (
    SELECT unit_no, at_ms AS until_ms,
        lag(unit_no) OVER () AS last_unit_no,
        lag(at_ms) OVER () AS instant_ms,
        (sum(tasks) OVER (ROWS UNBOUNDED PRECEDING))::BIGINT - tasks AS tasks,
        (sum(start_ms) OVER (ROWS UNBOUNDED PRECEDING))::BIGINT - start_ms AS start_ms,
        (sum(banked_ms) OVER (ROWS UNBOUNDED PRECEDING))::BIGINT - banked_ms AS banked_ms,
        (sum(low_ms) OVER (ROWS UNBOUNDED PRECEDING))::BIGINT - low_ms AS low_ms
    FROM sorted
),
valued AS (
    SELECT b.unit_no, b.instant_ms, b.until_ms, b.tasks, b.tasks * (b.instant_ms - r.start_ms) - b.start_ms AS in_flight_ms, b.banked_ms, b.low_ms
    FROM before b CROSS JOIN world.rules r
    WHERE b.last_unit_no = b.unit_no AND b.instant_ms < b.until_ms
)
SELECT unit_no, instant_ms, until_ms, tasks AS in_flight_tasks,
    in_flight_ms + banked_ms AS recompute_ms,
    in_flight_ms + low_ms AS recompute_low_ms,
    in_flight_ms + banked_ms + tasks * (until_ms - instant_ms) AS supremum_ms
FROM valued;
