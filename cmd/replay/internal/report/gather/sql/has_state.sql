-- Purpose: whether the trace tells what the workers did.
-- Grain:   one row.
-- Inputs:  the catalogue
-- Outputs: 1 if there is a table worker_state, else 0.
SELECT count(*) AS tables
FROM duckdb_tables()
WHERE table_name = 'worker_state' AND database_name = current_database();
