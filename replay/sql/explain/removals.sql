-- Purpose: what each recorded removal cost.
-- Grain:   one row per removal.
-- Inputs:  removal, explain.fetched, explain.taken, explain.redone, explain.depth, explain.freed, explain.hidden,
--   explain.left_over, explain.poison
-- Parameters: $1 the application.
--   noticed_ms (ms): the first that anyone knew: the engine gave a worker up, or a reader failed; pieces_again: distinct pieces made again;
--   stale_readers: readers launched after the first line about the loss that still went to the lost worker; host_unregistered: outputs of
--   other workers of the host that went with it; moved_outputs: moved off before; stage_attempts: stage attempts that re-runs ran in;
--   pieces_unmade: of pieces_again, not made again before the log ends; saved_ms (slot ms): of releases, see explain.freed; asked_again: workers that
--   came in the place of released ones before the repair was complete; start_up_ms (ms): what their starts took together.
-- Outputs: the columns of `replay explain`, see docs/explain.md. Outputs are map outputs; cached blocks have columns of their own.
--   owed_ms, climb_ms, unneeded_ms, duplicate_ms (slot ms): second runs; in_flight_ms, interrupted_ms (slot ms): attempts that were cut off, second
--   runs among them, so that nothing counts twice; rerun_tasks: attempts blamed on the removal; rerun_ms (slot ms): all of these together.
-- Algorithm: what is counted for each removal stands in tables before: planning one query with all the joins takes three times as long. The
--   wide tables are joined last: what a query takes on a short run grows with columns times joins.
WITH freed AS (
    SELECT
        f.removal, sum(f.saved_ms)::BIGINT AS saved_ms,
        count(*) FILTER (f.back_ms <= r.repair_end_ms) AS asked_again,
        sum(f.start_up_ms) FILTER (f.back_ms <= r.repair_end_ms) AS start_up_ms
    FROM explain.freed AS f
    LEFT JOIN explain.redone AS r ON r.removal = f.removal
    GROUP BY f.removal
),
told AS (
    SELECT
        k.removal, d.climb_depth, f.fetch_failures, f.stale_readers, f.first_fetch_ms, e.saved_ms, e.asked_again, e.start_up_ms,
        z.readers, z.extra_ms, l.cut_off, l.failed, o.stage, o.partition, o.workers
    FROM removal AS k
    LEFT JOIN explain.depth AS d ON d.removal = k.removal
    LEFT JOIN explain.fetched AS f ON f.removal = k.removal
    LEFT JOIN freed AS e ON e.removal = k.removal
    LEFT JOIN explain.hidden AS z ON z.removal = k.removal
    LEFT JOIN explain.left_over AS l ON l.removal = k.removal
    LEFT JOIN explain.poison AS o ON o.removal = k.removal
    WHERE k.app = $1
)
SELECT
    m.removal, m.removal_group, m.kind, m.unit_kind, m.unit, m.gone_low_ms, m.gone_high_ms, m.detected_ms, m.cause,
    s.resident_outputs, s.lost_outputs, s.lost_bytes, s.needed_outputs, s.in_flight_tasks, s.in_flight_ms,
    r.owed_tasks, r.owed_ms, r.climb_tasks, r.climb_ms, r.interrupted_tasks, r.interrupted_ms, r.unneeded_tasks, r.unneeded_ms, r.rerun_tasks,
    s.in_flight_ms + r.owed_ms + r.climb_ms + r.interrupted_ms + r.unneeded_ms + r.duplicate_ms + r.rollback_ms AS rerun_ms,
    coalesce(d.climb_depth, 0)::BIGINT AS climb_depth,
    m.detected_ms - s.oldest_made_ms AS oldest_lost_age_ms,
    r.repair_begin_ms, r.repair_end_ms,
    NULL::BIGINT AS delay_ms,
    m.workers, m.reason, m.first_seq,
    s.needed_ms, s.cached_blocks, s.cached_bytes, r.duplicate_tasks, r.duplicate_ms, r.rollback_tasks, r.rollback_ms,
    least(m.detected_ms, coalesce(d.first_fetch_ms, m.detected_ms)) AS noticed_ms,
    r.pieces_again,
    coalesce(d.fetch_failures, 0)::BIGINT AS fetch_failures, coalesce(d.stale_readers, 0)::BIGINT AS stale_readers,
    s.host_unregistered, s.moved_outputs, s.requeued_outputs, r.stage_attempts,
    NULL::VARCHAR AS delay_reason,
    r.pieces_unmade,
    d.saved_ms, coalesce(d.asked_again, 0)::BIGINT AS asked_again, coalesce(d.start_up_ms, 0)::BIGINT AS start_up_ms,
    coalesce(d.readers, 0)::BIGINT AS cached_readers, coalesce(d.extra_ms, 0)::BIGINT AS cached_readers_ms,
    coalesce(d.cut_off, 0)::BIGINT AS left_cut_off, coalesce(d.failed, 0)::BIGINT AS left_failed,
    d.stage AS poison_stage, d.partition AS poison_piece, coalesce(d.workers, 0)::BIGINT AS poison_workers,
    m.app
FROM told AS d
JOIN removal AS m ON m.removal = d.removal
JOIN explain.taken AS s ON s.removal = d.removal
JOIN explain.redone AS r ON r.removal = d.removal
WHERE m.app = $1
ORDER BY m.removal;
