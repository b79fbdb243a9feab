-- Purpose: what a dataset counts as, over time, when a unit is lost.
-- Grain:   one row per unit, dataset, shuffle beside it (-1 none) and interval without a change.
-- Inputs:  loss.active, loss.start, loss.beside, world.dataset, world.rules
-- Outputs: unit_no, dataset, beside; from_ms, to_ms (ms): the first interval of a key begins before the run;
--          high, low: 0 does not count, 1 owed, 2 climb, 3 cached, at most and surely.
-- Algorithm: +1 and -1 where an interval of a flag begins and ends; running sums; keep the changes.
CREATE OR REPLACE TABLE loss.segment AS
WITH key AS MATERIALIZED (
    SELECT DISTINCT unit_no, dataset, -1 AS beside FROM loss.active WHERE unit_no > 0
    UNION
    SELECT DISTINCT unit_no, dataset, beside FROM loss.beside
),
flag AS (
    SELECT unit_no, dataset, from_ms, to_ms, (NOT is_low)::INTEGER AS high, is_low::INTEGER AS low, 0 AS start_high, 0 AS start_low
    FROM loss.active
    UNION ALL
    SELECT unit_no, dataset, from_ms, to_ms, 0 AS high, 0 AS low, (NOT is_low)::INTEGER AS start_high, is_low::INTEGER AS start_low
    FROM loss.start
),
change AS MATERIALIZED (
    SELECT unit_no, dataset, from_ms AS at_ms, high, low, start_high, start_low FROM flag
    UNION ALL
    SELECT unit_no, dataset, to_ms AS at_ms, -high, -low, -start_high, -start_low FROM flag
),
keyed AS (
    SELECT k.unit_no, k.dataset, k.beside, c.at_ms, c.high, c.low, c.start_high, c.start_low, 0 AS shield_high, 0 AS shield_low
    FROM key k JOIN change c ON c.unit_no = k.unit_no AND c.dataset = k.dataset
    UNION ALL
    SELECT k.unit_no, k.dataset, k.beside, c.at_ms, 0 AS high, 0 AS low, 0 AS start_high, 0 AS start_low, c.high AS shield_high, c.low AS shield_low
    FROM key k JOIN change c ON c.unit_no = k.unit_no AND c.dataset = k.beside
    UNION ALL
    SELECT k.unit_no, k.dataset, k.beside, c.at_ms, 0 AS high, 0 AS low, 0 AS start_high, 0 AS start_low, c.high AS shield_high, c.low AS shield_low
    FROM key k JOIN change c ON c.dataset = k.beside
    WHERE c.unit_no = 0
    UNION ALL
    SELECT k.unit_no, k.dataset, k.beside, r.start_ms - 1 AS at_ms, 0 AS high, 0 AS low, 0 AS start_high, 0 AS start_low, 0 AS shield_high, 0 AS shield_low
    FROM key k CROSS JOIN world.rules r
),
moment AS (
    SELECT unit_no, dataset, beside, at_ms, sum(high) AS high, sum(low) AS low, sum(start_high) AS start_high,
        sum(start_low) AS start_low, sum(shield_high) AS shield_high, sum(shield_low) AS shield_low
    FROM keyed
    GROUP BY unit_no, dataset, beside, at_ms
),
state AS (
    SELECT unit_no, dataset, beside, at_ms, sum(high) OVER so_far > 0 AS is_active_high, sum(low) OVER so_far > 0 AS is_active_low,
        sum(start_high) OVER so_far > 0 AS is_start_high, sum(start_low) OVER so_far > 0 AS is_start_low,
        sum(shield_high) OVER so_far > 0 AS is_shielded_high, sum(shield_low) OVER so_far > 0 AS is_shielded_low
    FROM moment
    WINDOW so_far AS (PARTITION BY unit_no, dataset, beside ORDER BY at_ms ROWS UNBOUNDED PRECEDING)
),
class AS (
    SELECT s.unit_no, s.dataset, s.beside, s.at_ms,
        CASE
            WHEN NOT s.is_active_high OR s.is_shielded_high THEN 0
            WHEN d.kind = 'cache' THEN 3
            WHEN s.is_start_high THEN 1
            ELSE 2
        END::TINYINT AS high,
        CASE
            WHEN NOT s.is_active_low OR s.is_shielded_low THEN 0
            WHEN d.kind = 'cache' THEN 3
            WHEN s.is_start_low THEN 1
            ELSE 2
        END::TINYINT AS low
    FROM state s JOIN world.dataset d ON d.dataset = s.dataset
),
changed AS (
    SELECT unit_no, dataset, beside, at_ms, high, low
    FROM class
    QUALIFY (high, low) IS DISTINCT FROM lag((high, low)) OVER (PARTITION BY unit_no, dataset, beside ORDER BY at_ms)
)
SELECT unit_no, dataset, beside, at_ms AS from_ms,
    lead(at_ms, 1, 9223372036854775807) OVER (PARTITION BY unit_no, dataset, beside ORDER BY at_ms) AS to_ms,
    high, low
FROM changed;
