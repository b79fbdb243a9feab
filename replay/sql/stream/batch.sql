-- Purpose: the micro-batches of streaming queries.
-- Grain:   one row per query, run of it and batch that ran: reported with its work, or seen by its jobs.
-- Inputs:  progress, task, stage, stream.job, stream.run, stream.size, world.rules
-- Parameters: $1 the application.
-- Outputs: query, query_run ('' where the log does not tell), batch; start_ms (ms): the trigger began, for a batch that was never reported its
--   first job; commit_ms (ms): its results, state and position were durable, null: never reported; until_ms (ms): the next batch of the run
--   began, or the run or the log ended; input_rows, trigger_ms (ms), add_batch_ms (ms): as reported; read_rows: that its pieces had read, each
--   counted once, null: none tells; operators, state_rows, state_bytes (bytes),
--   bytes_from, partitions, load_ms (slot ms), cache_misses: the state after it, see stream.size.
-- Algorithm: a report without addBatch tells that there was nothing to do: it is no batch.
CREATE OR REPLACE TABLE stream.batch AS
WITH reported AS (
    SELECT query, coalesce(query_run, '') AS query_run, batch, seq, start_ms, commit_ms, input_rows, trigger_ms, add_batch_ms
    FROM progress
    WHERE app = $1 AND batch IS NOT NULL AND start_ms IS NOT NULL AND add_batch_ms IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY query, query_run, batch ORDER BY seq DESC) = 1
),
worked AS (
    SELECT query, query_run, batch, min(submit_ms) AS submit_ms
    FROM stream.job
    GROUP BY query, query_run, batch
),
pieces AS (
    SELECT stage, partition, max(input_records) AS records
    FROM task
    WHERE app = $1 AND status = 'success' AND input_records > 0
    GROUP BY stage, partition
),
read AS (
    SELECT j.query, j.query_run, j.batch, sum(p.records)::BIGINT AS read_rows
    FROM pieces AS p
    JOIN (SELECT stage, any_value(job) AS job FROM stage WHERE app = $1 GROUP BY stage) AS s ON s.stage = p.stage
    JOIN stream.job AS j ON j.job = s.job
    GROUP BY j.query, j.query_run, j.batch
),
known AS (
    SELECT
        coalesce(r.query, w.query) AS query, coalesce(r.query_run, w.query_run) AS query_run, coalesce(r.batch, w.batch) AS batch,
        r.seq, coalesce(r.start_ms, w.submit_ms) AS start_ms, r.commit_ms, r.input_rows, r.trigger_ms, r.add_batch_ms
    FROM reported AS r
    FULL JOIN worked AS w ON w.query = r.query AND w.query_run = r.query_run AND w.batch = r.batch
)
SELECT
    k.query, k.query_run, k.batch, k.start_ms, k.commit_ms,
    coalesce(
        lead(k.start_ms) OVER (PARTITION BY k.query, k.query_run ORDER BY k.start_ms, k.batch),
        CASE WHEN e.end_ms IS NOT NULL THEN greatest(e.end_ms, k.commit_ms) END,
        r.end_ms
    ) AS until_ms,
    k.input_rows, d.read_rows, k.trigger_ms, k.add_batch_ms,
    s.operators, s.state_rows, s.state_bytes, s.bytes_from, s.partitions, s.load_ms, s.cache_misses
FROM known AS k
CROSS JOIN world.rules AS r
LEFT JOIN stream.run AS e ON e.query = k.query AND e.query_run = k.query_run
LEFT JOIN read AS d ON d.query = k.query AND d.query_run = k.query_run AND d.batch = k.batch
LEFT JOIN stream.size AS s ON s.query = k.query AND s.seq = k.seq
WHERE k.start_ms IS NOT NULL
ORDER BY k.query, k.start_ms, k.batch;
