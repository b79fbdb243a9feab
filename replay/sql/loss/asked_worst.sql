-- Purpose: each unit's worst instant.
-- Grain:   one row per unit.
-- Inputs:  loss.curve
-- Outputs: unit_no; at_ms (ms): where the interval with the highest supremum starts, the first one of equals.
CREATE OR REPLACE TABLE loss.asked AS
SELECT unit_no, instant_ms AS at_ms
FROM loss.curve
QUALIFY row_number() OVER (PARTITION BY unit_no ORDER BY supremum_ms DESC, instant_ms) = 1
ORDER BY unit_no;
