-- Purpose: while datasets are needed, at most.
-- Grain:   one row per dataset and stage attempt that reads it.
-- Inputs:  need, dataset
-- Parameters: $1 the application.
-- Outputs: dataset; is_cache; pieces: how many the dataset has, 0 where it is not known; from_ms, to_ms (ms): from_ms null, from the
--          run's start. As the upper bound in loss/need_span.
SELECT n.dataset, d.kind = 'cache' AS is_cache, coalesce(d.partitions, 0) AS pieces, n.from_ms, n.until_ms AS to_ms
FROM need n JOIN dataset d ON d.dataset = n.dataset
WHERE n.app = $1 AND d.app = $1
ORDER BY n.dataset;
