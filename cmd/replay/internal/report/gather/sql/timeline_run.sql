-- Purpose: the attempts that a timeline is made of, and what each of them was.
-- Grain:   one row per task attempt that ran in the time that is shown.
-- Inputs:  attempt, rerun_cause, removal_worker, timeline_place
-- Parameters: $1 the application; $2, $3 the time that is shown (ms); $4, $5 kind and name of the one unit that is asked for, both empty: all.
-- Outputs: temporary table timeline_run: place, rank, worker, task, stage, stage_attempt, partition (null: not known), from_ms, to_ms (ms); what:
--          again (finished work that ran once more), cut (ended by a loss, before it was done), failed (by itself, or killed), first (all others);
--          why, removal: as in table rerun_cause, of the attempt itself; status: as in table task.
CREATE OR REPLACE TEMP TABLE timeline_run AS
WITH undone AS (
    SELECT DISTINCT prev_task AS task
    FROM rerun_cause
    WHERE app = $1 AND why IN ('interrupted', 'in-flight')
    UNION
    SELECT a.task
    FROM attempt AS a
    JOIN removal_worker AS w ON w.app = a.app AND w.worker = a.worker
    WHERE a.app = $1 AND a.start_ms <= w.removed_ms AND (a.status = 'worker_lost' OR NOT a.is_ended)
)
SELECT
    p.place, p.rank, a.worker, a.task, a.stage, a.stage_attempt, a.partition, a.start_ms AS from_ms, a.end_ms AS to_ms,
    CASE
        WHEN u.task IS NOT NULL THEN 'cut'
        WHEN c.why IN ('owed', 'climb', 'unneeded', 'rollback', 'duplicate') OR c.first_task IS NOT NULL AND c.why <> 'speculation' THEN 'again'
        WHEN a.status IN ('success', 'running') THEN 'first'
        ELSE 'failed'
    END AS what,
    coalesce(c.why, '') AS why, c.removal, a.status
FROM attempt AS a
JOIN timeline_place AS p ON p.place = coalesce(a.machine, 'worker ' || a.worker)
LEFT JOIN undone AS u ON u.task = a.task
LEFT JOIN rerun_cause AS c ON c.app = a.app AND c.rerun_task = a.task
WHERE a.app = $1 AND a.start_ms < $3 AND a.end_ms > $2 AND ($4 = '' OR $4 <> 'worker' OR a.worker = $5)
ORDER BY p.rank, a.start_ms, a.task;
