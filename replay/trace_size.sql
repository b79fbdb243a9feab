-- Purpose: the sizes of a trace that people ask for first.
-- Grain:   one row.
-- Inputs:  app, task, worker, machine, removal
-- Outputs: apps, tasks (attempts), workers and machines (those of the coordinator alone left out), removals
SELECT
    (SELECT count(*) FROM app) AS apps,
    (SELECT count(*) FROM task) AS tasks,
    (SELECT count(*) FROM worker WHERE NOT is_coordinator) AS workers,
    (SELECT count(*) FROM machine WHERE workers > 0) AS machines,
    (SELECT count(*) FROM removal) AS removals
