-- Purpose: every instant at which a unit's curve jumps.
-- Grain:   one row per unit and such instant.
-- Inputs:  loss.curve
-- Outputs: unit_no; at_ms (ms).
CREATE OR REPLACE TABLE loss.asked AS
SELECT unit_no, instant_ms AS at_ms
FROM loss.curve
ORDER BY unit_no, instant_ms;
