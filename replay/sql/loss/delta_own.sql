-- Purpose: how the cost of losing a unit jumps by what is counted of the unit's own pieces.
-- Grain:   one row per jump; several at one instant.
-- Inputs:  loss.counted, loss.segment
-- Empty if: loss.counted, loss.segment
-- Outputs: unit_no; at_ms (ms); high, low: as in loss.segment; pieces, bytes, cost_ms (slot ms): what is added;
--          low_pieces, low_ms: the same of what counts in low figures.
-- Algorithm: a piece that comes or goes inside a segment jumps there. Where a segment begins, all that is there by
--            then enters it and leaves the segment before: a running sum over segments, of the events before it.
CREATE OR REPLACE TABLE loss.delta_own AS
WITH event AS (
    SELECT unit_no, dataset, beside, from_ms AS at_ms, 1 AS pieces, bytes, cost_ms, is_sure FROM loss.counted
    UNION ALL
    SELECT unit_no, dataset, beside, to_ms AS at_ms, -1 AS pieces, -bytes, -cost_ms, is_sure FROM loss.counted WHERE NOT is_final
),
located AS MATERIALIZED (
    SELECT e.unit_no, e.dataset, e.beside, e.at_ms, s.from_ms, s.high, s.low, e.pieces, e.bytes, e.cost_ms,
        CASE WHEN e.is_sure THEN e.pieces ELSE 0 END AS low_pieces,
        CASE WHEN e.is_sure THEN e.cost_ms ELSE 0 END AS low_ms
    FROM event e
    JOIN loss.segment s
        ON s.unit_no = e.unit_no AND s.dataset = e.dataset AND s.beside = e.beside AND s.from_ms <= e.at_ms AND e.at_ms < s.to_ms
),
within AS (
    SELECT unit_no, dataset, beside, from_ms, sum(pieces) AS pieces, sum(bytes) AS bytes, sum(cost_ms) AS cost_ms,
        sum(low_pieces) AS low_pieces, sum(low_ms) AS low_ms
    FROM located
    GROUP BY unit_no, dataset, beside, from_ms
),
before AS MATERIALIZED (
    SELECT s.unit_no, s.from_ms AS at_ms, s.high, s.low,
        lag(s.high, 1, 0) OVER segments AS last_high,
        lag(s.low, 1, 0) OVER segments AS last_low,
        coalesce(sum(w.pieces) OVER earlier, 0)::BIGINT AS pieces,
        coalesce(sum(w.bytes) OVER earlier, 0)::BIGINT AS bytes,
        coalesce(sum(w.cost_ms) OVER earlier, 0)::BIGINT AS cost_ms,
        coalesce(sum(w.low_pieces) OVER earlier, 0)::BIGINT AS low_pieces,
        coalesce(sum(w.low_ms) OVER earlier, 0)::BIGINT AS low_ms
    FROM loss.segment s
    LEFT JOIN within w
        ON w.unit_no = s.unit_no AND w.dataset = s.dataset AND w.beside = s.beside AND w.from_ms = s.from_ms
    WINDOW segments AS (PARTITION BY s.unit_no, s.dataset, s.beside ORDER BY s.from_ms),
        earlier AS (PARTITION BY s.unit_no, s.dataset, s.beside ORDER BY s.from_ms ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
)
SELECT unit_no, at_ms, high, low, pieces, bytes, cost_ms, low_pieces, low_ms
FROM located
WHERE high > 0 OR low > 0
UNION ALL
SELECT unit_no, at_ms, high, low, pieces, bytes, cost_ms, low_pieces, low_ms
FROM before
WHERE pieces > 0 AND (high > 0 OR low > 0)
UNION ALL
SELECT unit_no, at_ms, last_high AS high, last_low AS low, -pieces, -bytes, -cost_ms, -low_pieces, -low_ms
FROM before
WHERE pieces > 0 AND (last_high > 0 OR last_low > 0);
