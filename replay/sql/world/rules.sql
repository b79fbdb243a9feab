-- Purpose: the settings of a world.
-- Grain:   one row.
-- Inputs:  app
-- Parameters: $1 the application.
-- Outputs: app; start_ms, end_ms (ms): the first and the last time in the log; discipline: what the engine runs again;
--          notice_ms (ms): warning before a removal; detection_ms (ms): from a removal to its being noticed.
CREATE OR REPLACE TABLE world.rules AS
SELECT app,
    coalesce(least(first_ms, start_ms), 0) AS start_ms,
    coalesce(greatest(last_ms, end_ms), 0) AS end_ms,
    'share' AS discipline,
    0::BIGINT AS notice_ms,
    0::BIGINT AS detection_ms
FROM app
WHERE app = $1;
