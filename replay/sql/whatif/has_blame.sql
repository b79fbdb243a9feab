-- Purpose: whether the world already has the tables of the log's removals.
-- Grain:   one row.
-- Inputs:  none
-- Outputs: the count of such tables.
SELECT count(*) AS tables FROM duckdb_tables() WHERE database_name = 'world' AND table_name IN ('removal', 'taken', 'again', 'cut_off');
