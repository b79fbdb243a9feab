-- Purpose: what an active shuffle adds whichever unit is lost, without what would be made again anyway.
-- Grain:   one row per output of a shuffle and interval.
-- Inputs:  loss.shared, loss.free
-- Empty if: loss.shared
-- Outputs: as loss.shared.
CREATE OR REPLACE TABLE loss.shared_free AS
SELECT s.dataset, s.output, greatest(s.from_ms, f.from_ms) AS from_ms, least(s.to_ms, f.to_ms) AS to_ms,
    s.task, s.made_ms, s.cost_ms, s.bytes, s.known
FROM loss.shared s
JOIN loss.free f ON f.dataset = s.dataset AND f.from_ms < s.to_ms AND s.from_ms < f.to_ms;
