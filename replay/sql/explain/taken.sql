-- Purpose: what each recorded removal took: outputs, cached blocks, and tasks that ran.
-- Grain:   one row per removal.
-- Inputs:  removal, removal_worker, output, residence, holder, resubmit, explain.stood, explain.cut_off
-- Parameters: $1 the application.
-- Outputs: removal; resident_outputs, lost_outputs, lost_bytes, needed_outputs, needed_ms (slot ms), cached_blocks, cached_bytes, oldest_made_ms;
--   in_flight_tasks, in_flight_ms (slot ms); moved_outputs: moved off before; host_unregistered: outputs of other workers of the host that went
--   with it; requeued_outputs: whose tasks the engine put back into the queue.
CREATE OR REPLACE TABLE explain.taken AS
WITH stood AS (
    SELECT
        removal,
        count(*) FILTER (NOT is_cache) AS resident_outputs,
        count(*) FILTER (NOT is_cache AND is_lost) AS lost_outputs,
        coalesce(sum(bytes) FILTER (NOT is_cache AND is_lost), 0)::BIGINT AS lost_bytes,
        count(*) FILTER (NOT is_cache AND is_needed) AS needed_outputs,
        coalesce(sum(cost_ms) FILTER (NOT is_cache AND is_needed), 0)::BIGINT AS needed_ms,
        count(*) FILTER (is_cache AND is_lost) AS cached_blocks,
        coalesce(sum(bytes) FILTER (is_cache AND is_lost), 0)::BIGINT AS cached_bytes,
        min(made_ms) FILTER (is_needed) AS oldest_made_ms
    FROM explain.stood
    GROUP BY removal
),
cut AS (
    SELECT removal, count(*) AS in_flight_tasks, sum(wasted_ms)::BIGINT AS in_flight_ms
    FROM explain.cut_off
    GROUP BY removal
),
moved AS (
    SELECT w.removal, count(*) AS moved_outputs
    FROM removal_worker AS w
    JOIN output AS o ON o.app = w.app AND o.worker = w.worker
    JOIN residence AS r ON r.app = w.app AND r.output = o.output AND r.end_reason = 'moved'
    WHERE w.app = $1
    GROUP BY w.removal
),
host AS (
    SELECT r.removal, count(*) AS host_unregistered
    FROM residence AS r
    JOIN holder AS h ON h.app = r.app AND h.holder = r.holder
    LEFT JOIN removal_worker AS w ON w.app = r.app AND w.removal = r.removal AND w.worker = h.worker
    WHERE r.app = $1 AND r.removal IS NOT NULL AND h.dies_with = 'worker' AND w.worker IS NULL
    GROUP BY r.removal
),
requeued AS (
    SELECT w.removal, count(*) AS requeued_outputs
    FROM resubmit AS q
    JOIN removal_worker AS w ON w.app = q.app AND w.worker = q.worker
    WHERE q.app = $1
    GROUP BY w.removal
)
SELECT
    m.removal,
    coalesce(s.resident_outputs, 0)::BIGINT AS resident_outputs, coalesce(s.lost_outputs, 0)::BIGINT AS lost_outputs,
    coalesce(s.lost_bytes, 0)::BIGINT AS lost_bytes, coalesce(s.needed_outputs, 0)::BIGINT AS needed_outputs,
    coalesce(s.needed_ms, 0)::BIGINT AS needed_ms,
    coalesce(s.cached_blocks, 0)::BIGINT AS cached_blocks, coalesce(s.cached_bytes, 0)::BIGINT AS cached_bytes, s.oldest_made_ms,
    coalesce(c.in_flight_tasks, 0)::BIGINT AS in_flight_tasks, coalesce(c.in_flight_ms, 0)::BIGINT AS in_flight_ms,
    coalesce(v.moved_outputs, 0)::BIGINT AS moved_outputs, coalesce(h.host_unregistered, 0)::BIGINT AS host_unregistered,
    coalesce(q.requeued_outputs, 0)::BIGINT AS requeued_outputs
FROM removal AS m
LEFT JOIN stood AS s ON s.removal = m.removal
LEFT JOIN cut AS c ON c.removal = m.removal
LEFT JOIN moved AS v ON v.removal = m.removal
LEFT JOIN host AS h ON h.removal = m.removal
LEFT JOIN requeued AS q ON q.removal = m.removal
WHERE m.app = $1;
