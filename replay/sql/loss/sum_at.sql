-- Purpose: the sums at the instants that were asked for.
-- Grain:   one row per unit and instant of loss.asked.
-- Inputs:  loss.asked, loss.flight, loss.delta_own, loss.delta_shared, loss.lost
-- Outputs: unit_no; at_ms (ms); tasks, start_ms: as in loss.flight, summed up; counts, bytes and slot ms of owed, climb,
--          cached and their low twins; lost_outputs, lost_bytes: all that would be lost, needed or not.
-- Algorithm: every jump goes to the first instant asked for that is not before it. Sums over these, as in loss.curve: a
--            row behind the last instant of each unit takes all of the unit back.
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
located AS (
    SELECT j.unit_no, a.at_ms AS asked_ms, j.high, j.low, j.pieces, j.bytes, j.cost_ms, j.low_pieces, j.low_ms, j.tasks, j.start_ms,
        j.lost_outputs, j.lost_bytes
    FROM jump j ASOF JOIN loss.asked a ON a.unit_no = j.unit_no AND j.at_ms <= a.at_ms
    UNION ALL
    SELECT unit_no, at_ms, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    FROM loss.asked
),
bucket AS MATERIALIZED (
    SELECT unit_no, asked_ms AS at_ms,
        coalesce(sum(tasks), 0)::BIGINT AS tasks,
        coalesce(sum(start_ms), 0)::BIGINT AS start_ms,
        coalesce(sum(pieces) FILTER (WHERE high = 1), 0)::BIGINT AS owed_outputs,
        coalesce(sum(bytes) FILTER (WHERE high = 1), 0)::BIGINT AS owed_bytes,
        coalesce(sum(cost_ms) FILTER (WHERE high = 1), 0)::BIGINT AS owed_ms,
        coalesce(sum(low_pieces) FILTER (WHERE low = 1), 0)::BIGINT AS owed_low_outputs,
        coalesce(sum(low_ms) FILTER (WHERE low = 1), 0)::BIGINT AS owed_low_ms,
        coalesce(sum(pieces) FILTER (WHERE high = 2), 0)::BIGINT AS climb_outputs,
        coalesce(sum(bytes) FILTER (WHERE high = 2), 0)::BIGINT AS climb_bytes,
        coalesce(sum(cost_ms) FILTER (WHERE high = 2), 0)::BIGINT AS climb_ms,
        coalesce(sum(low_pieces) FILTER (WHERE low = 2), 0)::BIGINT AS climb_low_outputs,
        coalesce(sum(low_ms) FILTER (WHERE low = 2), 0)::BIGINT AS climb_low_ms,
        coalesce(sum(pieces) FILTER (WHERE high = 3), 0)::BIGINT AS cached_blocks,
        coalesce(sum(bytes) FILTER (WHERE high = 3), 0)::BIGINT AS cached_bytes,
        coalesce(sum(cost_ms) FILTER (WHERE high = 3), 0)::BIGINT AS cached_ms,
        coalesce(sum(low_pieces) FILTER (WHERE low = 3), 0)::BIGINT AS cached_low_blocks,
        coalesce(sum(low_ms) FILTER (WHERE low = 3), 0)::BIGINT AS cached_low_ms,
        coalesce(sum(lost_outputs), 0)::BIGINT AS lost_outputs,
        coalesce(sum(lost_bytes), 0)::BIGINT AS lost_bytes
    FROM located
    GROUP BY unit_no, asked_ms
),
total AS (
    SELECT unit_no,
        sum(tasks)::BIGINT AS tasks,
        sum(start_ms)::BIGINT AS start_ms,
        sum(owed_outputs)::BIGINT AS owed_outputs,
        sum(owed_bytes)::BIGINT AS owed_bytes,
        sum(owed_ms)::BIGINT AS owed_ms,
        sum(owed_low_outputs)::BIGINT AS owed_low_outputs,
        sum(owed_low_ms)::BIGINT AS owed_low_ms,
        sum(climb_outputs)::BIGINT AS climb_outputs,
        sum(climb_bytes)::BIGINT AS climb_bytes,
        sum(climb_ms)::BIGINT AS climb_ms,
        sum(climb_low_outputs)::BIGINT AS climb_low_outputs,
        sum(climb_low_ms)::BIGINT AS climb_low_ms,
        sum(cached_blocks)::BIGINT AS cached_blocks,
        sum(cached_bytes)::BIGINT AS cached_bytes,
        sum(cached_ms)::BIGINT AS cached_ms,
        sum(cached_low_blocks)::BIGINT AS cached_low_blocks,
        sum(cached_low_ms)::BIGINT AS cached_low_ms,
        sum(lost_outputs)::BIGINT AS lost_outputs,
        sum(lost_bytes)::BIGINT AS lost_bytes
    FROM bucket
    GROUP BY unit_no
),
edged AS (
    SELECT unit_no, at_ms, false AS is_end,
        tasks, start_ms, owed_outputs, owed_bytes, owed_ms, owed_low_outputs, owed_low_ms, climb_outputs, climb_bytes,
        climb_ms, climb_low_outputs, climb_low_ms, cached_blocks, cached_bytes, cached_ms, cached_low_blocks,
        cached_low_ms, lost_outputs, lost_bytes
    FROM bucket
    UNION ALL
    SELECT unit_no, 0 AS at_ms, true AS is_end,
        -tasks, -start_ms, -owed_outputs, -owed_bytes, -owed_ms, -owed_low_outputs, -owed_low_ms, -climb_outputs,
        -climb_bytes, -climb_ms, -climb_low_outputs, -climb_low_ms, -cached_blocks, -cached_bytes, -cached_ms,
        -cached_low_blocks, -cached_low_ms, -lost_outputs, -lost_bytes
    FROM total
),
sorted AS (
    SELECT unit_no, at_ms, is_end,
        tasks, start_ms, owed_outputs, owed_bytes, owed_ms, owed_low_outputs, owed_low_ms, climb_outputs, climb_bytes,
        climb_ms, climb_low_outputs, climb_low_ms, cached_blocks, cached_bytes, cached_ms, cached_low_blocks,
        cached_low_ms, lost_outputs, lost_bytes
    FROM edged
    ORDER BY unit_no, is_end, at_ms
),
running AS (
    SELECT unit_no, at_ms, is_end,
        (sum(tasks) OVER (ROWS UNBOUNDED PRECEDING))::BIGINT AS tasks,
        (sum(start_ms) OVER (ROWS UNBOUNDED PRECEDING))::BIGINT AS start_ms,
        (sum(owed_outputs) OVER (ROWS UNBOUNDED PRECEDING))::BIGINT AS owed_outputs,
        (sum(owed_bytes) OVER (ROWS UNBOUNDED PRECEDING))::BIGINT AS owed_bytes,
        (sum(owed_ms) OVER (ROWS UNBOUNDED PRECEDING))::BIGINT AS owed_ms,
        (sum(owed_low_outputs) OVER (ROWS UNBOUNDED PRECEDING))::BIGINT AS owed_low_outputs,
        (sum(owed_low_ms) OVER (ROWS UNBOUNDED PRECEDING))::BIGINT AS owed_low_ms,
        (sum(climb_outputs) OVER (ROWS UNBOUNDED PRECEDING))::BIGINT AS climb_outputs,
        (sum(climb_bytes) OVER (ROWS UNBOUNDED PRECEDING))::BIGINT AS climb_bytes,
        (sum(climb_ms) OVER (ROWS UNBOUNDED PRECEDING))::BIGINT AS climb_ms,
        (sum(climb_low_outputs) OVER (ROWS UNBOUNDED PRECEDING))::BIGINT AS climb_low_outputs,
        (sum(climb_low_ms) OVER (ROWS UNBOUNDED PRECEDING))::BIGINT AS climb_low_ms,
        (sum(cached_blocks) OVER (ROWS UNBOUNDED PRECEDING))::BIGINT AS cached_blocks,
        (sum(cached_bytes) OVER (ROWS UNBOUNDED PRECEDING))::BIGINT AS cached_bytes,
        (sum(cached_ms) OVER (ROWS UNBOUNDED PRECEDING))::BIGINT AS cached_ms,
        (sum(cached_low_blocks) OVER (ROWS UNBOUNDED PRECEDING))::BIGINT AS cached_low_blocks,
        (sum(cached_low_ms) OVER (ROWS UNBOUNDED PRECEDING))::BIGINT AS cached_low_ms,
        (sum(lost_outputs) OVER (ROWS UNBOUNDED PRECEDING))::BIGINT AS lost_outputs,
        (sum(lost_bytes) OVER (ROWS UNBOUNDED PRECEDING))::BIGINT AS lost_bytes
    FROM sorted
)
SELECT unit_no, at_ms,
    tasks, start_ms, owed_outputs, owed_bytes, owed_ms, owed_low_outputs, owed_low_ms, climb_outputs, climb_bytes,
    climb_ms, climb_low_outputs, climb_low_ms, cached_blocks, cached_bytes, cached_ms, cached_low_blocks, cached_low_ms,
    lost_outputs, lost_bytes
FROM running
WHERE NOT is_end;
