-- Purpose: what giving workers back by choice saved, and who came in their place.
-- Grain:   one row per worker that was released by choice.
-- Inputs:  removal, removal_worker, job, explain.level, explain.back
-- Parameters: $1 the application.
-- Outputs: removal, worker; back_ms (ms): the run first had as many slots again as just before, null: never; saved_ms (slot ms): its slots from its
--   release until then, else until the last job's end; start_up_ms (ms): how long the worker that came then took from being asked for to being there,
--   null: not known.
-- Algorithm: live slots after each line; a release is over when their number is back. Of releases at one time, each is over at a line of its own.
CREATE OR REPLACE TABLE explain.freed AS
WITH last AS (
    SELECT max(coalesce(end_ms, submit_ms)) AS last_ms FROM job WHERE app = $1
),
given AS (
    SELECT w.removal, w.worker, l.step, l.at_ms, -l.slots AS slots
    FROM removal AS m
    JOIN removal_worker AS w ON w.app = m.app AND w.removal = m.removal
    JOIN explain.level AS l ON l.worker = w.worker AND l.slots < 0
    WHERE m.app = $1 AND m.kind = 'release'
)
SELECT
    g.removal, g.worker, l.at_ms AS back_ms,
    (g.slots * greatest(0, least(coalesce(l.at_ms, e.last_ms), e.last_ms) - g.at_ms))::BIGINT AS saved_ms,
    CASE WHEN l.start_up_ms IS NOT NULL THEN greatest(l.start_up_ms, 0) END AS start_up_ms
FROM given AS g
CROSS JOIN last AS e
LEFT JOIN explain.back AS b ON b.step = g.step
LEFT JOIN explain.level AS l ON l.step = b.back
ORDER BY g.removal, g.worker;
