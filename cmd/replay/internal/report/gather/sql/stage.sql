-- Purpose: the stage attempts and what ran in them.
-- Grain:   one row per stage attempt whose time is known.
-- Inputs:  app, stage, attempt
-- Parameters: $1 the application.
-- Outputs: job; stage; stage_attempt; name; from_ms, to_ms (ms); tasks: launched; reruns: of these, ran a piece that had
--          succeeded before; slot_ms (slot ms): of all of them; failure: why it failed, empty if it did not; is_cut: its
--          end is not in the log.
WITH work AS (
    SELECT stage, stage_attempt, count(*) AS tasks, count(*) FILTER (is_rerun) AS reruns,
        sum(greatest(end_ms - start_ms, 0))::BIGINT AS slot_ms, min(start_ms) AS first_ms, max(end_ms) AS last_ms
    FROM attempt
    WHERE app = $1
    GROUP BY stage, stage_attempt
),
timed AS (
    SELECT s.job, s.stage, s.stage_attempt, s.name, s.failure, s.complete_ms,
        coalesce(s.submit_ms, w.first_ms, s.complete_ms) AS from_ms,
        coalesce(s.complete_ms, w.last_ms, a.last_ms) AS to_ms,
        coalesce(w.tasks, 0) AS tasks, coalesce(w.reruns, 0) AS reruns, coalesce(w.slot_ms, 0) AS slot_ms
    FROM stage s
    JOIN app a ON a.app = s.app
    LEFT JOIN work w ON w.stage = s.stage AND w.stage_attempt = s.stage_attempt
    WHERE s.app = $1
)
SELECT job, stage, stage_attempt, name, from_ms, greatest(to_ms, from_ms) AS to_ms, tasks, reruns, slot_ms,
    coalesce(failure, '') AS failure, complete_ms IS NULL AS is_cut
FROM timed
WHERE from_ms IS NOT NULL AND to_ms IS NOT NULL
ORDER BY from_ms, stage, stage_attempt;
