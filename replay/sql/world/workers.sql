-- Purpose: how many workers a trace has.
-- Grain:   one row.
-- Inputs:  worker
-- Outputs: workers: of all applications.
SELECT count(*) AS workers FROM worker;
