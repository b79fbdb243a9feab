-- Purpose: the engine's settings.
-- Grain:   one row per setting that was set.
-- Inputs:  setting
-- Parameters: $1 the application.
-- Outputs: name, value.
SELECT name, value
FROM setting
WHERE app = $1 AND scope = 'spark'
ORDER BY name;
