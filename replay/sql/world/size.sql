-- Purpose: how large a trace is.
-- Grain:   one row.
-- Inputs:  attempt, worker
-- Outputs: attempts, workers: of all applications.
SELECT (SELECT count(*) FROM attempt) AS attempts, (SELECT count(*) FROM worker) AS workers;
