-- Purpose: what a simulated run's log says of its application.
-- Grain:   one row.
-- Inputs:  app
-- Parameters: $1 the application.
-- Outputs: as in table app.
SELECT engine_version, name, user_name, start_ms, coordinator_machine
FROM app
WHERE app = $1;
