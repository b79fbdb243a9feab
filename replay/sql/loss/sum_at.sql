-- Purpose: the sums at the instants that were asked for.
-- Grain:   one row per unit and instant of loss.asked.
-- Inputs:  loss.asked, loss.flight, loss.delta_own, loss.delta_shared, loss.lost
-- Outputs: unit_no; at_ms (ms); tasks, start_ms: as in loss.flight, summed up; counts, bytes and slot ms of owed, climb,
--          cached and their low twins; lost_outputs, lost_bytes: all that would be lost, needed or not.
-- Algorithm: every jump goes to the first instant asked for that is not before it; running sums over those.
CREATE OR REPLACE TABLE loss.sum_at AS
WITH jump AS (
    SELECT unit_no, at_ms, high, low, pieces, bytes, cost_ms, low_pieces, low_ms, 0 AS tasks, 0 AS start_ms, 0 AS lost_outputs, 0 AS lost_bytes
    FROM loss.delta_own
    UNION ALL
    SELECT unit_no, at_ms, high, low, pieces, bytes, cost_ms, low_pieces, low_ms, 0, 0, 0, 0
    FROM loss.delta_shared
    UNION ALL
    SELECT unit_no, at_ms, 0, 0, 0, 0, 0, 0, 0, tasks, start_ms, 0, 0
    FROM loss.flight
    UNION ALL
    SELECT unit_no, from_ms, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, bytes
    FROM loss.lost
    UNION ALL
    SELECT unit_no, to_ms, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -bytes
    FROM loss.lost
),
bucket AS (
    SELECT a.unit_no, a.at_ms, sum(j.tasks) AS tasks, sum(j.start_ms) AS start_ms,
        sum(j.pieces) FILTER (WHERE j.high = 1) AS owed_outputs,
        sum(j.bytes) FILTER (WHERE j.high = 1) AS owed_bytes,
        sum(j.cost_ms) FILTER (WHERE j.high = 1) AS owed_ms,
        sum(j.low_pieces) FILTER (WHERE j.low = 1) AS owed_low_outputs,
        sum(j.low_ms) FILTER (WHERE j.low = 1) AS owed_low_ms,
        sum(j.pieces) FILTER (WHERE j.high = 2) AS climb_outputs,
        sum(j.bytes) FILTER (WHERE j.high = 2) AS climb_bytes,
        sum(j.cost_ms) FILTER (WHERE j.high = 2) AS climb_ms,
        sum(j.low_pieces) FILTER (WHERE j.low = 2) AS climb_low_outputs,
        sum(j.low_ms) FILTER (WHERE j.low = 2) AS climb_low_ms,
        sum(j.pieces) FILTER (WHERE j.high = 3) AS cached_blocks,
        sum(j.bytes) FILTER (WHERE j.high = 3) AS cached_bytes,
        sum(j.cost_ms) FILTER (WHERE j.high = 3) AS cached_ms,
        sum(j.low_pieces) FILTER (WHERE j.low = 3) AS cached_low_blocks,
        sum(j.low_ms) FILTER (WHERE j.low = 3) AS cached_low_ms,
        sum(j.lost_outputs) AS lost_outputs, sum(j.lost_bytes) AS lost_bytes
    FROM jump j ASOF JOIN loss.asked a ON a.unit_no = j.unit_no AND j.at_ms <= a.at_ms
    GROUP BY a.unit_no, a.at_ms
)
SELECT a.unit_no, a.at_ms,
    coalesce(sum(b.tasks) OVER so_far, 0)::BIGINT AS tasks,
    coalesce(sum(b.start_ms) OVER so_far, 0)::BIGINT AS start_ms,
    coalesce(sum(b.owed_outputs) OVER so_far, 0)::BIGINT AS owed_outputs,
    coalesce(sum(b.owed_bytes) OVER so_far, 0)::BIGINT AS owed_bytes,
    coalesce(sum(b.owed_ms) OVER so_far, 0)::BIGINT AS owed_ms,
    coalesce(sum(b.owed_low_outputs) OVER so_far, 0)::BIGINT AS owed_low_outputs,
    coalesce(sum(b.owed_low_ms) OVER so_far, 0)::BIGINT AS owed_low_ms,
    coalesce(sum(b.climb_outputs) OVER so_far, 0)::BIGINT AS climb_outputs,
    coalesce(sum(b.climb_bytes) OVER so_far, 0)::BIGINT AS climb_bytes,
    coalesce(sum(b.climb_ms) OVER so_far, 0)::BIGINT AS climb_ms,
    coalesce(sum(b.climb_low_outputs) OVER so_far, 0)::BIGINT AS climb_low_outputs,
    coalesce(sum(b.climb_low_ms) OVER so_far, 0)::BIGINT AS climb_low_ms,
    coalesce(sum(b.cached_blocks) OVER so_far, 0)::BIGINT AS cached_blocks,
    coalesce(sum(b.cached_bytes) OVER so_far, 0)::BIGINT AS cached_bytes,
    coalesce(sum(b.cached_ms) OVER so_far, 0)::BIGINT AS cached_ms,
    coalesce(sum(b.cached_low_blocks) OVER so_far, 0)::BIGINT AS cached_low_blocks,
    coalesce(sum(b.cached_low_ms) OVER so_far, 0)::BIGINT AS cached_low_ms,
    coalesce(sum(b.lost_outputs) OVER so_far, 0)::BIGINT AS lost_outputs,
    coalesce(sum(b.lost_bytes) OVER so_far, 0)::BIGINT AS lost_bytes
FROM loss.asked a LEFT JOIN bucket b ON b.unit_no = a.unit_no AND b.at_ms = a.at_ms
WINDOW so_far AS (PARTITION BY a.unit_no ORDER BY a.at_ms ROWS UNBOUNDED PRECEDING);
