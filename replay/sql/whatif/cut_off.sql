-- Purpose: attempts that a removal cut off.
-- Grain:   one row per removal and attempt.
-- Inputs:  explain.cut_off
-- Parameters: $1 the application: not used, the explanation is of one.
-- Outputs: removal, task.
CREATE OR REPLACE TABLE world.cut_off AS
SELECT removal, task FROM explain.cut_off WHERE $1::VARCHAR IS NOT NULL ORDER BY removal, task;
