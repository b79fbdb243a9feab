-- Purpose: each batch, what a restart of the coordinator within it reads again, and how its state moved.
-- Grain:   one row per query, run and batch.
-- Inputs:  stream.batch, stream.standing, world.rules
-- Outputs: the columns of table stream_batch.
WITH kept AS (
    SELECT
        query, query_run, batch, count(*) AS placed, count(DISTINCT worker) AS workers,
        count(*) FILTER (WHERE before_worker IS NOT NULL AND NOT was_there) AS moved
    FROM stream.standing
    GROUP BY query, query_run, batch
)
SELECT
    r.app, b.query, b.query_run, b.batch, b.start_ms, b.commit_ms, b.until_ms, b.trigger_ms, b.add_batch_ms, b.input_rows,
    b.state_rows, b.state_bytes, b.bytes_from, b.load_ms, b.cache_misses,
    coalesce(k.placed, 0) AS placed_partitions, coalesce(k.moved, 0) AS moved_partitions, coalesce(k.workers, 0) AS state_workers,
    coalesce(b.input_rows, b.read_rows) AS restart_rows,
    coalesce(b.commit_ms, b.until_ms) - b.start_ms AS restart_ms
FROM stream.batch AS b
CROSS JOIN world.rules AS r
LEFT JOIN kept AS k ON k.query = b.query AND k.query_run = b.query_run AND k.batch = b.batch
ORDER BY b.query, b.start_ms, b.batch;
