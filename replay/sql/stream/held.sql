-- Purpose: the state that stands on units at the instants that were asked for.
-- Grain:   one row per unit, instant of loss.asked, and query whose state stands there.
-- Inputs:  loss.asked, loss.unit_worker, stream.standing, stream.batch, stream.load
-- Outputs: unit_no; at_ms (ms); query, query_run; state_partitions: that stand on the unit; of_partitions: of all that stand anywhere;
--   state_bytes (bytes): the size that the last report before told, shared evenly, null: none was told; state_load_ms (slot ms): null where
--   the log has no load times.
-- Algorithm: how many partitions stand on a worker, and anywhere, are step functions of time; each instant looks up the last step before it.
CREATE OR REPLACE TABLE stream.held AS
WITH delta AS (
    SELECT query, query_run, worker, from_ms AS at_ms, 1 AS parts FROM stream.standing WHERE from_ms < until_ms
    UNION ALL
    SELECT query, query_run, worker, until_ms AS at_ms, -1 AS parts FROM stream.standing WHERE from_ms < until_ms
),
step AS (
    SELECT query, query_run, worker, at_ms, (sum(sum(parts)) OVER (PARTITION BY query, query_run, worker ORDER BY at_ms))::BIGINT AS parts
    FROM delta
    GROUP BY query, query_run, worker, at_ms
),
whole AS (
    SELECT query, query_run, at_ms, (sum(sum(parts)) OVER (PARTITION BY query, query_run ORDER BY at_ms))::BIGINT AS parts
    FROM delta
    GROUP BY query, query_run, at_ms
),
size AS (
    SELECT query, commit_ms AS at_ms, arg_max(state_bytes, batch) AS bytes
    FROM stream.batch
    WHERE commit_ms IS NOT NULL AND state_bytes IS NOT NULL
    GROUP BY query, commit_ms
),
pieces AS (
    SELECT query, query_run, count(DISTINCT (state, partition)) AS parts
    FROM stream.standing
    GROUP BY query, query_run
),
place AS (
    SELECT DISTINCT a.unit_no, a.at_ms, s.query, s.query_run, s.worker
    FROM loss.asked AS a
    JOIN loss.unit_worker AS w ON w.unit_no = a.unit_no
    JOIN (SELECT DISTINCT query, query_run, worker FROM stream.standing) AS s ON s.worker = w.worker
),
there AS (
    SELECT p.unit_no, p.at_ms, p.query, p.query_run, sum(s.parts)::BIGINT AS parts
    FROM place AS p
    ASOF JOIN step AS s ON s.query = p.query AND s.query_run = p.query_run AND s.worker = p.worker AND s.at_ms <= p.at_ms
    GROUP BY p.unit_no, p.at_ms, p.query, p.query_run
    HAVING sum(s.parts) > 0
)
SELECT
    t.unit_no, t.at_ms, t.query, t.query_run, t.parts AS state_partitions, o.parts AS of_partitions,
    round(z.bytes * t.parts / p.parts)::BIGINT AS state_bytes,
    round(l.partition_ms * t.parts)::BIGINT AS state_load_ms
FROM there AS t
ASOF JOIN whole AS o ON o.query = t.query AND o.query_run = t.query_run AND o.at_ms <= t.at_ms
ASOF LEFT JOIN size AS z ON z.query = t.query AND z.at_ms <= t.at_ms
JOIN pieces AS p ON p.query = t.query AND p.query_run = t.query_run
LEFT JOIN stream.load AS l ON l.query = t.query
ORDER BY t.unit_no, t.at_ms, t.query, t.query_run;
