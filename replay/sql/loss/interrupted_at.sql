-- Purpose: readers elsewhere that a removal would interrupt, at the instants that were asked for: at most all that run.
-- Grain:   one row per unit and instant of loss.asked at which there are any.
-- Inputs:  loss.asked, loss.lost_presence, loss.stage_run, loss.reader_step, world.need, world.dataset, world.rules
-- Outputs: unit_no; at_ms (ms); tasks; spent_ms (slot ms): how long they have run.
CREATE OR REPLACE TABLE loss.interrupted_at AS
WITH reading AS (
    SELECT n.dataset, n.stage, n.stage_attempt,
        greatest(s.from_ms, n.from_ms) AS from_ms,
        least(s.to_ms, n.until_ms) AS to_ms
    FROM world.need n
    JOIN world.dataset d ON d.dataset = n.dataset
    JOIN loss.stage_run s ON s.stage = n.stage AND s.stage_attempt = n.stage_attempt
    WHERE d.kind = 'shuffle'
),
exposed AS (
    SELECT l.unit_no, r.stage, r.stage_attempt, greatest(l.from_ms, r.from_ms) AS from_ms, least(l.to_ms, r.to_ms) AS to_ms
    FROM loss.lost_presence l
    JOIN reading r ON r.dataset = l.dataset AND r.from_ms < l.to_ms AND l.from_ms < r.to_ms
    WHERE NOT l.is_low
),
asked AS (
    SELECT DISTINCT a.unit_no, a.at_ms, e.stage, e.stage_attempt
    FROM loss.asked a
    JOIN exposed e ON e.unit_no = a.unit_no AND e.from_ms <= a.at_ms AND a.at_ms < e.to_ms
),
everywhere AS (
    SELECT a.unit_no, a.at_ms, s.tasks, s.start_ms
    FROM asked a
    ASOF JOIN (SELECT stage, stage_attempt, at_ms, tasks, start_ms FROM loss.reader_step WHERE unit_no = 0) s
        ON s.stage = a.stage AND s.stage_attempt = a.stage_attempt AND s.at_ms <= a.at_ms
),
here AS (
    SELECT a.unit_no, a.at_ms, s.tasks, s.start_ms
    FROM asked a
    ASOF JOIN loss.reader_step s
        ON s.unit_no = a.unit_no AND s.stage = a.stage AND s.stage_attempt = a.stage_attempt AND s.at_ms <= a.at_ms
),
part AS (
    SELECT unit_no, at_ms, tasks, start_ms FROM everywhere
    UNION ALL
    SELECT unit_no, at_ms, -tasks, -start_ms FROM here
)
SELECT p.unit_no, p.at_ms, sum(p.tasks)::BIGINT AS tasks,
    (sum(p.tasks) * (p.at_ms - any_value(r.start_ms)) - sum(p.start_ms))::BIGINT AS spent_ms
FROM part p CROSS JOIN world.rules r
GROUP BY p.unit_no, p.at_ms
HAVING sum(p.tasks) > 0;
