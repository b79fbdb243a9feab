-- Purpose: the pieces that were made more than once, or stood in more than one place: they need a sweep over time.
-- Grain:   one row per such piece.
-- Inputs:  world.output, world.residence
-- Outputs: dataset, partition.
CREATE OR REPLACE TABLE loss.crowd AS
SELECT o.dataset, o.partition
FROM world.output o LEFT JOIN world.residence r ON r.output = o.output
GROUP BY o.dataset, o.partition
HAVING count(*) > 1
ORDER BY o.dataset, o.partition;
