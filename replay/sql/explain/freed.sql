-- Purpose: what giving workers back by choice saved, and who came in their place.
-- Grain:   one row per worker that was released by choice.
-- Inputs:  removal, removal_worker, worker, job
-- Parameters: $1 the application.
-- Outputs: removal, worker; back_ms (ms): the run first had as many slots again as just before, null: never; saved_ms (slot ms): its slots from its
--   release until then, else until the last job's end; start_up_ms (ms): how long the worker that came then took from being asked for to being there,
--   null: not known.
-- Algorithm: live slots after each line; a release is over when their number is back. Of releases at one time, each is over at a line of its own.
CREATE OR REPLACE TABLE explain.freed AS
WITH last AS (
    SELECT max(coalesce(end_ms, submit_ms)) AS last_ms FROM job WHERE app = $1
),
step AS (
    SELECT added_seq AS seq, added_ms AS at_ms, coalesce(slots, 1) AS slots, added_ms - request_ms AS start_up_ms
    FROM worker
    WHERE app = $1 AND NOT is_coordinator AND added_seq IS NOT NULL AND added_ms IS NOT NULL
    UNION ALL
    SELECT removed_seq, removed_ms, -coalesce(slots, 1), NULL
    FROM worker
    WHERE app = $1 AND NOT is_coordinator AND added_seq IS NOT NULL AND removed_seq IS NOT NULL
),
level AS (
    SELECT seq, at_ms, slots, start_up_ms, sum(slots) OVER (ORDER BY seq, slots DESC ROWS UNBOUNDED PRECEDING) AS live
    FROM step
),
given AS (
    SELECT w.removal, w.worker, l.seq, l.at_ms, -l.slots AS slots, l.live - l.slots AS live_before
    FROM removal AS m
    JOIN removal_worker AS w ON w.app = m.app AND w.removal = m.removal
    JOIN worker AS k ON k.app = m.app AND k.worker = w.worker
    JOIN level AS l ON l.seq = k.removed_seq AND l.slots < 0
    WHERE m.app = $1 AND m.kind = 'release'
),
back AS (
    SELECT g.removal, g.worker, min(l.seq) AS seq, min_by(l.at_ms, l.seq) AS at_ms, min_by(l.start_up_ms, l.seq) AS start_up_ms
    FROM given AS g
    JOIN level AS l ON l.seq > g.seq AND l.live >= g.live_before
    GROUP BY g.removal, g.worker
)
SELECT
    g.removal, g.worker, b.at_ms AS back_ms,
    (g.slots * greatest(0, least(coalesce(b.at_ms, e.last_ms), e.last_ms) - g.at_ms))::BIGINT AS saved_ms,
    greatest(b.start_up_ms, 0) AS start_up_ms
FROM given AS g
CROSS JOIN last AS e
LEFT JOIN back AS b ON b.removal = g.removal AND b.worker = g.worker
ORDER BY g.removal, g.worker;
