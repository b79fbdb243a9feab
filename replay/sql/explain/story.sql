-- Purpose: a run's totals, against which its losses are told.
-- Grain:   one row.
-- Inputs:  app, attempt, task, setting, problem, worker, stage, explain.blame
-- Parameters: $1 the application.
-- Outputs: start_ms, end_ms (ms): the log's span; slot_ms (slot ms): of all attempts; failed_tasks: attempts that failed by themselves;
--   task_failures_worst: most failures of one piece in one stage attempt that count towards the budget; stage_failures_worst: most failed attempts
--   of one stage, an upper bound of those in a row; budgets as set, null = the engine's default of 4; fetch_failures_of_live_workers: failed
--   fetches that no removal explains.
WITH tasks AS (
    SELECT
        coalesce(sum(end_ms - start_ms), 0)::BIGINT AS slot_ms, count(*) AS attempts,
        count(*) FILTER (status IN ('failed', 'commit_denied', 'unknown')) AS failed_tasks
    FROM attempt
    WHERE app = $1
),
fails AS (
    SELECT count(*) AS n
    FROM task
    WHERE app = $1 AND (status IN ('failed', 'result_lost', 'unknown') OR status = 'worker_lost' AND coalesce(by_app, TRUE))
    GROUP BY stage, stage_attempt, task_index
),
stage_fails AS (
    SELECT count(*) FILTER (failure IS NOT NULL) AS n FROM stage WHERE app = $1 GROUP BY stage
)
SELECT
    a.app, a.cluster_manager, a.engine_version, a.time_zone, coalesce(a.first_ms, 0) AS start_ms, coalesce(a.last_ms, 0) AS end_ms,
    a.end_ms IS NOT NULL AS is_ended, t.slot_ms, t.attempts, t.failed_tasks,
    (SELECT count(*) FROM problem AS p WHERE p.app = $1) AS problems,
    (SELECT count(*) FROM worker AS w WHERE w.app = $1 AND NOT w.is_coordinator) AS workers_ever,
    coalesce((SELECT max(n) FROM fails), 0)::BIGINT AS task_failures_worst,
    (SELECT any_value(s.value) FROM setting AS s WHERE s.app = $1 AND s.scope = 'spark' AND s.name = 'spark.task.maxFailures') AS task_failure_budget,
    coalesce((SELECT max(n) FROM stage_fails), 0)::BIGINT AS stage_failures_worst,
    (SELECT any_value(s.value) FROM setting AS s WHERE s.app = $1 AND s.scope = 'spark' AND s.name = 'spark.stage.maxConsecutiveAttempts') AS stage_failure_budget,
    (SELECT count(*) FROM explain.blame AS b WHERE b.removal IS NULL) AS fetch_failures_of_live_workers,
    a.is_streaming
FROM app AS a
CROSS JOIN tasks AS t
WHERE a.app = $1;
