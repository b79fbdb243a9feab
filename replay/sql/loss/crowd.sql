-- Purpose: the pieces that were made more than once, or stood in more than one place: they need a sweep over time.
-- Grain:   one row per such piece.
-- Inputs:  loss.copy
-- Outputs: dataset, partition.
CREATE OR REPLACE TABLE loss.crowd AS
SELECT dataset, partition
FROM loss.copy
GROUP BY dataset, partition
HAVING count(*) > 1
ORDER BY dataset, partition;
