-- Purpose: when an undisturbed run had come as far.
-- Grain:   one row.
-- Inputs:  attempt
-- Parameters: $1 the application, $2 pieces.
-- Outputs: at_ms (ms): when so many distinct pieces had first succeeded; null when it never came so far.
WITH pieces AS (
    SELECT min(end_ms) AS done_ms
    FROM attempt
    WHERE app = $1 AND status = 'success'
    GROUP BY coalesce(dataset, -1 - stage), coalesce(partition, task_index)
),
ranked AS (
    SELECT done_ms, row_number() OVER (ORDER BY done_ms) AS n FROM pieces
)
SELECT min(done_ms) AS at_ms FROM ranked WHERE n = greatest($2, 1);
