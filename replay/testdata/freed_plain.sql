-- Purpose: explain.freed by its rule, one join of every release with all that came later; beside what explain.freed holds.
-- Grain:   one row per release and way of finding it.
-- Inputs:  removal, removal_worker, worker, job, explain.freed
-- Parameters: $1 the application.
-- Outputs: way (plain, freed), and the columns of explain.freed.
WITH step AS (
    SELECT worker, added_seq AS seq, added_ms AS at_ms, coalesce(slots, 1) AS slots, added_ms - request_ms AS start_up_ms
    FROM worker
    WHERE app = $1 AND NOT is_coordinator AND added_seq IS NOT NULL AND added_ms IS NOT NULL
    UNION ALL
    SELECT worker, removed_seq, removed_ms, -coalesce(slots, 1), NULL
    FROM worker
    WHERE app = $1 AND NOT is_coordinator AND added_seq IS NOT NULL AND removed_seq IS NOT NULL
),
level AS (
    SELECT a.worker, a.seq, a.at_ms, a.slots, a.start_up_ms, sum(b.slots) AS live
    FROM step AS a
    JOIN step AS b ON (b.seq, -b.slots, b.worker) <= (a.seq, -a.slots, a.worker)
    GROUP BY a.worker, a.seq, a.at_ms, a.slots, a.start_up_ms
),
given AS (
    SELECT w.removal, w.worker, l.seq, l.at_ms, -l.slots AS slots, l.live - l.slots AS live_before
    FROM removal AS m
    JOIN removal_worker AS w ON w.app = m.app AND w.removal = m.removal
    JOIN level AS l ON l.worker = w.worker AND l.slots < 0
    WHERE m.app = $1 AND m.kind = 'release'
),
plain AS (
    SELECT
        g.removal, g.worker, g.slots, g.at_ms AS given_ms,
        list({at_ms: l.at_ms, start_up_ms: l.start_up_ms} ORDER BY l.seq, -l.slots, l.worker) FILTER (l.seq IS NOT NULL) AS later
    FROM given AS g
    LEFT JOIN level AS l ON l.seq > g.seq AND l.live >= g.live_before
    GROUP BY g.removal, g.worker, g.slots, g.at_ms
),
last AS (
    SELECT max(coalesce(end_ms, submit_ms)) AS last_ms FROM job WHERE app = $1
)
SELECT
    'plain' AS way, p.removal, p.worker, p.later[1].at_ms AS back_ms,
    (p.slots * greatest(0, least(coalesce(p.later[1].at_ms, e.last_ms), e.last_ms) - p.given_ms))::BIGINT AS saved_ms,
    CASE WHEN p.later[1].start_up_ms IS NOT NULL THEN greatest(p.later[1].start_up_ms, 0) END AS start_up_ms
FROM plain AS p
CROSS JOIN last AS e
UNION ALL
SELECT 'freed', removal, worker, back_ms, saved_ms, start_up_ms FROM explain.freed
ORDER BY way, removal, worker;
