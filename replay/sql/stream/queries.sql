-- Purpose: each streaming query in figures: its batches, its state, and how fast rows came and were worked off.
-- Grain:   one row per query that ran a batch.
-- Inputs:  stream.batch, stream.standing, stream.load, streaming_query, progress, world.rules
-- Parameters: $1 the application.
-- Outputs: the columns of table stream_query.
-- Algorithm: the first batch of a run is left out of rates and durations where there are others: it starts the workers' code up. Rows that
--   a batch reads arrived since the start of the batch before it, so the input rate is over the starts. What the first batch took beyond the
--   median of the others, and the wait before it, is the start-up. At a random moment the rest of the running batch is, in the mean, the sum of
--   squares of the batches' durations over twice the time that they cover.
WITH ordered AS (
    SELECT
        *, row_number() OVER (PARTITION BY query, query_run ORDER BY start_ms, batch) AS place,
        lag(start_ms) OVER (PARTITION BY query, query_run ORDER BY start_ms, batch) AS last_start_ms
    FROM stream.batch
),
steady AS (
    SELECT
        query,
        sum(input_rows) FILTER (WHERE input_rows IS NOT NULL)::DOUBLE * 1000
            / nullif(sum(start_ms - last_start_ms) FILTER (WHERE input_rows IS NOT NULL), 0) AS input_rows_per_s,
        sum(input_rows) FILTER (WHERE input_rows IS NOT NULL)::DOUBLE * 1000
            / nullif(sum(trigger_ms) FILTER (WHERE input_rows IS NOT NULL), 0) AS processed_rows_per_s,
        median(trigger_ms) AS median_ms, max(trigger_ms) AS longest_ms,
        sum(trigger_ms * trigger_ms)::DOUBLE / nullif(2 * sum(greatest(until_ms - start_ms, trigger_ms)), 0) AS quiesce_ms
    FROM ordered
    WHERE place > 1 AND trigger_ms IS NOT NULL
    GROUP BY query
),
lone AS (
    SELECT
        query, any_value(trigger_ms) AS trigger_ms,
        any_value(input_rows)::DOUBLE * 1000 / nullif(any_value(trigger_ms), 0) AS processed_rows_per_s,
        any_value(trigger_ms)::DOUBLE * any_value(trigger_ms) / nullif(2 * any_value(greatest(until_ms - start_ms, trigger_ms)), 0) AS quiesce_ms
    FROM ordered
    GROUP BY query
    HAVING count(*) = 1
),
reported_rate AS (
    SELECT query, arg_max(input_rows_per_second, seq) AS input_rows_per_s
    FROM progress
    WHERE app = $1 AND input_rows_per_second > 0
    GROUP BY query
),
started AS (
    SELECT o.query, min(greatest(o.start_ms - q.start_ms, 0) + greatest(o.trigger_ms - s.median_ms, 0)) AS startup_ms
    FROM ordered AS o
    JOIN steady AS s ON s.query = o.query
    LEFT JOIN streaming_query AS q ON q.app = $1 AND q.query = o.query AND coalesce(q.query_run, '') = o.query_run
    WHERE o.place = 1
    GROUP BY o.query
),
named AS (
    SELECT query, any_value(name) AS name, count(*) AS runs
    FROM streaming_query
    WHERE app = $1
    GROUP BY query
),
pieces AS (
    SELECT query, count(DISTINCT (state, partition)) AS pieces, max(partitions) AS partitions
    FROM stream.standing
    GROUP BY query
),
last_batch AS (
    SELECT s.query, count(DISTINCT s.worker) AS workers
    FROM stream.standing AS s
    JOIN (SELECT query, max(from_ms) AS at_ms FROM stream.standing GROUP BY query) AS m ON m.query = s.query
    WHERE s.from_ms = m.at_ms OR s.from_ms < m.at_ms AND m.at_ms < s.until_ms
    GROUP BY s.query
),
sums AS (
    SELECT
        query, count(*) AS batches, count(commit_ms) AS committed, min(batch) AS first_batch, max(batch) AS last_batch,
        min(start_ms) AS start_ms, max(until_ms) AS end_ms, sum(input_rows)::BIGINT AS input_rows, max(operators) AS operators,
        arg_max(state_rows, start_ms) AS state_rows, arg_max(state_bytes, start_ms) AS state_bytes,
        max(state_bytes) AS most_state_bytes, arg_max(bytes_from, start_ms) AS bytes_from, max(partitions) AS partitions
    FROM stream.batch
    GROUP BY query
)
SELECT
    r.app, b.query, n.name, coalesce(n.runs, 1) AS runs, b.start_ms, b.end_ms, b.batches, b.committed AS committed_batches, b.first_batch, b.last_batch,
    b.input_rows, coalesce(b.operators, 0) AS operators,
    coalesce(b.operators, 0) > 0 OR p.query IS NOT NULL AS is_stateful,
    coalesce(p.partitions, b.partitions) AS partitions, coalesce(p.pieces, 0) AS placed_partitions, coalesce(l.workers, 0) AS state_workers,
    b.state_rows, b.state_bytes, b.most_state_bytes, b.bytes_from,
    coalesce(round(s.median_ms), o.trigger_ms)::BIGINT AS batch_ms,
    coalesce(s.longest_ms, o.trigger_ms) AS longest_batch_ms,
    round(coalesce(s.quiesce_ms, o.quiesce_ms))::BIGINT AS quiesce_ms,
    round(t.startup_ms)::BIGINT AS startup_ms,
    coalesce(s.input_rows_per_s, x.input_rows_per_s) AS input_rows_per_s,
    coalesce(s.processed_rows_per_s, o.processed_rows_per_s) AS processed_rows_per_s,
    d.partition_ms AS partition_load_ms
FROM sums AS b
CROSS JOIN world.rules AS r
LEFT JOIN named AS n ON n.query = b.query
LEFT JOIN steady AS s ON s.query = b.query
LEFT JOIN lone AS o ON o.query = b.query
LEFT JOIN reported_rate AS x ON x.query = b.query
LEFT JOIN started AS t ON t.query = b.query
LEFT JOIN pieces AS p ON p.query = b.query
LEFT JOIN last_batch AS l ON l.query = b.query
LEFT JOIN stream.load AS d ON d.query = b.query
ORDER BY b.start_ms, b.query;
