-- Purpose: while a dataset is active: its start set, and what active datasets one or more levels above need of it.
-- Grain:   one row per unit, dataset, bound and interval; the intervals of a key neither overlap nor touch.
-- Inputs:  loss.level, loss.start, loss.active (the levels before), loss.lost_presence, loss.hole_presence, world.input
-- Parameters: $1 the level. It is run once a level, in order, so that every reader of a dataset is done before it.
-- Outputs: appended to loss.active: unit_no (0: though nothing more is lost), dataset, is_low, from_ms, to_ms (ms).
INSERT INTO loss.active
WITH this AS (
    SELECT dataset FROM loss.level WHERE level = $1
),
edge AS (
    SELECT i.dataset AS reader, i.input_dataset AS dataset
    FROM world.input i SEMI JOIN this t ON t.dataset = i.input_dataset
),
called AS (
    SELECT a.unit_no, e.dataset, a.is_low, a.from_ms, a.to_ms
    FROM loss.active a JOIN edge e ON e.reader = a.dataset
),
candidate AS (
    SELECT s.unit_no, s.dataset, s.is_low, s.from_ms, s.to_ms
    FROM loss.start s SEMI JOIN this t ON t.dataset = s.dataset
    UNION ALL
    SELECT c.unit_no, c.dataset, c.is_low, greatest(c.from_ms, l.from_ms) AS from_ms, least(c.to_ms, l.to_ms) AS to_ms
    FROM called c
    JOIN loss.lost_presence l ON l.unit_no = c.unit_no AND l.dataset = c.dataset AND l.is_low = c.is_low
        AND l.from_ms < c.to_ms AND c.from_ms < l.to_ms
    UNION ALL
    SELECT l.unit_no, c.dataset, c.is_low, greatest(c.from_ms, l.from_ms) AS from_ms, least(c.to_ms, l.to_ms) AS to_ms
    FROM called c -- a repair that is under way needs what any unit would lose
    JOIN loss.lost_presence l ON l.dataset = c.dataset AND l.is_low = c.is_low AND l.from_ms < c.to_ms AND c.from_ms < l.to_ms
    WHERE c.unit_no = 0
    UNION ALL
    SELECT c.unit_no, c.dataset, c.is_low, greatest(c.from_ms, h.from_ms) AS from_ms, least(c.to_ms, h.to_ms) AS to_ms
    FROM called c
    JOIN loss.hole_presence h ON h.dataset = c.dataset AND h.from_ms < c.to_ms AND c.from_ms < h.to_ms
),
by_start AS (
    SELECT unit_no, dataset, is_low, from_ms, max(to_ms) AS to_ms
    FROM candidate
    GROUP BY unit_no, dataset, is_low, from_ms
),
ahead AS (
    SELECT unit_no, dataset, is_low, from_ms, to_ms,
        coalesce(from_ms > max(to_ms) OVER (
            PARTITION BY unit_no, dataset, is_low ORDER BY from_ms ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), true) AS is_new
    FROM by_start
),
island AS (
    SELECT unit_no, dataset, is_low, from_ms, to_ms,
        count(*) FILTER (WHERE is_new) OVER (PARTITION BY unit_no, dataset, is_low ORDER BY from_ms ROWS UNBOUNDED PRECEDING) AS island
    FROM ahead
)
SELECT unit_no, dataset, is_low, min(from_ms) AS from_ms, max(to_ms) AS to_ms
FROM island
GROUP BY unit_no, dataset, is_low, island;
