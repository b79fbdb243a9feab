-- Purpose: the state that stands on units at the instants that were asked for.
-- Grain:   one row per unit, instant of loss.asked, and query whose state stands there.
-- Inputs:  loss.asked, loss.unit_worker, stream.standing, stream.batch, stream.load
-- Outputs: unit_no; at_ms (ms); query, query_run; state_partitions: that stand on the unit; of_partitions: of all that stand anywhere;
--   state_bytes (bytes): the size that the last report before told, shared evenly, null: none was told; state_load_ms (slot ms): null where
--   the log has no load times.
CREATE OR REPLACE TABLE stream.held AS
WITH moment AS (
    SELECT DISTINCT at_ms FROM loss.asked
),
standing AS (
    SELECT a.at_ms, s.query, s.query_run, s.worker, count(*) AS parts
    FROM moment AS a
    JOIN stream.standing AS s ON s.from_ms <= a.at_ms AND a.at_ms < s.until_ms
    GROUP BY a.at_ms, s.query, s.query_run, s.worker
),
total AS (
    SELECT at_ms, query, query_run, sum(parts)::BIGINT AS parts
    FROM standing
    GROUP BY at_ms, query, query_run
),
sized AS (
    SELECT t.at_ms, t.query, t.query_run, t.parts, arg_max(b.state_bytes, b.commit_ms) AS bytes
    FROM total AS t
    LEFT JOIN stream.batch AS b ON b.query = t.query AND b.commit_ms <= t.at_ms AND b.state_bytes IS NOT NULL
    GROUP BY t.at_ms, t.query, t.query_run, t.parts
),
pieces AS (
    SELECT query, query_run, count(DISTINCT (state, partition)) AS parts
    FROM stream.standing
    GROUP BY query, query_run
)
SELECT
    a.unit_no, a.at_ms, s.query, s.query_run, sum(s.parts)::BIGINT AS state_partitions, any_value(z.parts) AS of_partitions,
    round(any_value(z.bytes) * sum(s.parts) / any_value(p.parts))::BIGINT AS state_bytes,
    round(any_value(l.partition_ms) * sum(s.parts))::BIGINT AS state_load_ms
FROM loss.asked AS a
JOIN loss.unit_worker AS w ON w.unit_no = a.unit_no
JOIN standing AS s ON s.at_ms = a.at_ms AND s.worker = w.worker
JOIN sized AS z ON z.at_ms = s.at_ms AND z.query = s.query AND z.query_run = s.query_run
JOIN pieces AS p ON p.query = s.query AND p.query_run = s.query_run
LEFT JOIN stream.load AS l ON l.query = s.query
GROUP BY a.unit_no, a.at_ms, s.query, s.query_run
ORDER BY a.unit_no, a.at_ms, s.query, s.query_run;
