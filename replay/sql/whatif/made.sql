-- Purpose: the tables that a policy has made.
-- Grain:   one row per table.
-- Inputs:  none
-- Outputs: table_name.
SELECT table_name FROM duckdb_tables() WHERE database_name = 'next' ORDER BY table_name;
