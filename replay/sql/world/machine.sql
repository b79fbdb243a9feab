-- Purpose: the machines of a world.
-- Grain:   one row per machine.
-- Inputs:  machine
-- Parameters: $1 the application.
-- Outputs: as in table machine.
CREATE OR REPLACE TABLE world.machine AS
SELECT machine, is_coordinator
FROM machine
WHERE app = $1
ORDER BY machine;
