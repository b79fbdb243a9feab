-- Purpose: what loading one partition of state from the checkpoint takes.
-- Grain:   one row per query whose store tells load times and of which partitions were loaded.
-- Inputs:  stream.batch, stream.standing
-- Outputs: query; loaded: partitions that a task kept on another worker than the one before, in batches that tell load times;
--   partition_ms (slot ms): load times of these batches, over loaded. What partitions that stood where they were took is in it, so it is
--   the most that a load took.
CREATE OR REPLACE TABLE stream.load AS
WITH moved AS (
    SELECT query, query_run, batch, count(*) AS loaded
    FROM stream.standing
    WHERE before_worker IS NOT NULL AND NOT was_there
    GROUP BY query, query_run, batch
)
SELECT b.query, sum(m.loaded)::BIGINT AS loaded, sum(b.load_ms)::DOUBLE / sum(m.loaded) AS partition_ms
FROM stream.batch AS b
JOIN moved AS m ON m.query = b.query AND m.query_run = b.query_run AND m.batch = b.batch
WHERE b.load_ms IS NOT NULL
GROUP BY b.query
ORDER BY b.query;
