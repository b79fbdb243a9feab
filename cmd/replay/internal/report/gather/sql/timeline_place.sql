-- Purpose: the places that a timeline may show, those that matter first.
-- Grain:   one row per machine; per worker where its machine is not known.
-- Inputs:  worker, attempt, removal_worker, removal_cost, rerun_cause
-- Parameters: $1 the application; $2, $3 the time that is shown (ms); $4, $5 kind and name of the one unit that is asked for, both empty: all.
-- Outputs: temporary table timeline_place: place; rank: from 0, places lost at a cost first, the costliest before the others, then those that
--          repeated most; is_worker: its machine is not known; lost: machine or worker, what removals that cost
--          something took of it, empty: nothing; tasks: attempts within the time.
CREATE OR REPLACE TEMP TABLE timeline_place AS
WITH unit AS (
    SELECT worker, coalesce(machine, 'worker ' || worker) AS place, machine IS NULL AS is_worker
    FROM worker
    WHERE app = $1 AND ($4 = '' OR $4 = 'machine' AND machine = $5 OR $4 = 'worker' AND worker = $5)
        AND (NOT is_coordinator AND added_ms IS NOT NULL OR worker IN (SELECT a.worker FROM attempt AS a WHERE a.app = $1))
        AND coalesce(added_ms, $2) < $3 AND coalesce(removed_ms, $3) > $2
),
ran AS (
    SELECT
        u.place, count(*) AS tasks,
        coalesce(sum(a.end_ms - a.start_ms) FILTER (a.task IN (SELECT c.rerun_task FROM rerun_cause AS c WHERE c.app = $1)), 0)::BIGINT AS again_ms
    FROM attempt AS a
    JOIN unit AS u ON u.worker = a.worker
    WHERE a.app = $1 AND a.start_ms < $3 AND a.end_ms > $2
    GROUP BY u.place
),
lost AS (
    SELECT u.place, min(m.unit_kind) AS lost, max(m.rerun_ms) AS cost_ms, sum(m.needed_outputs)::BIGINT AS needed
    FROM removal_cost AS m
    JOIN removal_worker AS w ON w.app = m.app AND w.removal = m.removal
    JOIN unit AS u ON u.worker = w.worker
    WHERE m.app = $1 AND (m.rerun_ms > 0 OR m.needed_outputs > 0)
    GROUP BY u.place
),
place AS (
    SELECT place, bool_and(is_worker) AS is_worker FROM unit GROUP BY place
)
SELECT
    p.place,
    row_number() OVER (ORDER BY l.place IS NULL, l.cost_ms DESC NULLS LAST, l.needed DESC NULLS LAST, r.again_ms DESC NULLS LAST, r.tasks DESC NULLS LAST, p.place) - 1 AS rank,
    p.is_worker, coalesce(l.lost, '') AS lost, coalesce(r.tasks, 0) AS tasks
FROM place AS p
LEFT JOIN ran AS r ON r.place = p.place
LEFT JOIN lost AS l ON l.place = p.place
ORDER BY rank;
