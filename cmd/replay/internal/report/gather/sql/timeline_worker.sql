-- Purpose: the workers of the places that a timeline may show.
-- Grain:   one row per worker.
-- Inputs:  worker, timeline_place, app
-- Parameters: $1 the application; $2 kind of the one unit that is asked for, empty: all; $3 its name.
-- Outputs: place, worker; from_ms, to_ms (ms): its life; slots: 1 where they are not known.
SELECT
    p.place, w.worker, coalesce(w.added_ms, a.first_ms, 0) AS from_ms, coalesce(w.removed_ms, a.last_ms, 0) AS to_ms, coalesce(w.slots, 1) AS slots
FROM worker AS w
JOIN app AS a ON a.app = w.app
JOIN timeline_place AS p ON p.place = coalesce(w.machine, 'worker ' || w.worker)
WHERE w.app = $1 AND ($2 <> 'worker' OR w.worker = $3)
    AND (NOT w.is_coordinator AND w.added_ms IS NOT NULL OR w.worker IN (SELECT t.worker FROM attempt AS t WHERE t.app = $1))
ORDER BY p.rank, from_ms, w.worker;
