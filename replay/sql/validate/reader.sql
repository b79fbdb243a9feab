-- Purpose: the stage attempts that had been submitted before a cut, and how far they were.
-- Grain:   one row per removal and stage attempt.
-- Inputs:  validate.cut, stage, task, worker, removal_worker
-- Parameters: $1 the application.
-- Outputs: removal, stage, stage_attempt, tasks; started, succeeded: distinct pieces; running_there: tasks on what was removed, whose machine had no
--   other worker left: one could take such a piece up in the same attempt, and read what the removed one left on the disk;
--   fetched, counted: blocks that its finished readers had fetched, and how many readers told; is_over: ended without failure;
--   is_failed: ended with a failure; is_newest: no later attempt of the stage had been submitted.
CREATE OR REPLACE TABLE validate.reader AS
WITH submitted AS (
    SELECT
        c.removal, c.seq, s.stage, s.stage_attempt, s.tasks,
        coalesce(s.complete_seq < c.seq, FALSE) AND s.failure IS NULL AS is_over,
        coalesce(s.complete_seq < c.seq, FALSE) AND s.failure IS NOT NULL AS is_failed,
        s.stage_attempt = max(s.stage_attempt) OVER (PARTITION BY c.removal, s.stage) AS is_newest
    FROM validate.cut AS c
    JOIN stage AS s ON s.app = $1 AND s.submit_seq < c.seq
),
there AS (
    SELECT removal, worker FROM removal_worker WHERE app = $1
),
neighbour AS (
    SELECT DISTINCT t.removal, w.machine
    FROM there AS t
    JOIN worker AS w ON w.app = $1 AND w.worker = t.worker
    JOIN worker AS b ON b.app = $1 AND b.machine = w.machine AND NOT b.is_coordinator
    JOIN validate.cut AS c ON c.removal = t.removal AND coalesce(b.added_seq, 0) < c.seq AND coalesce(b.removed_seq >= c.seq, TRUE)
    LEFT JOIN there AS o ON o.removal = t.removal AND o.worker = b.worker
    WHERE o.worker IS NULL
),
hopeless AS (
    SELECT t.removal, t.worker
    FROM there AS t
    JOIN worker AS w ON w.app = $1 AND w.worker = t.worker
    LEFT JOIN neighbour AS n ON n.removal = t.removal AND n.machine = w.machine
    WHERE n.machine IS NULL
),
progress AS (
    SELECT
        s.removal, s.stage, s.stage_attempt,
        count(DISTINCT t.task_index) AS started,
        count(DISTINCT t.task_index) FILTER (t.end_seq < s.seq AND t.status = 'success') AS succeeded,
        count(*) FILTER (coalesce(t.end_seq >= s.seq, TRUE) AND h.worker IS NOT NULL) AS running_there,
        coalesce(sum(coalesce(t.remote_blocks, 0) + coalesce(t.local_blocks, 0)) FILTER (t.end_seq < s.seq AND t.status = 'success'), 0)::BIGINT AS fetched,
        count(*) FILTER (t.end_seq < s.seq AND t.status = 'success' AND coalesce(t.remote_blocks, t.local_blocks) IS NOT NULL) AS counted
    FROM submitted AS s
    JOIN task AS t ON t.app = $1 AND t.stage = s.stage AND t.stage_attempt = s.stage_attempt AND t.start_seq < s.seq
    LEFT JOIN hopeless AS h ON h.removal = s.removal AND h.worker = t.worker
    GROUP BY s.removal, s.stage, s.stage_attempt
)
SELECT
    s.removal, s.stage, s.stage_attempt, s.tasks, coalesce(p.started, 0) AS started, coalesce(p.succeeded, 0) AS succeeded,
    coalesce(p.running_there, 0) AS running_there, coalesce(p.fetched, 0) AS fetched, coalesce(p.counted, 0) AS counted,
    s.is_over, s.is_failed, s.is_newest
FROM submitted AS s
LEFT JOIN progress AS p ON p.removal = s.removal AND p.stage = s.stage AND p.stage_attempt = s.stage_attempt
ORDER BY s.removal, s.stage, s.stage_attempt;
