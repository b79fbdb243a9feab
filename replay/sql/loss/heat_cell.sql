-- Purpose: the worst instant of every cell of a map of units and time.
-- Grain:   one row per row of the map and bin of time in which one of its units is alive.
-- Inputs:  loss.unit, loss.curve
-- Parameters: $1 how many bins the run is cut into; $2 how many rows the map may have, not counting the coordinator's machine;
--          $3, $4 (ms) the run's start and its length.
-- Outputs: heat_row: units in order of their names, several to a row when there are more than rows, the coordinator's
--          machine in a row of its own behind them; bin; unit_no: the worst of the row; instant_ms (ms): where, in the cell,
--          its cost is highest, the first of equals; worst_ms (slot ms): the supremum there.
-- Algorithm: an interval of the curve counts in the bin where it starts and, cut there, in every bin that starts inside it;
--            bin b starts at start + length b / bins, rounded up. Most intervals hold no such instant.
--            Cost, instant and unit are packed into one number, so that one maximum finds all three: the cost above, then
--            42 bits of what is left of the run (139 years of ms), then 21 bits of the unit's number, counted down. More units
--            than that are refused. The halves of the number are taken apart as bits: DuckDB 1.1 takes 0.6 us to divide one
--            of 128 bits, half of this query's time.
CREATE OR REPLACE TABLE loss.heat_cell AS
WITH ranked AS (
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
    SELECT c.unit_no, p.heat_row, p.from_ms AS born_ms, c.instant_ms, c.until_ms, c.in_flight_tasks, c.recompute_ms
    FROM loss.curve c
    JOIN placed p ON p.unit_no = c.unit_no
),
crossing AS (
    SELECT unit_no, heat_row, born_ms, instant_ms, until_ms, in_flight_tasks, recompute_ms,
        greatest(instant_ms - 1 - $3::BIGINT, 0) * $1::BIGINT // $4::BIGINT + 1 AS first,
        (until_ms - 1 - $3::BIGINT) * $1::BIGINT // $4::BIGINT + 1 AS next
    FROM hit
),
cut AS (
    SELECT unit_no, heat_row, born_ms, instant_ms, until_ms, in_flight_tasks, recompute_ms, unnest(range(first, next)) AS bin
    FROM crossing
    WHERE first < next
),
piece AS (
    SELECT unit_no, heat_row, ((instant_ms - $3::BIGINT) * $1::BIGINT) // $4::BIGINT AS bin, instant_ms, until_ms, instant_ms AS from_ms, in_flight_tasks, recompute_ms
    FROM hit
    UNION ALL
    SELECT unit_no, heat_row, bin, instant_ms, until_ms, $3::BIGINT + ($4::BIGINT * bin + $1::BIGINT - 1) // $1::BIGINT AS from_ms, in_flight_tasks, recompute_ms
    FROM cut
    WHERE born_ms < $3::BIGINT + ($4::BIGINT * bin + $1::BIGINT - 1) // $1::BIGINT
),
packed AS (
    SELECT heat_row, bin, max(
            (recompute_ms + in_flight_tasks * (least(until_ms, $3::BIGINT + ($4::BIGINT * (bin + 1) + $1::BIGINT - 1) // $1::BIGINT) - instant_ms))::HUGEINT
                * 9223372036854775808
            + (4398046511103 - (from_ms - $3::BIGINT)) * 2097152
            + (2097151 - unit_no)
        ) AS worst
    FROM piece
    GROUP BY heat_row, bin
),
halves AS (
    SELECT heat_row, bin, (worst >> 63)::BIGINT AS worst_ms, (worst & 9223372036854775807)::BIGINT AS place FROM packed
)
SELECT heat_row, bin, (2097151 - place % 2097152)::INTEGER AS unit_no, $3::BIGINT + 4398046511103 - place // 2097152 AS instant_ms, worst_ms
FROM halves;
