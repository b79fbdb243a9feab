-- Purpose: lost pieces of a shuffle whose own stage attempt still runs.
-- Grain:   one row per unit, shuffle of loss.requeued and instant at which that changes.
-- Inputs:  loss.requeued, loss.lost, loss.stage_run, world.output
-- Outputs: unit_no, dataset; at_ms (ms); pieces, cost_ms (slot ms): from then on.
CREATE OR REPLACE TABLE loss.requeued_step AS
WITH lost AS (
    SELECT l.unit_no, l.dataset, l.output, l.cost_ms, l.from_ms, l.to_ms
    FROM loss.lost l SEMI JOIN loss.requeued q ON q.unit_no = l.unit_no AND q.dataset = l.dataset
),
span AS (
    SELECT l.unit_no, l.dataset, l.cost_ms, greatest(l.from_ms, s.from_ms) AS from_ms, least(l.to_ms, s.to_ms) AS to_ms
    FROM lost l
    JOIN world.output m ON m.output = l.output
    JOIN loss.stage_run s ON s.stage = m.stage AND s.stage_attempt = m.stage_attempt
),
event AS (
    SELECT unit_no, dataset, from_ms AS at_ms, 1 AS pieces, cost_ms FROM span WHERE from_ms < to_ms
    UNION ALL
    SELECT unit_no, dataset, to_ms AS at_ms, -1 AS pieces, -cost_ms FROM span WHERE from_ms < to_ms
),
moment AS (
    SELECT unit_no, dataset, at_ms, sum(pieces) AS pieces, sum(cost_ms) AS cost_ms
    FROM event
    GROUP BY unit_no, dataset, at_ms
)
SELECT unit_no, dataset, at_ms, (sum(pieces) OVER so_far)::BIGINT AS pieces, (sum(cost_ms) OVER so_far)::BIGINT AS cost_ms
FROM moment
WINDOW so_far AS (PARTITION BY unit_no, dataset ORDER BY at_ms ROWS UNBOUNDED PRECEDING);
