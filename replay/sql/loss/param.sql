-- Purpose: which units are measured.
-- Grain:   one row.
-- Inputs:  none
-- Parameters: $1 the kind of unit, empty for all; $2 the unit, empty for all.
-- Outputs: unit_kind, unit: null for all.
CREATE OR REPLACE TABLE loss.param AS
SELECT nullif($1::VARCHAR, '') AS unit_kind, nullif($2::VARCHAR, '') AS unit;
