-- Purpose: the runs of streaming queries.
-- Grain:   one row per run.
-- Inputs:  streaming_query
-- Parameters: $1 the application.
-- Outputs: query, query_run, start_ms (ms), end_ms (ms): it ended, or the next run of the query began; null: neither is in the log.
CREATE OR REPLACE TABLE stream.run AS
SELECT
    query, query_run, start_ms,
    least(end_ms, lead(start_ms) OVER (PARTITION BY query ORDER BY seq)) AS end_ms
FROM streaming_query
WHERE app = $1
ORDER BY query, seq;
