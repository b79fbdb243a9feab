-- Purpose: the worst instant of every cell of a map of units and time.
-- Grain:   one row per row of the map and bin of time in which one of its units is alive.
-- Inputs:  loss.unit, loss.curve, world.rules
-- Parameters: $1 how many bins the run is cut into; $2 how many rows the map may have, not counting the coordinator's machine.
-- Outputs: heat_row: units in order of their names, several to a row when there are more than rows, the coordinator's
--          machine in a row of its own behind them; bin; unit_no: the worst of the row; instant_ms (ms): where, in the cell,
--          its cost is highest, the first of equals; worst_ms (slot ms): the supremum there.
-- Algorithm: an interval of the curve counts in the bin where it starts and, cut there, in every bin that starts inside it;
--            bin b starts at start + length b / bins, rounded up. Most intervals hold no such instant.
--            Cost, instant and unit are packed into one number, so that one maximum finds all three: the cost above, then
--            42 bits of what is left of the run (139 years of ms), then 21 bits of the unit's number, counted down. More units
--            than that are refused.
CREATE OR REPLACE TABLE loss.heat_cell AS
WITH run AS (
    SELECT start_ms, end_ms - start_ms AS length_ms FROM world.rules
),
ranked AS (
    SELECT unit_no, from_ms, is_coordinator,
        row_number() OVER (PARTITION BY is_coordinator ORDER BY unit_kind, unit) - 1 AS place,
        count(*) OVER (PARTITION BY is_coordinator) AS units
    FROM loss.unit
),
placed AS (
    SELECT CASE WHEN unit_no > 2097151 THEN error('more than 2,097,151 workers and machines') ELSE unit_no END AS unit_no, from_ms,
        CASE WHEN is_coordinator THEN $2::BIGINT + place ELSE place * least($2::BIGINT, units) // units END AS heat_row
    FROM ranked
),
hit AS (
    SELECT c.unit_no, p.heat_row, p.from_ms AS born_ms, c.instant_ms, c.until_ms, c.in_flight_tasks, c.recompute_ms, r.start_ms, r.length_ms
    FROM loss.curve c
    JOIN placed p ON p.unit_no = c.unit_no
    CROSS JOIN run r
),
crossing AS (
    SELECT unit_no, heat_row, born_ms, instant_ms, until_ms, in_flight_tasks, recompute_ms, start_ms, length_ms,
        greatest(instant_ms - 1 - start_ms, 0) * $1::BIGINT // length_ms + 1 AS first,
        (until_ms - 1 - start_ms) * $1::BIGINT // length_ms + 1 AS next
    FROM hit
),
cut AS (
    SELECT unit_no, heat_row, born_ms, instant_ms, until_ms, in_flight_tasks, recompute_ms, start_ms, length_ms, unnest(range(first, next)) AS bin
    FROM crossing
    WHERE first < next
),
piece AS (
    SELECT unit_no, heat_row, ((instant_ms - start_ms) * $1::BIGINT) // length_ms AS bin, instant_ms, until_ms, instant_ms AS from_ms, in_flight_tasks, recompute_ms,
        start_ms, length_ms
    FROM hit
    UNION ALL
    SELECT unit_no, heat_row, bin, instant_ms, until_ms, start_ms + (length_ms * bin + $1::BIGINT - 1) // $1::BIGINT AS from_ms, in_flight_tasks, recompute_ms,
        start_ms, length_ms
    FROM cut
    WHERE born_ms < start_ms + (length_ms * bin + $1::BIGINT - 1) // $1::BIGINT
),
packed AS (
    SELECT heat_row, bin, max(
            (recompute_ms + in_flight_tasks * (least(until_ms, start_ms + (length_ms * (bin + 1) + $1::BIGINT - 1) // $1::BIGINT) - instant_ms))::HUGEINT
                * 9223372036854775808
            + (4398046511103 - (from_ms - start_ms)) * 2097152
            + (2097151 - unit_no)
        ) AS worst
    FROM piece
    GROUP BY heat_row, bin
)
SELECT p.heat_row, p.bin,
    (2097151 - p.worst % 2097152)::INTEGER AS unit_no,
    (r.start_ms + 4398046511103 - (p.worst % 9223372036854775808) // 2097152)::BIGINT AS instant_ms,
    (p.worst // 9223372036854775808)::BIGINT AS worst_ms
FROM packed p CROSS JOIN run r;
