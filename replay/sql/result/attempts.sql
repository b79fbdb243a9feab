-- Purpose: how large a trace is, before its derived tables are made.
-- Grain:   one row.
-- Inputs:  attempt
-- Parameters: none.
-- Outputs: the number of task attempts.
SELECT count(*) AS attempts FROM attempt;
