-- Purpose: what the engine would run again without need, at the instants that were asked for.
-- Grain:   one row per unit and instant of loss.asked at which there is any.
-- Inputs:  loss.asked, loss.requeued, loss.requeued_step
-- Outputs: unit_no; at_ms (ms); pieces, cost_ms (slot ms): beyond those that are owed or climbed to.
CREATE OR REPLACE TABLE loss.requeued_at AS
WITH idle AS (
    SELECT a.unit_no, a.at_ms, q.dataset
    FROM loss.asked a JOIN loss.requeued q ON q.unit_no = a.unit_no AND q.from_ms <= a.at_ms AND a.at_ms < q.to_ms
)
SELECT i.unit_no, i.at_ms, sum(s.pieces)::BIGINT AS pieces, sum(s.cost_ms)::BIGINT AS cost_ms
FROM idle i ASOF JOIN loss.requeued_step s ON s.unit_no = i.unit_no AND s.dataset = i.dataset AND s.at_ms <= i.at_ms
GROUP BY i.unit_no, i.at_ms
HAVING sum(s.pieces) > 0;
