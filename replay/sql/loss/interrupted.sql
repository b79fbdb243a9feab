-- Purpose: readers elsewhere may be interrupted: which stage attempts read a shuffle that a unit's removal would lose
--          pieces of, at the instants that were asked for.
-- Grain:   one row per unit, instant of loss.asked and such stage attempt.
-- Inputs:  loss.asked, loss.lost_presence, loss.stage_run, world.need, world.dataset
-- Outputs: unit_no; at_ms (ms); stage, stage_attempt.
CREATE OR REPLACE TABLE loss.interrupted AS
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
)
SELECT DISTINCT a.unit_no, a.at_ms, e.stage, e.stage_attempt
FROM loss.asked a
JOIN exposed e ON e.unit_no = a.unit_no AND e.from_ms <= a.at_ms AND a.at_ms < e.to_ms;
