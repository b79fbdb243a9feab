-- Purpose: readers elsewhere that a removal would interrupt, at the instants that were asked for: at most all that run.
-- Grain:   one row per unit and instant of loss.asked at which there are any.
-- Inputs:  loss.interrupted, loss.reader_step, world.rules
-- Outputs: unit_no; at_ms (ms); tasks; spent_ms (slot ms): how long they have run.
CREATE OR REPLACE TABLE loss.interrupted_at AS
WITH everywhere AS (
    SELECT stage, stage_attempt, at_ms, tasks, start_ms FROM loss.reader_step WHERE unit_no = 0
),
part AS (
    SELECT i.unit_no, i.at_ms, s.tasks, s.start_ms
    FROM loss.interrupted i
    ASOF JOIN everywhere s ON s.stage = i.stage AND s.stage_attempt = i.stage_attempt AND s.at_ms <= i.at_ms
    UNION ALL
    SELECT i.unit_no, i.at_ms, -s.tasks AS tasks, -s.start_ms AS start_ms
    FROM loss.interrupted i
    ASOF JOIN loss.reader_step s
        ON s.unit_no = i.unit_no AND s.stage = i.stage AND s.stage_attempt = i.stage_attempt AND s.at_ms <= i.at_ms
)
SELECT p.unit_no, p.at_ms, sum(p.tasks)::BIGINT AS tasks,
    (sum(p.tasks) * (p.at_ms - any_value(r.start_ms)) - sum(p.start_ms))::BIGINT AS spent_ms
FROM part p CROSS JOIN world.rules r
GROUP BY p.unit_no, p.at_ms
HAVING sum(p.tasks) > 0;
