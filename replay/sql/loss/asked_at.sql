-- Purpose: one instant, for every unit that is alive then.
-- Grain:   one row per such unit.
-- Inputs:  loss.unit
-- Parameters: $1 the instant (ms).
-- Outputs: unit_no; at_ms (ms).
CREATE OR REPLACE TABLE loss.asked AS
SELECT unit_no, $1::BIGINT AS at_ms
FROM loss.unit
WHERE from_ms <= $1::BIGINT AND $1::BIGINT < to_ms
ORDER BY unit_no;
