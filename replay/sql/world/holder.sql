-- Purpose: what keeps the outputs of a world, and what that dies with.
-- Grain:   one row per holder.
-- Inputs:  holder
-- Parameters: $1 the application.
-- Outputs: as in table holder.
CREATE OR REPLACE TABLE world.holder AS
SELECT holder, dies_with, worker, machine, service
FROM holder
WHERE app = $1
ORDER BY holder;
