-- Purpose: the settings that say what keeps map outputs.
-- Grain:   one row per setting that is set.
-- Inputs:  setting
-- Parameters: $1 the application.
-- Outputs: name, value.
SELECT name, value
FROM setting
WHERE app = $1 AND scope = 'spark' AND name IN (
    'spark.shuffle.manager', 'spark.shuffle.service.enabled', 'spark.shuffle.push.enabled', 'spark.shuffle.sort.io.plugin.class'
)
ORDER BY name;
