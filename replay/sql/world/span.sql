-- Purpose: when the run was, and whether there is such a run.
-- Grain:   one row, none if the trace does not have the application.
-- Inputs:  world.rules
-- Outputs: start_ms, end_ms (ms).
SELECT start_ms, end_ms FROM world.rules;
