-- Purpose: room for what active_level finds.
-- Grain:   as active_level.
-- Inputs:  none
-- Outputs: see active_level.
CREATE OR REPLACE TABLE loss.active (
    unit_no INTEGER, dataset BIGINT, is_low BOOLEAN, from_ms BIGINT, to_ms BIGINT
);
