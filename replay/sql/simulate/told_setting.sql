-- Purpose: all settings, for the log of a simulated run.
-- Grain:   one row per setting.
-- Inputs:  setting
-- Parameters: $1 the application.
-- Outputs: as in table setting.
SELECT scope, name, value
FROM setting
WHERE app = $1
ORDER BY scope, name;
