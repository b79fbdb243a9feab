-- Purpose: what the engine would run again without need, at the instants that were asked for.
-- Grain:   one row per unit and instant of loss.asked at which there is any.
-- Inputs:  loss.asked, loss.requeued_step, loss.segment
-- Outputs: unit_no; at_ms (ms); pieces, cost_ms (slot ms): beyond those that are owed or climbed to.
CREATE OR REPLACE TABLE loss.requeued_at AS
WITH life AS (
    SELECT unit_no, dataset, min(at_ms) AS from_ms, max(at_ms) AS to_ms FROM loss.requeued_step GROUP BY unit_no, dataset
),
running AS (
    SELECT a.unit_no, a.at_ms, l.dataset
    FROM loss.asked a JOIN life l ON l.unit_no = a.unit_no AND l.from_ms <= a.at_ms AND a.at_ms < l.to_ms
),
idle AS (
    SELECT r.unit_no, r.at_ms, r.dataset
    FROM running r
    ANTI JOIN loss.segment s ON s.unit_no = r.unit_no AND s.dataset = r.dataset AND s.beside = -1 AND s.high > 0
        AND s.from_ms <= r.at_ms AND r.at_ms < s.to_ms
)
SELECT i.unit_no, i.at_ms, sum(s.pieces)::BIGINT AS pieces, sum(s.cost_ms)::BIGINT AS cost_ms
FROM idle i ASOF JOIN loss.requeued_step s ON s.unit_no = i.unit_no AND s.dataset = i.dataset AND s.at_ms <= i.at_ms
GROUP BY i.unit_no, i.at_ms
HAVING sum(s.pieces) > 0;
