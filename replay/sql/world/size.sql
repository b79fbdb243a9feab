-- Purpose: how large a trace is.
-- Grain:   one row.
-- Inputs:  attempt
-- Outputs: attempts: of all applications.
SELECT count(*) AS attempts FROM attempt;
