-- Purpose: how much state a streaming query kept after a batch.
-- Grain:   one row per progress report with stateful operators.
-- Inputs:  state
-- Parameters: $1 the application.
-- Outputs: query; seq: of the report; operators; state_rows (keys of all operators, null where one does not say); state_bytes (bytes):
--   of each operator the size of its files where the store tells it and has written any, else of its newest version, else its memory;
--   null where an operator tells none; bytes_from: files, version, memory, the weakest of its operators (files < version < memory);
--   partitions: of the state, the most of its operators; load_ms (slot ms): loading partitions in the batch, null where no store tells;
--   cache_misses: partitions that were read from the checkpoint since the start, null where no store tells.
CREATE OR REPLACE TABLE stream.size AS
WITH measured AS (
    SELECT
        query, seq, rows_total, partitions, rocksdb_load_ms, cache_misses,
        coalesce(nullif(rocksdb_sst_bytes, 0), current_bytes, memory_bytes) AS bytes,
        CASE WHEN nullif(rocksdb_sst_bytes, 0) IS NOT NULL THEN 0 WHEN current_bytes IS NOT NULL THEN 1 ELSE 2 END AS source
    FROM state
    WHERE app = $1
)
SELECT
    query, seq, count(*) AS operators,
    CASE WHEN count(rows_total) = count(*) THEN sum(rows_total)::BIGINT END AS state_rows,
    CASE WHEN count(bytes) = count(*) THEN sum(bytes)::BIGINT END AS state_bytes,
    CASE WHEN count(bytes) = count(*) THEN ['files', 'version', 'memory'][max(source) + 1] END AS bytes_from,
    max(partitions) AS partitions,
    sum(rocksdb_load_ms)::BIGINT AS load_ms,
    sum(cache_misses)::BIGINT AS cache_misses
FROM measured
GROUP BY query, seq
ORDER BY query, seq;
