-- Purpose: how much of what a stage reads one unit holds, and nobody else.
-- Grain:   one row per stage attempt that reads a dataset and was submitted.
-- Inputs:  loss.unit, loss.lost, loss.copy, world.need
-- Outputs: the columns of table input_share.
WITH reading AS (
    SELECT DISTINCT stage, stage_attempt, submit_ms AS at_ms, dataset FROM world.need WHERE submit_ms IS NOT NULL
),
standing AS (
    SELECT DISTINCT r.stage, r.stage_attempt, r.at_ms, c.dataset, c.partition, c.bytes
    FROM reading r JOIN loss.copy c ON c.dataset = r.dataset AND c.from_ms <= r.at_ms AND r.at_ms < c.to_ms
),
whole AS (
    SELECT stage, stage_attempt, at_ms, count(*) AS outputs, sum(bytes) AS bytes
    FROM standing
    GROUP BY stage, stage_attempt, at_ms
),
held AS (
    SELECT r.stage, r.stage_attempt, l.unit_no, count(*) AS outputs, sum(l.bytes) AS bytes
    FROM reading r JOIN loss.lost l ON l.dataset = r.dataset AND l.from_ms <= r.at_ms AND r.at_ms < l.to_ms
    GROUP BY r.stage, r.stage_attempt, l.unit_no
),
ranked AS (
    SELECT h.stage, h.stage_attempt, u.unit_kind, u.unit, h.outputs, h.bytes,
        row_number() OVER (PARTITION BY h.stage, h.stage_attempt ORDER BY h.bytes DESC, h.outputs DESC, h.unit_no) AS place
    FROM held h JOIN loss.unit u ON u.unit_no = h.unit_no
    WHERE NOT u.is_coordinator
)
SELECT w.stage, w.stage_attempt, w.at_ms AS instant_ms, r.unit_kind, r.unit,
    coalesce(r.outputs, 0) AS held_outputs, w.outputs, coalesce(r.bytes, 0)::BIGINT AS held_bytes, w.bytes::BIGINT AS bytes,
    coalesce(r.outputs, 0)::DOUBLE / nullif(w.outputs, 0) AS share_of_outputs,
    coalesce(r.bytes, 0)::DOUBLE / nullif(w.bytes, 0) AS share_of_bytes
FROM whole w
LEFT JOIN ranked r ON r.stage = w.stage AND r.stage_attempt = w.stage_attempt AND r.place = 1
ORDER BY w.at_ms, w.stage, w.stage_attempt;
