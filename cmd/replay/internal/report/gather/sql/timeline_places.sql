-- Purpose: the places that a timeline may show, those that matter first.
-- Grain:   one row per place.
-- Inputs:  timeline_place
-- Outputs: place, rank, is_worker, lost, tasks
SELECT place, rank, is_worker, lost, tasks
FROM timeline_place
ORDER BY rank;
