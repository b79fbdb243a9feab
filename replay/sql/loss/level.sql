-- Purpose: the order in which datasets are looked at: every reader of a dataset before it.
-- Grain:   one row per dataset.
-- Inputs:  world.dataset, world.input
-- Outputs: dataset; level: the longest way down to it from a dataset that no other is made from. A dataset that hangs
--          in a cycle has a level as high as there are datasets, or no row.
CREATE OR REPLACE TABLE loss.level AS
WITH RECURSIVE walk(dataset, level) AS (
    SELECT d.dataset, 0
    FROM world.dataset d ANTI JOIN world.input i ON i.input_dataset = d.dataset
    UNION
    SELECT i.input_dataset, w.level + 1
    FROM walk w JOIN world.input i ON i.dataset = w.dataset
    WHERE w.level < (SELECT count(*) FROM world.dataset)
)
SELECT dataset, max(level)::INTEGER AS level
FROM walk
GROUP BY dataset
ORDER BY level, dataset;
