-- Purpose: every attempt that ran a piece again because of a loss or of the engine's own waste, with why and whom to blame
-- Grain:   one row per such attempt; retries after a task's own failure are none
-- Inputs:  explain.piece_attempt, explain.output_end, explain.blame, explain.cut_off; rerun, output, need, removal_worker, resubmit, stage, attempt
-- Parameters: $1 the application.
-- Outputs: task; why (owed, climb, in-flight, interrupted, unneeded, duplicate, speculation, rollback), removal (null: no removal is to blame),
--   triggered_by (what made the engine run it), first_output, first_task: the first success, null when there was none;
--   wasted_ms (slot ms): of the attempt before it that was cut off, for in-flight and interrupted;
--   redo, redo_removal, redo_output: as which reason, to which removal, and for which lost output, its own slot time counts as done again. A second run that is cut off itself
--   counts as cut off; the attempt that takes it up stands in for it. null: no second run (cut off, or the first to succeed).
--   loss_ms (ms): when the last copy went
CREATE OR REPLACE TABLE explain.again AS
WITH lost AS MATERIALIZED (
    SELECT
        p.*, r.first_output, r.first_task, r.prev_output, r.prev_is_alive, e.loss_seq, e.loss_ms, e.loss_reason, e.removal AS loss_removal,
        r.task IS NOT NULL AS had_output,
        r.task IS NOT NULL AND NOT r.prev_is_alive AND coalesce(p.prev_start_seq < e.loss_seq, TRUE) AS is_first_after_loss
    FROM explain.piece_attempt AS p
    LEFT JOIN rerun AS r ON r.app = $1 AND r.task = p.task
    LEFT JOIN explain.output_end AS e ON e.output = r.prev_output
    WHERE p.prev_task IS NOT NULL OR r.task IS NOT NULL
),
reading AS (
    SELECT
        l.task,
        coalesce(bool_or(NOT n.is_rerun AND n.until_ms > l.loss_ms), FALSE) AS is_owed,
        coalesce(bool_or(n.is_rerun AND n.until_ms > l.start_ms), FALSE) AS is_climb
    FROM lost AS l
    JOIN need AS n ON n.app = $1 AND l.piece_kind = 'map' AND n.dataset = l.piece_group
    WHERE l.is_first_after_loss
    GROUP BY l.task
),
reasoned AS (
    SELECT
        l.*,
        CASE
            WHEN l.is_speculative THEN 'speculation'
            WHEN l.had_output AND l.prev_is_alive AND l.prev_end_seq > l.start_seq THEN 'duplicate'
            WHEN l.had_output AND l.prev_is_alive THEN 'unneeded'
            WHEN l.is_first_after_loss AND l.loss_reason = 'rolled_back' THEN 'rollback'
            WHEN l.is_first_after_loss AND d.is_owed THEN 'owed'
            WHEN l.is_first_after_loss AND d.is_climb THEN 'climb'
            WHEN l.is_first_after_loss THEN 'unneeded'
            WHEN l.prev_end_seq > l.start_seq AND l.prev_status <> 'running' THEN 'duplicate'
            WHEN l.prev_status = 'fetch_failed' THEN 'interrupted'
            WHEN l.prev_status IN ('worker_lost', 'running') AND w.removal IS NOT NULL THEN 'in-flight'
            WHEN l.prev_status = 'worker_lost' THEN 'in-flight'
            WHEN l.prev_status = 'result_lost' AND w.removal IS NOT NULL THEN 'in-flight'
            WHEN l.prev_status = 'success' AND l.piece_kind = 'map' THEN 'owed'
            WHEN l.prev_status = 'success' THEN 'unneeded'
        END AS why,
        w.removal AS worker_removal,
        b.removal AS fetch_removal
    FROM lost AS l
    LEFT JOIN reading AS d ON d.task = l.task
    LEFT JOIN removal_worker AS w ON w.app = $1 AND w.worker = l.prev_worker
    LEFT JOIN explain.blame AS b ON b.task = l.prev_task
),
stage_cause AS (
    SELECT stage, stage_attempt, min_by(removal, seq) AS removal, min(seq) AS seq
    FROM explain.blame
    GROUP BY stage, stage_attempt
),
started AS (
    SELECT s.stage, s.stage_attempt, s.job, b.task AS fetch_task, b.seq AS fetch_seq
    FROM stage AS s
    ASOF LEFT JOIN explain.blame AS b ON b.seq < s.submit_seq
    WHERE s.app = $1
),
told AS (
    SELECT
        r.task,
        r.why,
        CASE
            WHEN r.why IN ('owed', 'climb', 'unneeded', 'rollback') THEN coalesce(r.loss_removal, r.worker_removal)
            WHEN r.why = 'interrupted' THEN r.fetch_removal
            WHEN r.why = 'in-flight' THEN r.worker_removal
            WHEN r.why = 'duplicate' THEN coalesce(c.removal, r.loss_removal)
        END AS removal,
        CASE
            WHEN r.why = 'speculation' THEN 'a slow attempt'
            WHEN r.stage = r.prev_stage AND r.stage_attempt = r.prev_stage_attempt THEN
                CASE WHEN r.why IN ('owed', 'climb', 'unneeded') THEN 'the running stage re-queued it' ELSE 'the running stage tried again' END
            WHEN s.fetch_seq > coalesce(r.loss_seq, 0) THEN 'failed fetch of task ' || s.fetch_task
            ELSE coalesce('job ' || s.job, 'a job') || ' needed it'
        END AS triggered_by,
        r.first_output, r.first_task, r.prev_output, r.prev_task, r.loss_ms,
        r.piece_kind, r.piece_group, r.partition, r.start_seq,
        CASE WHEN r.why IN ('in-flight', 'interrupted') THEN greatest(r.prev_end_ms - r.prev_start_ms, 0) ELSE 0 END AS wasted_ms
    FROM reasoned AS r
    LEFT JOIN stage_cause AS c ON c.stage = r.prev_stage AND c.stage_attempt = r.prev_stage_attempt
    LEFT JOIN started AS s ON s.stage = r.stage AND s.stage_attempt = r.stage_attempt
    WHERE r.why IS NOT NULL
),
carried AS (
    SELECT
        *,
        coalesce(lead(why) OVER w IN ('in-flight', 'interrupted') AND lead(prev_task) OVER w = task, FALSE)
            OR task IN (SELECT c.task FROM explain.cut_off AS c) AS is_cut_off,
        last_value(CASE WHEN why NOT IN ('in-flight', 'interrupted') THEN why WHEN first_task IS NULL THEN '' END IGNORE NULLS) OVER w AS redo,
        last_value(CASE WHEN why NOT IN ('in-flight', 'interrupted') THEN coalesce(removal, -1) END IGNORE NULLS) OVER w AS redo_removal,
        last_value(CASE WHEN why NOT IN ('in-flight', 'interrupted') THEN coalesce(prev_output, -1) END IGNORE NULLS) OVER w AS redo_output
    FROM told
    WINDOW w AS (PARTITION BY piece_kind, piece_group, partition ORDER BY start_seq, task)
)
SELECT
    task, why, removal, triggered_by, first_output, first_task, prev_output, prev_task, loss_ms, wasted_ms,
    CASE WHEN NOT is_cut_off AND redo <> '' THEN redo END AS redo,
    CASE WHEN NOT is_cut_off AND redo <> '' THEN nullif(redo_removal, -1) END AS redo_removal,
    CASE WHEN NOT is_cut_off AND redo <> '' THEN nullif(redo_output, -1) END AS redo_output
FROM carried
ORDER BY task;
