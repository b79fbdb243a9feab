-- Purpose: how many levels there are, and whether every dataset has one.
-- Grain:   one row.
-- Inputs:  world.dataset, loss.level
-- Outputs: datasets; placed: datasets with a level; levels: more than datasets when there is a cycle.
SELECT (SELECT count(*) FROM world.dataset) AS datasets,
    (SELECT count(*) FROM loss.level) AS placed,
    (SELECT coalesce(max(level) + 1, 0) FROM loss.level)::BIGINT AS levels;
