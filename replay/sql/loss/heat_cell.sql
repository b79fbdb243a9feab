-- Purpose: the worst instant of every cell of a map of units and time.
-- Grain:   one row per row of the map and bin of time in which one of its units is alive.
-- Inputs:  loss.unit, loss.curve, world.rules
-- Parameters: $1 how many bins the run is cut into; $2 how many rows the map may have, not counting the coordinator's machine.
-- Outputs: heat_row: units in order of their names, several to a row when there are more than rows, the coordinator's
--          machine in a row of its own behind them; bin; unit_no: the worst of the row; instant_ms (ms): where, in the cell,
--          its cost is highest, the first of equals; worst_ms (slot ms): the supremum there.
-- Algorithm: an interval of the curve counts in the bin where it starts and, cut there, in every bin that starts inside it.
--            Cost, instant and unit are packed into one number, so that one maximum finds all three: the cost above, then
--            42 bits of what is left of the run (139 years of ms), then 21 bits of the unit's number, counted down. More units
--            than that are refused.
CREATE OR REPLACE TABLE loss.heat_cell AS
WITH run AS (
    SELECT start_ms, end_ms - start_ms AS length_ms FROM world.rules
),
bin AS (
    SELECT i.step AS bin,
        r.start_ms + (r.length_ms * i.step + $1::BIGINT - 1) // $1::BIGINT AS from_ms,
        r.start_ms + (r.length_ms * (i.step + 1) + $1::BIGINT - 1) // $1::BIGINT AS to_ms
    FROM run r CROSS JOIN range($1::BIGINT) i(step)
),
ranked AS (
    SELECT unit_no, is_coordinator,
        row_number() OVER (PARTITION BY is_coordinator ORDER BY unit_kind, unit) - 1 AS place,
        count(*) OVER (PARTITION BY is_coordinator) AS units
    FROM loss.unit
),
placed AS (
    SELECT CASE WHEN unit_no > 2097151 THEN error('more than 2,097,151 workers and machines') ELSE unit_no END AS unit_no,
        CASE WHEN is_coordinator THEN $2::BIGINT + place ELSE place * least($2::BIGINT, units) // units END AS heat_row
    FROM ranked
),
corner AS (
    SELECT u.unit_no, b.bin, b.from_ms, b.to_ms
    FROM loss.unit u JOIN bin b ON u.from_ms < b.from_ms AND b.from_ms < u.to_ms
),
piece AS (
    SELECT c.unit_no, ((c.instant_ms - r.start_ms) * $1::BIGINT) // r.length_ms AS bin, c.instant_ms, c.until_ms, c.instant_ms AS from_ms,
        c.in_flight_tasks, c.recompute_ms
    FROM loss.curve c CROSS JOIN run r
    UNION ALL
    SELECT c.unit_no, k.bin, c.instant_ms, c.until_ms, k.from_ms, c.in_flight_tasks, c.recompute_ms
    FROM corner k ASOF JOIN loss.curve c ON c.unit_no = k.unit_no AND c.instant_ms <= k.from_ms
),
packed AS (
    SELECT p.heat_row, x.bin, max(
            (x.recompute_ms + x.in_flight_tasks * (least(x.until_ms, b.to_ms) - x.instant_ms))::HUGEINT * 9223372036854775808
            + (4398046511103 - (x.from_ms - r.start_ms)) * 2097152
            + (2097151 - x.unit_no)
        ) AS worst
    FROM piece x
    JOIN placed p ON p.unit_no = x.unit_no
    JOIN bin b ON b.bin = x.bin
    CROSS JOIN run r
    GROUP BY p.heat_row, x.bin
)
SELECT p.heat_row, p.bin,
    (2097151 - p.worst % 2097152)::INTEGER AS unit_no,
    (r.start_ms + 4398046511103 - (p.worst % 9223372036854775808) // 2097152)::BIGINT AS instant_ms,
    (p.worst // 9223372036854775808)::BIGINT AS worst_ms
FROM packed p CROSS JOIN run r;
