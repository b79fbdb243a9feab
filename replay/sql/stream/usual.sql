-- Purpose: what the batches of a streaming query are like, as far as policies change it.
-- Grain:   one row per query and kind of unit that can be lost.
-- Inputs:  stream.batch, state, progress, setting, loss.curve, loss.unit, loss.asked, stream.held
-- Parameters: $1 the application.
-- Outputs: query, unit_kind; batches: that are counted; cycle_ms (ms): from the start of one to the next, the mean; add_ms (ms): of its duration
--   what its jobs took, the median; updated_share: keys that a batch changed, of all keys; mean_recompute_ms (slot ms): what losing a
--   unit of the kind at a random moment redoes, in the mean over units and time; mean_partitions: of state that stand on a unit, in the
--   mean over the batches' worst instants; units: of the kind; store: rocksdb, changelog or deltas; snapshot_batches: deltas or changelogs
--   from one snapshot to the next.
-- Algorithm: the first batch of a run is left out where there are others, as in stream/queries. The cost of a loss is linear between two
--   instants of loss.curve, so its integral is exact.
WITH ordered AS (
    SELECT
        *, row_number() OVER (PARTITION BY query, query_run ORDER BY start_ms, batch) AS place,
        count(*) OVER (PARTITION BY query) AS n
    FROM stream.batch
),
steady AS (
    SELECT * FROM ordered WHERE place > 1 OR n = 1
),
spans AS (
    SELECT query, count(*) AS batches, avg(until_ms - start_ms) AS cycle_ms, median(add_batch_ms) AS add_ms
    FROM steady
    WHERE commit_ms IS NOT NULL
    GROUP BY query
),
updated AS (
    SELECT s.query, sum(s.rows_updated)::DOUBLE / nullif(sum(s.rows_total), 0) AS share
    FROM state AS s
    JOIN progress AS p ON p.app = s.app AND p.seq = s.seq
    JOIN steady AS b ON b.query = s.query AND b.batch = s.batch AND b.query_run = coalesce(p.query_run, '')
    WHERE s.app = $1
    GROUP BY s.query
),
pieces AS (
    SELECT
        b.query, u.unit_kind, c.in_flight_tasks AS tasks,
        c.recompute_ms + c.in_flight_tasks * (greatest(c.instant_ms, b.start_ms) - c.instant_ms) AS cost_ms,
        least(c.until_ms, b.until_ms) - greatest(c.instant_ms, b.start_ms) AS span_ms
    FROM steady AS b
    JOIN loss.curve AS c ON c.instant_ms < b.until_ms AND b.start_ms < c.until_ms
    JOIN loss.unit AS u ON u.unit_no = c.unit_no
    WHERE NOT u.is_coordinator AND u.unit_kind IN ('worker', 'machine')
),
cost AS (
    SELECT
        query, unit_kind,
        sum(2 * cost_ms::HUGEINT * span_ms + tasks * span_ms::HUGEINT * span_ms)::DOUBLE / 2 / nullif(sum(span_ms), 0) AS mean_recompute_ms
    FROM pieces
    GROUP BY query, unit_kind
),
stood AS (
    SELECT b.query, u.unit_kind, avg(coalesce(h.state_partitions, 0)) AS mean_partitions, count(DISTINCT u.unit_no) AS units
    FROM steady AS b
    JOIN stream.worst AS w ON w.query = b.query AND w.query_run = b.query_run AND w.batch = b.batch
    JOIN loss.unit AS u ON u.unit_no = w.unit_no
    LEFT JOIN stream.held AS h ON h.unit_no = w.unit_no AND h.at_ms = w.at_ms AND h.query = w.query AND h.query_run = w.query_run
    WHERE NOT u.is_coordinator
    GROUP BY b.query, u.unit_kind
),
store AS (
    SELECT
        any_value(value) FILTER (WHERE name = 'spark.sql.streaming.stateStore.providerClass') AS provider,
        any_value(value) FILTER (WHERE name = 'spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled') AS changelog,
        any_value(try_cast(value AS BIGINT)) FILTER (WHERE name = 'spark.sql.streaming.stateStore.minDeltasForSnapshot') AS deltas
    FROM setting
    WHERE app = $1
),
rocks AS (
    SELECT query, bool_or(rocksdb_sst_bytes IS NOT NULL) AS is_rocksdb
    FROM state
    WHERE app = $1
    GROUP BY query
)
SELECT
    c.query, c.unit_kind, s.batches, s.cycle_ms, s.add_ms::DOUBLE AS add_ms, u.share AS updated_share, c.mean_recompute_ms,
    coalesce(t.mean_partitions, 0) AS mean_partitions, coalesce(t.units, 0) AS units,
    CASE
        WHEN coalesce(contains(lower(o.provider), 'rocksdb'), r.is_rocksdb, FALSE) AND lower(coalesce(o.changelog, 'false')) = 'true' THEN 'changelog'
        WHEN coalesce(contains(lower(o.provider), 'rocksdb'), r.is_rocksdb, FALSE) THEN 'rocksdb'
        ELSE 'deltas'
    END AS store,
    coalesce(nullif(greatest(o.deltas, 0), 0), 10) AS snapshot_batches
FROM cost AS c
JOIN spans AS s ON s.query = c.query
CROSS JOIN store AS o
LEFT JOIN updated AS u ON u.query = c.query
LEFT JOIN stood AS t ON t.query = c.query AND t.unit_kind = c.unit_kind
LEFT JOIN rocks AS r ON r.query = c.query
ORDER BY c.query, c.unit_kind;
