-- Purpose: the worst instants of the cells of a heat map.
-- Grain:   one row per unit and such instant.
-- Inputs:  loss.heat_cell
-- Outputs: unit_no; at_ms (ms).
CREATE OR REPLACE TABLE loss.asked AS
SELECT DISTINCT unit_no, instant_ms AS at_ms
FROM loss.heat_cell
ORDER BY unit_no, at_ms;
