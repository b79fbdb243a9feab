-- Purpose: the removals that the log tells of.
-- Grain:   one row per removal.
-- Inputs:  removal
-- Parameters: $1 the application.
-- Outputs: removal; kind: release, exit, withdrawal or unknown; unit_kind, unit: what left; gone_ms (ms): the first sign that it
--          was gone; detected_ms (ms): when the engine gave it up.
CREATE OR REPLACE TABLE world.removal AS
SELECT removal, kind, unit_kind, unit, least(coalesce(gone_high_ms, detected_ms), detected_ms) AS gone_ms, detected_ms
FROM removal
WHERE app = $1
ORDER BY removal;
