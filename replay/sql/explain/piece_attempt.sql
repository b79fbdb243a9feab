-- Purpose: every task attempt with the piece that it stood for and the attempt of the same piece before it
-- Grain:   one row per task attempt
-- Inputs:  attempt, task
-- Parameters: $1 the application.
-- Outputs: task; piece_kind (map: the group is a dataset, result: a stage, index: a stage attempt whose pieces are not known),
--   piece_group, partition; job, stage, stage_attempt, worker, machine, start_ms, end_ms (ms), status, is_speculative,
--   start_seq, end_seq (lines; end_seq of an attempt without an end is beyond all lines);
--   prev_task, prev_status, prev_worker, prev_stage, prev_stage_attempt, prev_start_seq, prev_end_seq, prev_start_ms, prev_end_ms: the attempt launched before it
CREATE OR REPLACE TABLE explain.piece_attempt AS
WITH placed AS (
    SELECT
        a.task, a.job, a.stage, a.stage_attempt, a.worker, a.machine, a.start_ms, a.end_ms, a.status, a.is_speculative,
        CASE WHEN a.partition IS NULL THEN 'index' WHEN a.dataset IS NOT NULL THEN 'map' ELSE 'result' END AS piece_kind,
        CASE WHEN a.partition IS NULL THEN a.stage * 1000 + a.stage_attempt WHEN a.dataset IS NOT NULL THEN a.dataset ELSE a.stage END AS piece_group,
        coalesce(a.partition, a.task_index) AS partition,
        coalesce(t.start_seq, t.end_seq, 0) AS start_seq,
        coalesce(t.end_seq, 9223372036854775807) AS end_seq
    FROM attempt AS a
    JOIN task AS t ON t.app = a.app AND t.task = a.task
    WHERE a.app = $1
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
