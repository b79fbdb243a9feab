-- Purpose: what each recorded removal cost.
-- Grain:   one row per removal.
-- Inputs:  removal, removal_worker, resubmit, attempt, task, output, residence, holder, fetch_failure, explain.blame, explain.stood, explain.cut_off, explain.again, explain.depth, explain.remade,
--   explain.freed, explain.hidden, explain.left_over, explain.poison
-- Parameters: $1 the application.
--   noticed_ms (ms): the first that anyone knew: the engine gave a worker up, or a reader failed; pieces_again: distinct pieces made again;
--   stale_readers: readers launched after the first line about the loss that still went to the lost worker; host_unregistered: outputs of
--   other workers of the host that went with it; moved_outputs: moved off before; stage_attempts: stage attempts that re-runs ran in;
--   pieces_unmade: of pieces_again, not made again before the log ends; saved_ms (slot ms): of releases, see explain.freed; asked_again: workers that
--   came in the place of released ones before the repair was complete; start_up_ms (ms): what their starts took together.
-- Outputs: the columns of `replay explain`, see docs/explain.md. Outputs are map outputs; cached blocks have columns of their own.
--   owed_ms, climb_ms, unneeded_ms, duplicate_ms (slot ms): second runs; in_flight_ms, interrupted_ms (slot ms): attempts that were cut off, second
--   runs among them, so that nothing counts twice; rerun_tasks: attempts blamed on the removal; rerun_ms (slot ms): all of these together.
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
redo AS (
    SELECT
        g.removal,
        count(*) FILTER (g.why = 'owed') AS owed_tasks,
        count(*) FILTER (g.why = 'climb') AS climb_tasks,
        count(*) FILTER (g.why = 'interrupted') AS interrupted_tasks,
        coalesce(sum(g.wasted_ms) FILTER (g.why = 'interrupted'), 0)::BIGINT AS interrupted_ms,
        count(*) FILTER (g.why = 'unneeded') AS unneeded_tasks,
        count(*) FILTER (g.why = 'duplicate') AS duplicate_tasks,
        count(*) FILTER (g.why = 'rollback') AS rollback_tasks,
        count(*) AS rerun_tasks,
        min(a.start_ms) AS repair_begin_ms,
        max(a.end_ms) AS repair_end_ms
    FROM explain.again AS g
    JOIN attempt AS a ON a.app = $1 AND a.task = g.task
    WHERE g.removal IS NOT NULL
    GROUP BY g.removal
),
again AS (
    SELECT
        g.redo_removal AS removal,
        coalesce(sum(a.end_ms - a.start_ms) FILTER (g.redo = 'owed'), 0)::BIGINT AS owed_ms,
        coalesce(sum(a.end_ms - a.start_ms) FILTER (g.redo = 'climb'), 0)::BIGINT AS climb_ms,
        coalesce(sum(a.end_ms - a.start_ms) FILTER (g.redo = 'unneeded'), 0)::BIGINT AS unneeded_ms,
        coalesce(sum(a.end_ms - a.start_ms) FILTER (g.redo = 'duplicate'), 0)::BIGINT AS duplicate_ms,
        coalesce(sum(a.end_ms - a.start_ms) FILTER (g.redo = 'rollback'), 0)::BIGINT AS rollback_ms
    FROM explain.again AS g
    JOIN attempt AS a ON a.app = $1 AND a.task = g.task
    WHERE g.redo_removal IS NOT NULL
    GROUP BY g.redo_removal
),
pieces AS (
    SELECT
        g.removal, count(DISTINCT (o.dataset, o.partition)) AS pieces_again,
        count(DISTINCT (o.dataset, o.partition)) FILTER (NOT m.is_made) AS pieces_unmade
    FROM explain.again AS g
    JOIN explain.remade AS m ON m.task = g.task
    JOIN output AS o ON o.app = $1 AND o.output = g.prev_output
    WHERE g.why IN ('owed', 'climb', 'unneeded', 'rollback') AND g.removal IS NOT NULL
    GROUP BY g.removal
),
fetches AS (
    SELECT
        b.removal, count(*) AS fetch_failures, min(f.at_ms) AS first_fetch_ms,
        count(*) FILTER (t.start_seq > m.first_seq) AS stale_readers
    FROM explain.blame AS b
    JOIN removal AS m ON m.app = $1 AND m.removal = b.removal
    JOIN fetch_failure AS f ON f.app = $1 AND f.seq = b.seq
    JOIN task AS t ON t.app = $1 AND t.task = b.task
    WHERE b.removal IS NOT NULL
    GROUP BY b.removal
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
),
freed AS (
    SELECT
        f.removal, sum(f.saved_ms)::BIGINT AS saved_ms,
        count(*) FILTER (f.back_ms <= r.repair_end_ms) AS asked_again,
        sum(f.start_up_ms) FILTER (f.back_ms <= r.repair_end_ms) AS start_up_ms
    FROM explain.freed AS f
    LEFT JOIN redo AS r ON r.removal = f.removal
    GROUP BY f.removal
),
rounds AS (
    SELECT g.removal, count(DISTINCT (a.stage, a.stage_attempt)) AS stage_attempts
    FROM explain.again AS g
    JOIN attempt AS a ON a.app = $1 AND a.task = g.task
    WHERE g.removal IS NOT NULL
    GROUP BY g.removal
)
SELECT
    m.removal, m.removal_group, m.kind, m.unit_kind, m.unit, m.gone_low_ms, m.gone_high_ms, m.detected_ms, m.cause,
    coalesce(s.resident_outputs, 0)::BIGINT AS resident_outputs, coalesce(s.lost_outputs, 0)::BIGINT AS lost_outputs,
    coalesce(s.lost_bytes, 0)::BIGINT AS lost_bytes, coalesce(s.needed_outputs, 0)::BIGINT AS needed_outputs,
    coalesce(c.in_flight_tasks, 0)::BIGINT AS in_flight_tasks, coalesce(c.in_flight_ms, 0)::BIGINT AS in_flight_ms,
    coalesce(r.owed_tasks, 0)::BIGINT AS owed_tasks, coalesce(x.owed_ms, 0)::BIGINT AS owed_ms,
    coalesce(r.climb_tasks, 0)::BIGINT AS climb_tasks, coalesce(x.climb_ms, 0)::BIGINT AS climb_ms,
    coalesce(r.interrupted_tasks, 0)::BIGINT AS interrupted_tasks, coalesce(r.interrupted_ms, 0)::BIGINT AS interrupted_ms,
    coalesce(r.unneeded_tasks, 0)::BIGINT AS unneeded_tasks, coalesce(x.unneeded_ms, 0)::BIGINT AS unneeded_ms,
    coalesce(r.rerun_tasks, 0)::BIGINT AS rerun_tasks,
    (coalesce(c.in_flight_ms, 0) + coalesce(x.owed_ms, 0) + coalesce(x.climb_ms, 0) + coalesce(r.interrupted_ms, 0)
        + coalesce(x.unneeded_ms, 0) + coalesce(x.duplicate_ms, 0) + coalesce(x.rollback_ms, 0))::BIGINT AS rerun_ms,
    coalesce(d.climb_depth, 0)::BIGINT AS climb_depth,
    m.detected_ms - s.oldest_made_ms AS oldest_lost_age_ms,
    r.repair_begin_ms, r.repair_end_ms,
    NULL::BIGINT AS delay_ms,
    m.workers, m.reason, m.first_seq,
    coalesce(s.needed_ms, 0)::BIGINT AS needed_ms,
    coalesce(s.cached_blocks, 0)::BIGINT AS cached_blocks, coalesce(s.cached_bytes, 0)::BIGINT AS cached_bytes,
    coalesce(r.duplicate_tasks, 0)::BIGINT AS duplicate_tasks, coalesce(x.duplicate_ms, 0)::BIGINT AS duplicate_ms,
    coalesce(r.rollback_tasks, 0)::BIGINT AS rollback_tasks, coalesce(x.rollback_ms, 0)::BIGINT AS rollback_ms,
    least(m.detected_ms, coalesce(f.first_fetch_ms, m.detected_ms)) AS noticed_ms,
    coalesce(p.pieces_again, 0)::BIGINT AS pieces_again,
    coalesce(f.fetch_failures, 0)::BIGINT AS fetch_failures, coalesce(f.stale_readers, 0)::BIGINT AS stale_readers,
    coalesce(h.host_unregistered, 0)::BIGINT AS host_unregistered, coalesce(v.moved_outputs, 0)::BIGINT AS moved_outputs,
    coalesce(q.requeued_outputs, 0)::BIGINT AS requeued_outputs, coalesce(n.stage_attempts, 0)::BIGINT AS stage_attempts,
    NULL::VARCHAR AS delay_reason,
    coalesce(p.pieces_unmade, 0)::BIGINT AS pieces_unmade,
    e.saved_ms, coalesce(e.asked_again, 0)::BIGINT AS asked_again, coalesce(e.start_up_ms, 0)::BIGINT AS start_up_ms,
    coalesce(z.readers, 0)::BIGINT AS cached_readers, coalesce(z.extra_ms, 0)::BIGINT AS cached_readers_ms,
    coalesce(l.cut_off, 0)::BIGINT AS left_cut_off, coalesce(l.failed, 0)::BIGINT AS left_failed,
    o.stage AS poison_stage, o.partition AS poison_piece, coalesce(o.workers, 0)::BIGINT AS poison_workers,
    m.app
FROM removal AS m
LEFT JOIN stood AS s ON s.removal = m.removal
LEFT JOIN cut AS c ON c.removal = m.removal
LEFT JOIN redo AS r ON r.removal = m.removal
LEFT JOIN again AS x ON x.removal = m.removal
LEFT JOIN explain.depth AS d ON d.removal = m.removal
LEFT JOIN pieces AS p ON p.removal = m.removal
LEFT JOIN fetches AS f ON f.removal = m.removal
LEFT JOIN moved AS v ON v.removal = m.removal
LEFT JOIN host AS h ON h.removal = m.removal
LEFT JOIN requeued AS q ON q.removal = m.removal
LEFT JOIN rounds AS n ON n.removal = m.removal
LEFT JOIN freed AS e ON e.removal = m.removal
LEFT JOIN explain.hidden AS z ON z.removal = m.removal
LEFT JOIN explain.left_over AS l ON l.removal = m.removal
LEFT JOIN explain.poison AS o ON o.removal = m.removal
WHERE m.app = $1
ORDER BY m.removal;
