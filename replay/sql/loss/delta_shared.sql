-- Purpose: how the cost of losing a unit jumps by the holes of active shuffles, and by all pieces of those that are
--          run again in whole.
-- Grain:   one row per jump; several at one instant.
-- Inputs:  loss.shared_step, loss.segment
-- Empty if: loss.shared_step, loss.segment
-- Outputs: as loss.delta_own.
-- Algorithm: as delta_own, but the sums are those of the dataset, the same for all units.
CREATE OR REPLACE TABLE loss.delta_shared AS
WITH span AS (
    SELECT s.unit_no, s.dataset, s.from_ms, s.to_ms, s.high, s.low
    FROM loss.segment s SEMI JOIN loss.shared_step h ON h.dataset = s.dataset
    WHERE s.high IN (1, 2) OR s.low IN (1, 2)
),
edge AS (
    SELECT unit_no, dataset, from_ms AS at_ms, high, low, 1 AS sign FROM span
    UNION ALL
    SELECT unit_no, dataset, to_ms AS at_ms, high, low, -1 AS sign FROM span
),
entry AS (
    SELECT e.unit_no, e.at_ms, e.high, e.low,
        e.sign * (h.before_pieces + h.pieces) AS pieces,
        e.sign * (h.before_bytes + h.bytes) AS bytes,
        e.sign * (h.before_ms + h.cost_ms) AS cost_ms
    FROM edge e ASOF JOIN loss.shared_step h ON h.dataset = e.dataset AND h.at_ms < e.at_ms
),
inside AS (
    SELECT s.unit_no, h.at_ms, s.high, s.low, h.pieces, h.bytes, h.cost_ms
    FROM span s JOIN loss.shared_step h ON h.dataset = s.dataset AND s.from_ms <= h.at_ms AND h.at_ms < s.to_ms
),
every AS (
    SELECT unit_no, at_ms, high, low, pieces, bytes, cost_ms FROM entry
    UNION ALL
    SELECT unit_no, at_ms, high, low, pieces, bytes, cost_ms FROM inside
)
SELECT unit_no, at_ms, high, low, pieces, bytes, cost_ms, pieces AS low_pieces, cost_ms AS low_ms
FROM every;
