-- Purpose: every task attempt with the piece that it stood for and the attempt of the same piece before it
-- Grain:   one row per task attempt
-- Inputs:  attempt, task
-- Parameters: $1 the application.
-- Outputs: task; piece_kind (map: the group is a dataset, result: a stage, index: a stage attempt whose pieces are not known),
--   piece_group, partition; job, stage, stage_attempt, worker, machine, start_ms, end_ms (ms), status, is_speculative,
--   start_seq, end_seq (lines; end_seq of an attempt without an end is beyond all lines);
--   prev_task, prev_status, prev_worker, prev_stage, prev_stage_attempt, prev_start_seq, prev_end_seq, prev_start_ms, prev_end_ms: the attempt launched before it
CREATE OR REPLACE TABLE explain.piece_attempt AS
WITH placed AS MATERIALIZED (
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
),
repeated AS (
    SELECT piece_kind, piece_group, partition
    FROM placed
    GROUP BY ALL
    HAVING count(*) > 1
),
-- Few pieces have more than one attempt, and a window costs by the partition.
linked AS (
    SELECT p.task, lag(p.task) OVER (PARTITION BY p.piece_kind, p.piece_group, p.partition ORDER BY p.start_seq, p.task) AS prev_task
    FROM placed AS p
    SEMI JOIN repeated AS r ON r.piece_kind = p.piece_kind AND r.piece_group = p.piece_group AND r.partition = p.partition
)
SELECT
    p.*,
    b.task AS prev_task, b.status AS prev_status, b.worker AS prev_worker, b.stage AS prev_stage, b.stage_attempt AS prev_stage_attempt,
    b.start_seq AS prev_start_seq, b.end_seq AS prev_end_seq, b.start_ms AS prev_start_ms, b.end_ms AS prev_end_ms
FROM placed AS p
LEFT JOIN linked AS l ON l.task = p.task
LEFT JOIN placed AS b ON b.task = l.prev_task;
