-- Purpose: every attempt that ran a piece again, with its first run.
-- Grain:   one row per such attempt.
-- Inputs:  explain.again, explain.piece_attempt, attempt, output
-- Parameters: $1 the application.
-- Outputs: the columns of `replay explain --tasks`, see docs/explain.md.
SELECT
    g.removal, g.triggered_by, g.why, p.job, p.stage,
    CASE WHEN p.piece_kind = 'map' THEN p.piece_group END AS shuffle,
    p.partition,
    f.stage AS first_stage, f.task AS first_task, f.worker AS first_worker, f.machine AS first_machine, f.end_ms AS first_success_ms,
    p.stage AS rerun_stage, p.stage_attempt AS rerun_stage_attempt, p.task AS rerun_task, p.worker AS rerun_worker,
    p.start_ms AS rerun_start_ms, CASE WHEN p.end_seq < 9223372036854775807 THEN p.end_ms END AS rerun_end_ms,
    g.loss_ms, g.prev_task, p.status AS rerun_status, g.wasted_ms, CAST($1 AS VARCHAR) AS app
FROM explain.again AS g
JOIN explain.piece_attempt AS p ON p.task = g.task
LEFT JOIN attempt AS f ON f.app = $1 AND f.task = g.first_task
ORDER BY g.removal NULLS LAST, p.start_ms, p.task;
