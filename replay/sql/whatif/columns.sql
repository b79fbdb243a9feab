-- Purpose: columns that a table of the next world lacks, or has besides.
-- Grain:   one row per column.
-- Inputs:  none
-- Parameters: $1 the table.
-- Outputs: column_name; is_missing: the world has it, the next one does not.
WITH had AS (
    SELECT column_name FROM duckdb_columns() WHERE database_name = 'world' AND table_name = $1
),
has AS (
    SELECT column_name FROM duckdb_columns() WHERE database_name = 'next' AND table_name = $1
)
SELECT coalesce(h.column_name, n.column_name) AS column_name, n.column_name IS NULL AS is_missing
FROM had h FULL JOIN has n ON n.column_name = h.column_name
WHERE h.column_name IS NULL OR n.column_name IS NULL
ORDER BY column_name;
