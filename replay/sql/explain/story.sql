-- Purpose: a run's totals, against which its losses are told.
-- Grain:   one row.
-- Inputs:  app, attempt, task, fetch_failure, setting, problem, worker, stage, removal_worker, explain.blame
-- Parameters: $1 the application.
-- Outputs: start_ms, end_ms (ms): the log's span; slot_ms (slot ms): of all attempts; failed_tasks: attempts that failed by themselves;
--   task_failures_worst: most failures of one piece in one stage attempt that count towards the budget; stage_failures_worst: most attempts
--   of one stage in a row that failed to fetch (no other failure counts towards that budget); of both the stage, and the first removal to blame (null: none); budgets as set, null = the engine's default of 4; fetch_failures_of_live_workers: failed
--   fetches that no removal explains; failed_to_serve: workers that these were to be served by, as far as the log tells; failed_to_serve_worker: one of them.
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
    SELECT {'stage': stage, 'n': n, 'removal': removal} AS worst FROM fails ORDER BY n DESC, removal NULLS LAST, stage LIMIT 1
),
stage_run AS (
    SELECT
        s.stage, s.stage_attempt, f.stage IS NOT NULL AS is_failed,
        count(*) FILTER (s.failure IS NULL) OVER (PARTITION BY s.stage ORDER BY s.stage_attempt ROWS UNBOUNDED PRECEDING) AS streak
    FROM stage AS s
    LEFT JOIN (SELECT DISTINCT stage, stage_attempt FROM explain.blame) AS f ON f.stage = s.stage AND f.stage_attempt = s.stage_attempt
    WHERE s.app = $1
),
stage_fail AS (
    SELECT {'stage': r.stage, 'n': count(DISTINCT r.stage_attempt), 'removal': min(b.removal)} AS worst
    FROM stage_run AS r
    LEFT JOIN explain.blame AS b ON b.stage = r.stage AND b.stage_attempt = r.stage_attempt
    WHERE r.is_failed
    GROUP BY r.stage, r.streak
    ORDER BY count(DISTINCT r.stage_attempt) DESC, min(b.removal) NULLS LAST, r.stage
    LIMIT 1
),
budget AS (
    SELECT
        any_value(value) FILTER (name = 'spark.task.maxFailures') AS task_failures,
        any_value(value) FILTER (name = 'spark.stage.maxConsecutiveAttempts') AS stage_failures
    FROM setting
    WHERE app = $1 AND scope = 'spark'
),
live AS (
    SELECT
        count(*) AS fetch_failures_of_live_workers, count(DISTINCT f.from_worker) AS failed_to_serve,
        any_value(f.from_worker) AS failed_to_serve_worker
    FROM explain.blame AS b
    LEFT JOIN fetch_failure AS f ON f.app = $1 AND f.seq = b.seq
    WHERE b.removal IS NULL
),
-- A subquery is a join, and what the planner needs to order joins doubles with each.
counts AS (
    SELECT
        (SELECT count(*) FROM problem WHERE app = $1) AS problems,
        (SELECT count(*) FROM worker WHERE app = $1 AND NOT is_coordinator) AS workers_ever,
        (SELECT worst FROM task_fail) AS task_fail, (SELECT worst FROM stage_fail) AS stage_fail
)
SELECT
    a.app, a.cluster_manager, a.engine_version, a.time_zone, coalesce(a.first_ms, 0) AS start_ms, coalesce(a.last_ms, 0) AS end_ms,
    a.end_ms IS NOT NULL AS is_ended, t.slot_ms, t.attempts, t.failed_tasks,
    c.problems, c.workers_ever,
    coalesce(c.task_fail.n, 0)::BIGINT AS task_failures_worst, c.task_fail.stage AS task_failures_stage, c.task_fail.removal AS task_failures_removal,
    b.task_failures AS task_failure_budget,
    coalesce(c.stage_fail.n, 0)::BIGINT AS stage_failures_worst, c.stage_fail.stage AS stage_failures_stage, c.stage_fail.removal AS stage_failures_removal,
    b.stage_failures AS stage_failure_budget,
    l.fetch_failures_of_live_workers,
    l.failed_to_serve, l.failed_to_serve_worker,
    a.is_streaming
FROM app AS a
CROSS JOIN tasks AS t
CROSS JOIN budget AS b
CROSS JOIN counts AS c
CROSS JOIN live AS l
WHERE a.app = $1;
