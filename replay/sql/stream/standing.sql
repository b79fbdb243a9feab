-- Purpose: where each partition of retained state stood, and when.
-- Grain:   one row per partition of state and task that kept it.
-- Inputs:  state_partition, stage, stream.job, worker, stream.run, world.rules
-- Parameters: $1 the application.
-- Outputs: query, query_run; state: number of the stateful stage within a batch, from 0; partition, partitions; batch; worker;
--   from_ms, until_ms (ms): until another task kept it, the worker was gone, or the query's run had ended;
--   before_worker: that kept it last, null: it was new to this run; was_there: that one was still there, and the same.
-- Algorithm: each batch has state RDDs of its own, in the order of the query's plan: the n-th one of a batch is the n-th of any other. A stage
--   that runs again reads the same one.
CREATE OR REPLACE TABLE stream.standing AS
WITH placed AS (
    SELECT p.query, coalesce(j.query_run, '') AS query_run, p.batch, p.rdd, p.partition, p.partitions, p.worker, p.from_ms, p.seq
    FROM state_partition AS p
    LEFT JOIN (
        SELECT s.stage, any_value(j.query_run) AS query_run
        FROM stage AS s
        JOIN stream.job AS j ON j.job = s.job
        WHERE s.app = $1
        GROUP BY s.stage
    ) AS j ON j.stage = p.stage
    WHERE p.app = $1
),
numbered AS (
    SELECT *, dense_rank() OVER (PARTITION BY query, query_run, batch ORDER BY rdd) - 1 AS state
    FROM placed
),
followed AS (
    SELECT
        n.query, n.query_run, n.state, n.partition, n.partitions, n.batch, n.worker, n.from_ms,
        lead(n.from_ms) OVER piece AS next_ms,
        lag(n.worker) OVER piece AS before_worker,
        w.removed_ms
    FROM numbered AS n
    LEFT JOIN worker AS w ON w.app = $1 AND w.worker = n.worker
    WINDOW piece AS (PARTITION BY n.query, n.query_run, n.state, n.partition ORDER BY n.from_ms, n.seq)
)
SELECT
    f.query, f.query_run, f.state, f.partition, f.partitions, f.batch, f.worker, f.from_ms,
    greatest(least(f.next_ms, f.removed_ms, q.end_ms, r.end_ms), f.from_ms) AS until_ms,
    f.before_worker,
    coalesce(f.before_worker = f.worker, FALSE) AS was_there
FROM followed AS f
CROSS JOIN world.rules AS r
LEFT JOIN stream.run AS q ON q.query = f.query AND q.query_run = f.query_run
ORDER BY f.query, f.query_run, f.state, f.partition, f.from_ms;
