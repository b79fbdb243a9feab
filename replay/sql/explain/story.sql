-- Purpose: a run's totals, against which its losses are told.
-- Grain:   one row.
-- Inputs:  app, attempt, task, setting, problem, worker, stage, removal_worker, explain.blame
-- Parameters: $1 the application.
-- Outputs: start_ms, end_ms (ms): the log's span; slot_ms (slot ms): of all attempts; failed_tasks: attempts that failed by themselves;
--   task_failures_worst: most failures of one piece in one stage attempt that count towards the budget; stage_failures_worst: most failed attempts
--   of one stage in a row; of both the stage, and the first removal to blame (null: none); budgets as set, null = the engine's default of 4; fetch_failures_of_live_workers: failed
--   fetches that no removal explains.
WITH tasks AS (
    SELECT
        coalesce(sum(end_ms - start_ms), 0)::BIGINT AS slot_ms, count(*) AS attempts,
        count(*) FILTER (status IN ('failed', 'commit_denied', 'unknown')) AS failed_tasks
    FROM attempt
    WHERE app = $1
),
fails AS (
    SELECT t.stage, count(*) AS n, min(w.removal) AS removal
    FROM task AS t
    LEFT JOIN removal_worker AS w ON w.app = t.app AND w.worker = t.worker AND t.status = 'worker_lost'
    WHERE t.app = $1 AND (t.status IN ('failed', 'result_lost', 'unknown') OR t.status = 'worker_lost' AND coalesce(t.by_app, TRUE))
    GROUP BY t.stage, t.stage_attempt, t.task_index
),
task_fail AS (
    SELECT stage, n, removal FROM fails ORDER BY n DESC, removal NULLS LAST, stage LIMIT 1
),
stage_run AS (
    SELECT
        stage, stage_attempt, failure IS NOT NULL AS is_failed,
        count(*) FILTER (failure IS NULL) OVER (PARTITION BY stage ORDER BY stage_attempt ROWS UNBOUNDED PRECEDING) AS streak
    FROM stage
    WHERE app = $1
),
stage_fail AS (
    SELECT r.stage, count(DISTINCT r.stage_attempt) AS n, min(b.removal) AS removal
    FROM stage_run AS r
    LEFT JOIN explain.blame AS b ON b.stage = r.stage AND b.stage_attempt = r.stage_attempt
    WHERE r.is_failed
    GROUP BY r.stage, r.streak
    ORDER BY n DESC, removal NULLS LAST, r.stage
    LIMIT 1
)
SELECT
    a.app, a.cluster_manager, a.engine_version, a.time_zone, coalesce(a.first_ms, 0) AS start_ms, coalesce(a.last_ms, 0) AS end_ms,
    a.end_ms IS NOT NULL AS is_ended, t.slot_ms, t.attempts, t.failed_tasks,
    (SELECT count(*) FROM problem AS p WHERE p.app = $1) AS problems,
    (SELECT count(*) FROM worker AS w WHERE w.app = $1 AND NOT w.is_coordinator) AS workers_ever,
    coalesce((SELECT n FROM task_fail), 0)::BIGINT AS task_failures_worst, (SELECT stage FROM task_fail) AS task_failures_stage,
    (SELECT removal FROM task_fail) AS task_failures_removal,
    (SELECT any_value(s.value) FROM setting AS s WHERE s.app = $1 AND s.scope = 'spark' AND s.name = 'spark.task.maxFailures') AS task_failure_budget,
    coalesce((SELECT n FROM stage_fail), 0)::BIGINT AS stage_failures_worst, (SELECT stage FROM stage_fail) AS stage_failures_stage,
    (SELECT removal FROM stage_fail) AS stage_failures_removal,
    (SELECT any_value(s.value) FROM setting AS s WHERE s.app = $1 AND s.scope = 'spark' AND s.name = 'spark.stage.maxConsecutiveAttempts') AS stage_failure_budget,
    (SELECT count(*) FROM explain.blame AS b WHERE b.removal IS NULL) AS fetch_failures_of_live_workers,
    a.is_streaming
FROM app AS a
CROSS JOIN tasks AS t
WHERE a.app = $1;
