-- Purpose: what ran again because of each recorded removal.
-- Grain:   one row per removal.
-- Inputs:  removal, attempt, output, explain.again, explain.remade
-- Parameters: $1 the application.
-- Outputs: removal; by why: owed_tasks, climb_tasks, interrupted_tasks, unneeded_tasks, duplicate_tasks, rollback_tasks; rerun_tasks: attempts
--   blamed on the removal; interrupted_ms, owed_ms, climb_ms, unneeded_ms, duplicate_ms, rollback_ms (slot ms): see `explain/removals`;
--   stage_attempts: that re-runs ran in; repair_begin_ms, repair_end_ms (ms), null without re-runs; pieces_again: distinct pieces made again;
--   pieces_unmade: of these, not made again before the log ends.
CREATE OR REPLACE TABLE explain.redone AS
WITH redo AS (
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
        count(DISTINCT (a.stage, a.stage_attempt)) AS stage_attempts,
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
)
SELECT
    m.removal,
    coalesce(r.owed_tasks, 0)::BIGINT AS owed_tasks, coalesce(r.climb_tasks, 0)::BIGINT AS climb_tasks,
    coalesce(r.interrupted_tasks, 0)::BIGINT AS interrupted_tasks, coalesce(r.unneeded_tasks, 0)::BIGINT AS unneeded_tasks,
    coalesce(r.duplicate_tasks, 0)::BIGINT AS duplicate_tasks, coalesce(r.rollback_tasks, 0)::BIGINT AS rollback_tasks,
    coalesce(r.rerun_tasks, 0)::BIGINT AS rerun_tasks, coalesce(r.interrupted_ms, 0)::BIGINT AS interrupted_ms,
    coalesce(x.owed_ms, 0)::BIGINT AS owed_ms, coalesce(x.climb_ms, 0)::BIGINT AS climb_ms, coalesce(x.unneeded_ms, 0)::BIGINT AS unneeded_ms,
    coalesce(x.duplicate_ms, 0)::BIGINT AS duplicate_ms, coalesce(x.rollback_ms, 0)::BIGINT AS rollback_ms,
    coalesce(r.stage_attempts, 0)::BIGINT AS stage_attempts, r.repair_begin_ms, r.repair_end_ms,
    coalesce(p.pieces_again, 0)::BIGINT AS pieces_again, coalesce(p.pieces_unmade, 0)::BIGINT AS pieces_unmade
FROM removal AS m
LEFT JOIN redo AS r ON r.removal = m.removal
LEFT JOIN again AS x ON x.removal = m.removal
LEFT JOIN pieces AS p ON p.removal = m.removal
WHERE m.app = $1;
