-- Purpose: every attempt of a piece that was tried more than once, with the attempt of the same piece before it
-- Grain:   one row per such task attempt
-- Inputs:  attempt, task, rerun
-- Parameters: $1 the application.
-- Outputs: task; piece_kind (map: the group is a dataset, result: a stage, index: a stage attempt whose pieces are not known),
--   piece_group, partition; job, stage, stage_attempt, worker, machine, start_ms, end_ms (ms), status, is_speculative,
--   start_seq, end_seq (lines; end_seq of an attempt without an end is beyond all lines);
--   prev_task, prev_status, prev_worker, prev_stage, prev_stage_attempt, prev_start_seq, prev_end_seq, prev_start_ms, prev_end_ms: the attempt launched before it
-- Algorithm: few pieces have more than one attempt. They are found by three numbers a task, before anything else of a task is read.
CREATE OR REPLACE TABLE explain.piece_attempt AS
WITH piece AS MATERIALIZED (
    SELECT
        task,
        CASE WHEN partition IS NULL THEN 0 WHEN dataset IS NOT NULL THEN 1 ELSE 2 END AS kind,
        CASE WHEN partition IS NULL THEN stage * 1000 + stage_attempt WHEN dataset IS NOT NULL THEN dataset ELSE stage END AS piece_group,
        coalesce(partition, task_index) AS partition
    FROM attempt
    WHERE app = $1
),
repeated AS (
    SELECT kind, piece_group, partition FROM piece GROUP BY kind, piece_group, partition HAVING count(*) > 1
),
chosen AS (
    SELECT p.task, p.kind, p.piece_group, p.partition
    FROM piece AS p
    SEMI JOIN repeated AS r ON r.kind = p.kind AND r.piece_group = p.piece_group AND r.partition = p.partition
    UNION
    SELECT p.task, p.kind, p.piece_group, p.partition
    FROM piece AS p
    SEMI JOIN rerun AS r ON r.app = $1 AND r.task = p.task
),
placed AS MATERIALIZED (
    SELECT
        a.task, a.job, a.stage, a.stage_attempt, a.worker, a.machine, a.start_ms, a.end_ms, a.status, a.is_speculative,
        ['index', 'map', 'result'][c.kind + 1] AS piece_kind, c.piece_group, c.partition,
        coalesce(t.start_seq, t.end_seq, 0) AS start_seq,
        coalesce(t.end_seq, 9223372036854775807) AS end_seq
    FROM chosen AS c
    JOIN attempt AS a ON a.app = $1 AND a.task = c.task
    JOIN task AS t ON t.app = a.app AND t.task = a.task
)
SELECT
    *,
    lag(task) OVER w AS prev_task,
    lag(status) OVER w AS prev_status,
    lag(worker) OVER w AS prev_worker,
    lag(stage) OVER w AS prev_stage,
    lag(stage_attempt) OVER w AS prev_stage_attempt,
    lag(start_seq) OVER w AS prev_start_seq,
    lag(end_seq) OVER w AS prev_end_seq,
    lag(start_ms) OVER w AS prev_start_ms,
    lag(end_ms) OVER w AS prev_end_ms
FROM placed
WINDOW w AS (PARTITION BY piece_kind, piece_group, partition ORDER BY start_seq, task)
ORDER BY task;
